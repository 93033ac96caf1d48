// Bars for a search too large for a tree: the number of states by depth and by value, after any step.

/** @import { Bins } from './tally.js' */
/** @import { Trace } from './trace.js' */
import { grouped, h } from '../dom.js';
import { color, prepare, textSize } from './colors.js';
import { KINDS, tally } from './tally.js';

/** Maximum number of bars. If there are more depths or values, several share a bar. */
const MOST_BARS = 40;

/** @typedef {{from: number, to: number, counts: number[]}} Bar */
/** @typedef {{least: number, most: number}} Range */

export class Bars {
  constructor() {
    this.depths = h('canvas', { class: 'drawing', role: 'img' });
    this.values = h('canvas', { class: 'drawing', role: 'img' });
    this.element = h('div', { class: 'bars', hidden: true }, this.depths, this.values);
    /** `end` holds the counts after `steps` steps; `isEnded` is true if no more steps will arrive. */
    this.steps = -1;
    this.isEnded = false;
    /** @type {ReturnType<typeof tally>} */
    this.end = { depths: new Map(), values: new Map() };
    /** True if both charts would be identical. */
    this.isSame = false;
    /** @type {() => void} */
    this.draw = () => {};
  }

  /** @param {Trace} trace @param {number} step */
  show(trace, step) {
    if (this.steps !== trace.steps || this.isEnded !== (trace.ending !== null)) {
      [this.steps, this.isEnded] = [trace.steps, trace.ending !== null];
      this.end = tally(trace, trace.steps);
      this.isSame = this.isEnded && isSame(this.end.depths, this.end.values);
    }
    const now = tally(trace, step);
    const end = trace.roundAt(step) === trace.rounds.at(-1) ? this.end : now;
    const value = trace.isDuel ? 'Grundy value' : 'f';
    this.values.hidden = this.isSame;
    this.draw = () => {
      chart(this.depths, trace.isDuel, this.isSame ? `States by depth, which is ${value} here` : 'States by depth', trace.depths, now.depths, end.depths);
      if (!this.isSame) chart(this.values, trace.isDuel, `States by ${value}`, trace.values, now.values, end.values);
    };
    this.draw();
  }
}

/** @param {Bins} one @param {Bins} other */
const isSame = (one, other) => one.size === other.size && [...one].every(([name, counts]) => counts.join() === other.get(name)?.join());

const total = (/** @type {number[]} */ counts) => counts.reduce((sum, count) => sum + count, 0);

/** Groups bins into bars; a bar combines several bins if there are many. @param {Bins} bins @param {Range} range @returns {Bar[]} */
function together(bins, { least, most }) {
  const width = Math.max(1, Math.ceil((most - least + 1) / MOST_BARS));
  /** @type {Bar[]} */
  const bars = [];
  for (let at = least; at <= most; at += width) bars.push({ from: at, to: Math.min(most, at + width - 1), counts: Array(KINDS).fill(0) });
  for (const [name, counts] of bins) {
    const bar = bars[Math.floor((name - least) / width)];
    for (const [kind, count] of counts.entries()) if (bar) bar.counts[kind] = (bar.counts[kind] ?? 0) + count;
  }
  return bars;
}

/** @param {HTMLCanvasElement} canvas @param {boolean} isDuel @param {string} title @param {Range} range @param {Bins} now @param {Bins} end the final counts, which set the scale */
function chart(canvas, isDuel, title, range, now, end) {
  const context = prepare(canvas);
  if (!context || range.least > range.most) return;
  const bars = together(now, range);
  const most = Math.max(1, ...[...bars, ...together(end, range)].map(({ counts }) => total(counts)));
  const { clientWidth: width, clientHeight: height } = canvas;
  // Sizes scale with the surrounding text.
  const size = textSize(canvas) * 0.75;
  const [left, top] = [5 * size, 2.2 * size];
  const [apart, high] = [(width - left - 8) / bars.length, height - top - 2.4 * size];
  const paints = isDuel ? ['win', 'lose', 'draw'].map((name) => [color(`${name}-fill`), color(`${name}-stroke`)]) : [[color('accent'), color('accent')], [color('accent-pale'), color('accent')]];
  context.font = `${size}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  for (const [at, { counts }] of bars.entries()) {
    let bottom = top + high;
    for (const [kind, [fill, stroke]] of paints.entries()) {
      const tall = (high * (counts[kind] ?? 0)) / most;
      if (tall <= 0) continue;
      context.fillStyle = fill ?? '';
      context.strokeStyle = stroke ?? '';
      context.lineWidth = 1;
      context.fillRect(left + at * apart + 1, bottom - tall, Math.max(1, apart - 2), tall);
      context.strokeRect(left + at * apart + 1, bottom - tall, Math.max(1, apart - 2), tall);
      bottom -= tall;
    }
  }
  context.fillStyle = color('ink');
  context.textAlign = 'left';
  context.fillText(title, left, size);
  context.fillStyle = color('soft');
  context.textAlign = 'right';
  context.fillText(grouped(most), left - 6, top + size / 3);
  context.fillText('0', left - 6, top + high);
  context.textAlign = 'center';
  const every = Math.max(1, Math.ceil((3.6 * size) / apart));
  for (const [at, bar] of bars.entries()) if (at % every === 0) context.fillText(bar.from === bar.to ? String(bar.from) : `${bar.from}–${bar.to}`, left + (at + 0.5) * apart, top + high + 1.2 * size);
  canvas.setAttribute('aria-label', `${title}: ${bars.flatMap(({ from, to, counts }) => (total(counts) > 0 ? [`${from === to ? from : `${from} to ${to}`}: ${grouped(total(counts))}`] : [])).join(', ')}`);
}
