// Zoom for large boards on small screens: if places are too small for a finger, the board can be enlarged with two buttons, with two
// fingers, or with Ctrl and the wheel. An enlarged board scrolls.

/** @import { Board } from './board.js' */
import { h } from '../dom.js';

/** Minimum size of a touch target in pixels; the maximum zoom factor; the zoom factor of one button press. */
const FINGER = 40;
const MOST = 6;
const STEP = 1.5;

export class Zoom {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.factor = 1;
    const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {number} */ by) =>
      h('button', { type: 'button', class: 'icon', 'aria-label': label, onclick: () => this.by(by) }, text);
    this.smaller = button('−', 'Zoom out', 1 / STEP);
    this.larger = button('+', 'Zoom in', STEP);
    this.element = h('div', { class: 'zoom', hidden: true, role: 'group', 'aria-label': 'Zoom' }, this.smaller, this.larger);
    board.holder.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    board.holder.addEventListener('touchstart', (event) => this.pinch(event), { passive: true });
    new ResizeObserver(() => this.refresh()).observe(board.holder);
  }

  reset() {
    this.set(1);
  }

  /** Shows the buttons if places are small. */
  refresh() {
    const { board, factor } = this;
    const { scene } = board;
    if (!scene || scene.moves.length === 0) return;
    const names = new Set(scene.moves.flatMap(({ clicks }) => clicks));
    let least = Infinity;
    for (const name of names) least = Math.min(least, 2 * board.radius(name) || Infinity);
    const pixels = (least * board.scale) / factor;
    this.element.hidden = factor === 1 && !(pixels > 0 && pixels < FINGER);
    this.smaller.disabled = factor <= 1;
    this.larger.disabled = factor >= MOST;
  }

  /** Zooms around a point; by default, the middle of the holder. @param {number} by @param {{clientX: number, clientY: number}} [around] */
  by(by, around) {
    const { holder } = this.board;
    const box = holder.getBoundingClientRect();
    const { clientX, clientY } = around ?? { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
    const fixed = this.board.point({ clientX, clientY });
    this.set(this.factor * by);
    this.bring(fixed, clientX, clientY);
  }

  /** Scrolls so that a point of the scene is at a point of the window. @param {[number, number]} point @param {number} x @param {number} y */
  bring(point, x, y) {
    const { board } = this;
    const [left, top] = board.point({ clientX: x, clientY: y });
    board.holder.scrollLeft += (point[0] - left) * board.scale;
    board.holder.scrollTop += (point[1] - top) * board.scale;
  }

  /** @param {number} factor */
  set(factor) {
    const { holder, svg } = this.board;
    this.factor = Math.min(MOST, Math.max(1, Math.abs(factor - 1) < 0.05 ? 1 : factor));
    if (this.factor > 1 && !holder.classList.contains('zoomed')) {
      holder.tabIndex = 0;
      holder.setAttribute('role', 'region');
      holder.setAttribute('aria-label', 'Board, enlarged');
    } else if (this.factor === 1) {
      for (const name of ['tabindex', 'role', 'aria-label']) holder.removeAttribute(name);
    }
    holder.classList.toggle('zoomed', this.factor > 1);
    svg.style.setProperty('--zoom', String(this.factor));
    this.refresh();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.by(event.deltaY < 0 ? 1.15 : 1 / 1.15, event);
  }

  /** Zooms and moves the board with two fingers. @param {TouchEvent} start */
  pinch(start) {
    if (start.touches.length !== 2) return;
    const measure = (/** @type {TouchEvent} */ { touches: [one, other] }) => {
      if (!one || !other) return null;
      return { apart: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY), clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 };
    };
    const began = measure(start);
    if (!began) return;
    const fixed = this.board.point(began);
    const { factor } = this;
    const until = new AbortController();
    const move = (/** @type {TouchEvent} */ event) => {
      const now = measure(event);
      if (!now) return;
      if (event.cancelable) event.preventDefault();
      this.set((factor * now.apart) / began.apart);
      this.bring(fixed, now.clientX, now.clientY);
    };
    const end = () => until.abort();
    addEventListener('touchmove', move, { signal: until.signal, passive: false });
    for (const kind of ['touchend', 'touchcancel']) addEventListener(kind, end, { signal: until.signal });
  }
}
