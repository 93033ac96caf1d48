// The value after each move of a two-player game, as a line: a point near one edge is a win for a player, a point in the middle is a draw.
// The sooner the win, the nearer the edge. The line is also a slider, so that users of the keyboard or a screen reader can step through the
// same values.

import { fill, h, s } from '../dom.js';

/**
 * @typedef {{winner: number | null | undefined, length: number | null, words: string}} Value the winner (null for a draw, undefined if not known),
 *   the number of moves to the end, if known, and both in words
 */

/** Heights of points, in percent: for a win that has been reached, for a win of unknown length, and for a draw. */
const [EDGE, UNSURE, MIDDLE] = [7, 24, 50];
/** Minimum distance between two points with labels, as a fraction of the font size. */
const ROOM = 1.1;

/** The height of a point. @param {Value} value @param {number} most the greatest length */
function height({ winner, length }, most) {
  if (winner === null || winner === undefined) return MIDDLE;
  const from = length === null ? UNSURE : EDGE + ((MIDDLE - EDGE - 9) * length) / Math.max(1, most);
  return winner === 1 ? from : 100 - from;
}

export class Values {
  /** @param {(at: number) => void} onLook called with the index of the chosen move */
  constructor(onLook) {
    this.onLook = onLook;
    /** @type {Value[]} The value of the start and after each move. */
    this.values = [];
    /** The move shown, or -1. */
    this.at = -1;
    this.sides = h('div', { class: 'sides', 'aria-hidden': 'true' });
    this.field = h('div', {
      class: 'field-of-values',
      role: 'slider',
      tabindex: '0',
      'aria-label': 'Value after each move',
      'aria-valuemin': '1',
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      onclick: (/** @type {MouseEvent} */ event) => this.click(event),
    });
    this.element = h('div', { class: 'values', hidden: true }, this.sides, this.field);
  }

  /** @param {Value[]} values of the start and after each move so far @param {string[]} names the players, the first one on top */
  show(values, names) {
    this.values = values;
    this.element.hidden = values.length < 2;
    if (this.element.hidden) return;
    const most = Math.max(0, ...values.map(({ length }) => length ?? 0));
    const points = values.map((value, at) => /** @type {const} */ ([(100 * (at + 0.5)) / values.length, height(value, most)]));
    const line = s('polyline', { points: points.map((point) => point.join()).join(' '), 'vector-effect': 'non-scaling-stroke' });
    // Only some games can end in a draw.
    const canDraw = values.some(({ winner }) => winner === null);
    const middle = canDraw ? [s('line', { x1: 0, x2: 100, y1: MIDDLE, y2: MIDDLE, 'vector-effect': 'non-scaling-stroke' })] : [];
    const svg = s('svg', { viewBox: '0 0 100 100', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, ...middle, line);
    const dots = values.map(({ winner, length, words }, at) => {
      const [x, y] = /** @type {readonly [number, number]} */ (points[at]);
      const kind = winner === undefined ? 'unknown' : winner === null ? 'draw' : winner === 1 ? 'first' : 'second';
      const label = winner === undefined ? '?' : length === null || winner === null ? '' : String(length);
      const dot = h('span', { class: `dot ${kind}`, title: at === 0 ? `Start: ${words}` : `Move ${at}: ${words}` }, h('span', { class: 'number', 'aria-hidden': 'true' }, label));
      [dot.style.left, dot.style.top] = [`${x}%`, `${y}%`];
      return dot;
    });
    fill(this.sides, h('span', null, names[0]), h('span', null, canDraw && 'draw'), h('span', null, names[1]));
    fill(this.field, svg, ...dots);
    this.field.setAttribute('aria-valuemax', String(values.length - 1));
    this.field.classList.toggle('dense', this.field.clientWidth / values.length < ROOM * 16);
    this.mark(this.at);
  }

  /** Marks the move whose board is shown. @param {number} at the index of the move, or -1 */
  mark(at) {
    this.at = at;
    const now = at + 1;
    for (const [number, dot] of [...this.field.querySelectorAll('.dot')].entries()) dot.classList.toggle('now', at >= 0 && number === now);
    const shown = at >= 0 ? now : this.values.length - 1;
    this.field.setAttribute('aria-valuenow', String(shown));
    this.field.setAttribute('aria-valuetext', `${shown === 0 ? 'Start' : `Move ${shown}`}: ${this.values[shown]?.words ?? ''}`);
  }

  /** The move of the point nearest to a click. @param {MouseEvent} event */
  click({ clientX }) {
    const { left, width } = this.field.getBoundingClientRect();
    this.look(Math.floor(((clientX - left) / width) * this.values.length));
  }

  /** @param {number} point 0 is the start, whose board is that before the first move */
  look(point) {
    this.onLook(Math.max(1, Math.min(point, this.values.length - 1)) - 1);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const last = this.values.length - 1;
    const shown = this.at >= 0 ? this.at + 1 : last;
    /** @type {Record<string, number>} */
    const to = { ArrowLeft: shown - 1, ArrowDown: shown - 1, ArrowRight: shown + 1, ArrowUp: shown + 1, Home: 1, End: last };
    const point = event.ctrlKey || event.metaKey || event.altKey ? undefined : to[event.key];
    if (point === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.look(point);
  }
}
