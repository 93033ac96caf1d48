// Lets the player arrange a drawing: shapes that the scene lists as movable can be dragged, or moved with Shift and the arrow keys,
// and shapes joined to them follow. The new coordinates become part of the board's text, so links preserve them.

/** @typedef {Pick<import('../frame/view.js').GameView, 'attempt' | 'board' | 'drag' | 'editor' | 'game' | 'holder' | 'left' | 'rearrange' | 'replaying' | 'where'>} Host the members of the view that this module uses */
/** @import { Scene } from '../engine/api.js' */
import * as api from '../engine/api.js';
import { DIRECTIONS } from './input.js';

/** Number of keyboard steps from one side of the scene to the other. */
const STEPS = 40;

export class LayoutDrag {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    /** @type {Map<Element, Record<string, string | null>>} Attributes before the drag. */
    this.before = new Map();
    /** @type {{scene: Scene | null, names: Set<string>}} */
    this.known = { scene: null, names: new Set() };
    view.drag.layout = {
      starts: (name) => this.isMovable(name),
      move: (name, point) => this.look(name, point),
      drop: (name, point) => this.put(name, () => point),
      cancel: () => this.restore(),
    };
    // In the capture phase, before the board handles the arrow keys.
    view.holder.addEventListener('keydown', (event) => this.key(event), { capture: true });
  }

  /** @param {string} name */
  isMovable(name) {
    const { board, replaying } = this.view;
    if (this.known.scene !== board.scene) this.known = { scene: board.scene, names: new Set(board.scene?.movable) };
    return !replaying && this.known.names.has(name);
  }

  /** @param {Element | undefined} element @param {Record<string, string>} attributes */
  set(element, attributes) {
    if (!element) return;
    const before = this.before.get(element) ?? {};
    this.before.set(element, before);
    for (const [name, value] of Object.entries(attributes)) {
      if (!(name in before)) before[name] = element.getAttribute(name);
      element.setAttribute(name, value);
    }
  }

  /** During a drag, draws a place at `point`, together with the shapes joined to it. @param {string} name @param {[number, number]} point */
  look(name, point) {
    const { board } = this.view;
    const [x, y] = board.middle(name);
    const [dx, dy] = [point[0] - x, point[1] - y];
    const by = (/** @type {number} */ part) => ({ transform: `translate(${dx * part} ${dy * part})` });
    board.scene?.shapes.forEach((shape, at) => {
      const ends = /** @type {string[]} */ (shape.ends ?? []);
      const end = ends.indexOf(name);
      if (shape.name === name) this.set(board.elements[at], by(1));
      else if (end < 0) return;
      else if (shape.form !== 'line') this.set(board.elements[at], by(ends.filter((other) => other === name).length / 2));
      else {
        const [x0, y0] = end === 0 ? shape.from : shape.to;
        this.set(board.elements[at], { [`x${end + 1}`]: String(x0 + dx), [`y${end + 1}`]: String(y0 + dy) });
      }
    });
    board.mark('carried', [name]);
  }

  /** Undoes the changes made by `look`. */
  restore() {
    for (const [element, attributes] of this.before) {
      for (const [name, value] of Object.entries(attributes)) {
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
      }
    }
    this.before.clear();
    this.view.board.mark('carried', []);
  }

  /** Moves a place. @param {string} name @param {() => [number, number]} where returns the new point; called after all earlier actions */
  put(name, where) {
    const { view } = this;
    return view.attempt(async () => {
      try {
        const [x, y] = where();
        const show = view.editor.active ? await view.editor.moved(name, x, y) : await this.moved(name, x, y);
        this.restore();
        show();
      } finally {
        this.restore();
      }
    });
  }

  /** @param {string} name @param {number} x @param {number} y */
  async moved(name, x, y) {
    const { view } = this;
    const position = await api.place(view.game, { ...view.where(), name, x, y });
    return () => {
      if (!view.left) view.rearrange(position);
    };
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { board } = this.view;
    const name = board.nameAt(event.target);
    const direction = DIRECTIONS[event.key];
    if (!event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || !direction || name === null || !this.isMovable(name)) return;
    event.preventDefault();
    event.stopPropagation();
    const step = Math.max(board.scene?.width ?? 0, board.scene?.height ?? 0) / STEPS;
    this.put(name, () => {
      const [x, y] = board.middle(name);
      return [x + direction[0] * step, y + direction[1] * step];
    });
  }
}
