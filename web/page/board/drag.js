// Moves by dragging: from a place that begins a gesture to one that continues it, with a mouse or a finger. The piece on the place follows
// the pointer. If a gesture has more than two places, the others are clicked.

/** @typedef {Pick<import('../frame/view.js').GameView, 'board' | 'clicks' | 'editor' | 'gestures' | 'replaying'>} Host the members of the view that this module uses */
/** @import { Carrier } from './input.js' */
import { nextNames } from './clicks.js';
import { s } from '../dom.js';

/** Maximum distance from a place, in pixels, at which a piece may be dropped. */
const REACH = 26;

/**
 * Handles drags that move a place within the drawing. Points are in scene units. A drag that ends at a place that continues a
 * gesture is still a move, and `cancel` puts the place back.
 * @typedef {{starts: (name: string) => boolean, move: (name: string, point: [number, number]) => void,
 *   drop: (name: string, point: [number, number]) => void, cancel: (name: string) => void}} Layout
 */

export class Drag {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    /** @type {Layout | null} */
    this.layout = null;
    /** @type {SVGElement | null} The copy of the piece that follows the pointer. */
    this.ghost = null;
    /** @type {{name: string, by: [number, number]} | null} The dragged place, and its offset from where it was. */
    this.carried = null;
    view.board.onDrag = (name) => this.begin(name);
  }

  /** The places at which a drag from this place can end. @param {string} name @returns {{targets: Set<string>, isBack: boolean}} */
  ways(name) {
    const { clicks, editor, gestures, replaying } = this.view;
    if (editor.active || replaying) return { targets: new Set(), isBack: false };
    const picked = clicks.picked.at(-1) === name ? clicks.picked : [name];
    const targets = nextNames(gestures, picked);
    targets.delete(name);
    if (targets.size > 0) return { targets, isBack: false };
    // If a place has a piece but only ends gestures, the piece can be dragged to a place where these gestures begin.
    const isLoaded = (this.view.board.places.get(name)?.shapes.length ?? 0) > 1;
    const back = isLoaded ? gestures.filter(({ clicks }) => clicks.length === 2 && clicks[1] === name && clicks[0] !== name) : [];
    return { targets: new Set(back.map(({ clicks }) => /** @type {string} */ (clicks[0]))), isBack: true };
  }

  /** The places from which something can be dragged. */
  get grips() {
    const { board, clicks, gestures } = this.view;
    const many = gestures.flatMap(({ clicks }) => (clicks.length > 1 ? [clicks] : []));
    const ends = [...clicks.picked.slice(-1), ...many.flatMap((names) => names.slice(0, 2))];
    const names = this.layout ? board.places.keys() : new Set(ends).values();
    return [...names].filter((name) => this.layout?.starts(name) || this.ways(name).targets.size > 0);
  }

  /** @param {string} name @returns {Carrier | null} */
  begin(name) {
    const { board, clicks, editor } = this.view;
    if (editor.active && editor.now?.grips) return editor.strokes.begin(name);
    const { targets, isBack } = this.ways(name);
    const layout = this.layout?.starts(name) ? this.layout : null;
    if (targets.size === 0 && !layout) return null;
    const picked = clicks.picked.at(-1) === name ? clicks.picked : [name];
    clicks.clear();
    clicks.refresh();
    if (targets.size > 0) {
      board.mark('picked', [name]);
      board.mark('next', targets);
    }
    if (!layout) this.lift(name);
    const [x, y] = board.middle(name);
    /** @param {PointerEvent} event */
    const under = (event) => {
      const at = board.nameAt(document.elementFromPoint(event.clientX, event.clientY));
      return at !== null && targets.has(at) ? at : board.near(event, REACH, targets);
    };
    const settle = () => {
      board.mark('target', []);
      clicks.refresh();
    };
    return {
      move: (event) => {
        const point = board.point(event);
        const by = /** @type {[number, number]} */ ([point[0] - x, point[1] - y]);
        this.carried = { name, by };
        if (layout) layout.move(name, point);
        else this.ghost?.setAttribute('transform', `translate(${by[0]} ${by[1]})`);
        const target = under(event);
        board.mark('target', target === null ? [] : [target]);
      },
      drop: (event) => {
        const target = under(event);
        settle();
        if (target === null) {
          if (layout) layout.drop(name, board.point(event));
          return this.end();
        }
        layout?.cancel(name);
        clicks.picked = isBack ? [target] : picked;
        // The ghost stays until the board shows the move.
        Promise.resolve(clicks.pick(isBack ? name : target)).finally(() => this.end());
      },
      cancel: () => {
        settle();
        layout?.cancel(name);
        this.end();
      },
    };
  }

  /** Lifts the piece on a place, or the whole place if there is only text on it. @param {string} name */
  lift(name) {
    const { board } = this.view;
    const place = board.places.get(name);
    if (!place) return;
    this.end();
    const [ground, ...rest] = place.shapes;
    const isWhole = ground === undefined || rest.every(({ form }) => form === 'text');
    const parts = [...place.group.children].filter((element, at) => (isWhole || at > 0) && /** @type {Element} */ (element).matches(':not(.tint, .leaving)'));
    this.ghost = s('g', { class: 'ghost', 'aria-hidden': 'true' }, ...parts.map((element) => /** @type {SVGElement} */ (element.cloneNode(true))));
    board.svg.append(this.ghost);
    place.group.classList.add('lifted', ...(isWhole ? ['whole'] : []));
  }

  /** Ends the drag. */
  end() {
    this.ghost?.remove();
    this.ghost = null;
    this.carried = null;
    for (const group of this.view.board.svg.querySelectorAll('.lifted')) group.classList.remove('lifted', 'whole');
  }
}
