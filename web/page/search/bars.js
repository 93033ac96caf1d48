// Bars for a search too large for a tree: the number of states by depth and by value, after any step.

/** @import { Bins } from './tally.js' */
/** @import { Trace } from './trace.js' */
import { grouped, h } from '../dom.js';
import { color, prepare, textSize } from './colors.js';
import { KINDS } from './tally.js';

/** Maximum number of bars; more depths or values share one. */
const MOST_BARS = 40;

/** @typedef {{from: number, to: number, counts: number[]}} Bar */

export class Bars {
  constructor() {
    this.depths = h('canvas', { class: 'drawing', role: 'img' });
    this.values = h('canvas', { class: 'drawing', role: 'img' });
    this.element = h('div', { class: 'bars', hidden: true }, this.depths, this.values);
    /** @type {Trace | null} The search to which `isSame` belongs. */
    this.judged = null;
    this.isSame = false;
    /** @type {() => void} */
    this.draw = () => {};
  }

  /** @param {Trace} trace @param {number} step */
  show(trace, step) {
    const now = trace.tally.at(step);
    const isLast = trace.roundAt(step) === trace.rounds.at(-1);
    const end = isLast ? trace.tally.now : now;
    const value = trace.isDuel ? 'Grundy value' : 'f';
    // Computed once, when all lines have arrived.
    if (trace.ending && this.judged !== trace) [this.judged, this.isSame] = [trace, same(trace.tally.depths, trace.tally.now.depths, trace.tally.values, trace.tally.now.values)];
    const isSame = this.judged === trace && this.isSame;
    this.values.hidden = isSame;
    this.draw = () => {
      chart(this.depths, trace.isDuel, isSame ? `States by depth, which is ${value} here` : 'States by depth', trace.tally.depths, now.depths, end.depths);
      if (!isSame) chart(this.values, trace.isDuel, `States by ${value}`, trace.tally.values, now.values, end.values);
    };
    this.draw();
  }
}

/** Are two charts the same? @param {Bins} one @param {Int32Array} counts @param {Bins} other @param {Int32Array} others */
function same(one, counts, other, others) {
  const places = (/** @type {Bins} */ { names }) => new Map(names.map((name, at) => [name, KINDS * at]));
  const [mine, theirs] = [places(one), places(other)];
  if (mine.size !== theirs.size) return false;
  for (const [name, at] of mine) {
    const there = theirs.get(name);
    for (let kind = 0; kind < KINDS; kind++) if (there === undefined || counts[at + kind] !== others[there + kind]) return false;
  }
  return true;
}

const total = (/** @type {number[]} */ counts) => counts.reduce((sum, count) => sum + count, 0);

/** Bins side by side, several together where there are many. @param {Bins} bins @param {Int32Array} counts @param {number} from @param {number} to @returns {Bar[]} */
function together({ names }, counts, from, to) {
  const width = Math.max(1, Math.ceil((to - from + 1) / MOST_BARS));
  /** @type {Bar[]} */
  const bars = [];
  for (let at = from; at <= to; at += width) bars.push({ from: at, to: Math.min(to, at + width - 1), counts: [0, 0, 0] });
  for (const [at, name] of names.entries()) {
    const bar = bars[Math.floor((name - from) / width)];
    if (!bar) continue;
    for (let kind = 0; kind < KINDS; kind++) bar.counts[kind] = (bar.counts[kind] ?? 0) + (counts[KINDS * at + kind] ?? 0);
  }
  return bars;
}

/** @param {HTMLCanvasElement} canvas @param {boolean} isDuel @param {string} title @param {Bins} bins @param {Int32Array} now @param {Int32Array} end what gives the scale */
function chart(canvas, isDuel, title, bins, now, end) {
  const context = prepare(canvas);
  const [from, to] = bins.names.reduce(([low, high], name) => (name < 0 ? [low, high] : [Math.min(low, name), Math.max(high, name)]), [Infinity, -Infinity]);
  if (!context || from > to) return;
  const bars = together(bins, now, from, to);
  const most = Math.max(1, ...[...bars, ...together(bins, end, from, to)].map(({ counts }) => total(counts)));
  const { clientWidth: width, clientHeight: height } = canvas;
  // Sizes go with the text around.
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
