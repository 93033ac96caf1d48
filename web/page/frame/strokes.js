// Painting in the editor by dragging. If the game allows it, the board being edited is also searched, and the search is painted on it.

/** @typedef {Pick<import('./editor.js').Editor, 'active' | 'before' | 'brush' | 'now' | 'show'> & {view: Pick<import('./view.js').GameView, 'about' | 'board' | 'game'>}} Host the members of the editor that this module uses */
/** @import { Explanation } from '../engine/api.js' */
/** @import { Carrier } from '../board/input.js' */
/** @import { PlacedLine } from '../board/painting.js' */
import * as api from '../engine/api.js';
import { paintsAt } from '../board/painting.js';

/** The search runs while the pointer moves if it takes at most this many milliseconds, about two frames. */
const QUICK = 35;
/** Maximum number of states that a search in the editor may expand. */
const NODES = 20_000;
/** Pixels between the points of a fast movement at which shapes are painted. */
const STEP = 6;

export class Strokes {
  /** @param {Host} editor */
  constructor(editor) {
    this.editor = editor;
    /** @type {{brush: string, shape: string}[]} Strokes that have not been painted yet. */
    this.waiting = [];
    this.isPainting = false;
    this.isDragging = false;
    this.isSearching = false;
    /** The milliseconds that the last search took. */
    this.taken = 0;
    /** The board that was searched last, as text. */
    this.searched = '';
    /** @type {Explanation | null} The search as colors on the board. */
    this.painting = null;
  }

  /** Begins a drag with the brush of this place or, if it has none, with the chosen brush. @param {string} name @returns {Carrier | null} */
  begin(name) {
    const { now, view } = this.editor;
    const own = now?.grips?.find(({ shape }) => shape === name)?.brush;
    const brush = own ?? this.editor.brush;
    if (now?.brushes.find((known) => known.name === brush)?.clicks !== 1) return null;
    const before = now.instance;
    let last = name;
    /** @type {[number, number] | null} */
    let from = null;
    const paint = (/** @type {string} */ shape) => {
      last = shape;
      // If the brush moves something, only the last place counts.
      if (own !== undefined) this.waiting = [];
      this.waiting.push({ brush, shape });
    };
    if (own === undefined) paint(name);
    this.isDragging = true;
    const end = () => {
      this.isDragging = false;
      this.work(before).then(() => this.search());
    };
    return {
      move: ({ clientX, clientY }) => {
        const [x, y] = from ?? [clientX, clientY];
        const steps = Math.max(1, Math.ceil(Math.hypot(clientX - x, clientY - y) / STEP));
        for (let at = 1; at <= steps; at += 1) {
          const shape = view.board.nameAt(document.elementFromPoint(x + ((clientX - x) * at) / steps, y + ((clientY - y) * at) / steps));
          if (shape !== null && shape !== last) paint(shape);
        }
        from = [clientX, clientY];
        this.work(before);
      },
      drop: end,
      cancel: end,
    };
  }

  /** Paints what is waiting. A place where the brush cannot be used is skipped. @param {string} before the board at the beginning of the drag */
  async work(before) {
    if (this.isPainting) return;
    this.isPainting = true;
    const { editor } = this;
    for (let stroke = this.waiting.shift(); stroke && editor.now && editor.active; stroke = this.waiting.shift()) {
      const { brush, shape } = stroke;
      const now = await api.paint(editor.view.game, { instance: editor.now.instance, brush, shapes: [shape] }).catch(() => null);
      if (!now || !editor.active || now.instance === editor.now?.instance) continue;
      if (editor.before.at(-1) !== before) editor.before.push(before);
      editor.now = now;
      editor.show();
    }
    this.isPainting = false;
    if (this.taken <= QUICK || !this.isDragging) await this.search();
  }

  /** Searches the board and paints the search on it. While a search is running, none is started; it is repeated if the board has changed. */
  async search() {
    const { editor } = this;
    const { about, game } = editor.view;
    if (!about.paints || this.isSearching) return;
    this.isSearching = true;
    while (editor.active && editor.now && editor.now.instance !== this.searched) {
      const { instance } = editor.now;
      /** @type {PlacedLine[]} */
      const lines = [];
      const begun = performance.now();
      const traced = await api.trace(game, { instance, nodes: NODES }, (more) => void lines.push(...more), new AbortController().signal).catch(() => null);
      this.taken = performance.now() - begun;
      this.searched = instance;
      if (!editor.active) break;
      this.painting = traced && this.explained(lines, traced.places);
      this.repaint();
      if (this.isDragging && this.taken > QUICK) break;
    }
    this.isSearching = false;
  }

  /** @param {PlacedLine[]} lines @param {string[]} plan @returns {Explanation} */
  explained(lines, plan) {
    const { board } = this.editor.view;
    const tints = [...paintsAt(lines, lines.length)].map(([name, paint]) => ({ name, paint, strength: 1 }));
    const ways = plan.slice(1).map((name, at) => ({ form: /** @type {const} */ ('line'), from: board.middle(plan[at] ?? name), to: board.middle(name), paint: 'glow' }));
    return { text: '', tints, shapes: ways, labels: [] };
  }

  /** Paints the last search again after the board has been drawn. */
  repaint() {
    if (this.painting && this.editor.active) this.editor.view.board.overlay.explain(this.painting);
  }

  /** Called when the editor closes. */
  forget() {
    this.painting = null;
    this.searched = '';
    this.waiting = [];
    this.isDragging = false;
  }
}
