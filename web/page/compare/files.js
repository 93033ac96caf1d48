// Exports a comparison: its values as CSV, and a standalone drawing for a slide, in light colors or, if the viewer prefers them, dark
// ones.

/** @import { Judged, Row, Scale, Measure } from './rows.js' */
import { capital, counted, s } from '../dom.js';
import { MEASURES, heading, judge, leastCost, legend, scaleOf, titles } from './rows.js';

/** Columns of the CSV file. */
const COLUMNS = 'method about verdict cost optimal promised lower upper winner outcome at_least at_most length limit expanded generated cutoffs table branching peak_bytes seconds error'.split(' ');

/** The values of a row, by column. @param {Row} row @returns {Record<string, unknown>} */
const values = ({ method, report, error }) => ({ ...report, ...report?.stats, method: method.name, about: method.about, promised: method.optimal, error });

/** @param {unknown} value */
function field(value) {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {Row[]} rows */
export function csv(rows) {
  const lines = [COLUMNS, ...rows.map(values).map((row) => COLUMNS.map((name) => field(row[name])))];
  return lines.map((line) => `${line.join(',')}\n`).join('');
}

/** Dimensions of the drawing. */
const WIDTH = 1120;
const EDGE = 32;
const NAMES = 250;
const ROW = 46;
const TOP = 118;
const BAR = 16;
const VALUE = 86;

/** Light colors, and dark ones for viewers that support `prefers-color-scheme`. */
const DAY = { paper: '#fffefb', ink: '#23242a', soft: '#5d5f68', track: '#eceae2', good: '#1f5f58', bad: '#a12622', pale: '#8fb3ae' };
const NIGHT = { paper: '#1b1e23', ink: '#e9e8e4', soft: '#a6a8b0', track: '#2b2f36', good: '#7cc9bd', bad: '#f09a95', pale: '#4d7b74' };

/** @param {string} text @param {number} x @param {number} y @param {keyof typeof DAY} color @param {Record<string, string | number>} [more] */
const written = (text, x, y, color, more = {}) => s('text', { x, y, class: color, fill: DAY[color], ...more }, text);

/** A drawing of the comparison. @param {string} game @param {string} board @param {Row[]} rows @param {number} players @returns {SVGElement} */
export function chart(game, board, rows, players) {
  const least = leastCost(rows);
  const title = `${capital(game)}: ${counted(rows.length, 'method')} compared`;
  const scales = MEASURES.map((measure) => ({ measure, scale: scaleOf(measure, rows) }));
  const height = TOP + rows.length * ROW + 44;
  const night = Object.entries(NIGHT).map(([name, color]) => `.${name}{fill:${color}}`);
  const style = `text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}@media (prefers-color-scheme:dark){${night.join('')}}`;
  const hatch = s(
    'pattern',
    { id: 'hatch', width: 9, height: 9, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
    s('rect', { width: 9, height: 9, class: 'track', fill: DAY.track }),
    s('rect', { width: 5, height: 9, class: 'bad', fill: DAY.bad })
  );
  return s(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height, role: 'img', 'font-family': 'sans-serif' },
    s('title', {}, title),
    s('desc', {}, rows.map((row) => sentence(row, judge(row, least, players))).join(' ')),
    s('style', {}, style),
    s('defs', {}, hatch),
    s('rect', { width: WIDTH, height, class: 'paper', fill: DAY.paper }),
    written(title, EDGE, 48, 'ink', { 'font-size': 26, 'font-weight': 600 }),
    written(board, EDGE, 74, 'soft', { 'font-size': 15 }),
    written(['method', ...titles(players)].join(', '), EDGE, TOP - 14, 'soft', { 'font-size': 15, 'font-weight': 600 }),
    ...scales.map(({ measure, scale }, at) => written(heading(measure, scale), left(at), TOP - 14, 'soft', { 'font-size': 15, 'font-weight': 600 })),
    ...rows.flatMap((row, at) => line(row, judge(row, least, players), scales, TOP + at * ROW)),
    written(legend(rows, players).join(' '), EDGE, height - 18, 'soft', { 'font-size': 13 })
  );
}

/** The left end and the maximum length of a measure's bars. @param {number} at */
const left = (at) => EDGE + NAMES + at * span();
const span = () => (WIDTH - 2 * EDGE - NAMES) / MEASURES.length;
const longest = () => span() - VALUE - 24;

/** @param {Row} row @param {Judged} judged @param {{measure: Measure, scale: Scale}[]} scales @param {number} y @returns {SVGElement[]} */
function line({ method, report }, { result, judged, kind }, scales, y) {
  const name = [
    written(method.name, EDGE, y + 15, 'ink', { 'font-size': 16, 'font-weight': 600 }),
    written([result, judged].filter(Boolean).join(' · '), EDGE, y + 33, kind === 'bad' ? 'bad' : 'soft', { 'font-size': 13 }),
  ];
  if (!report) return name;
  const bars = scales.flatMap(({ measure, scale }, at) => {
    const value = measure.value(report.stats);
    const long = Math.max(value > 0 ? 2 : 0, longest() * scale.share(value));
    /** @type {Record<string, string>} */
    const paint = kind === 'bad' ? { fill: 'url(#hatch)' } : kind === 'unsure' ? { class: 'pale', fill: DAY.pale } : { class: 'good', fill: DAY.good };
    const box = { x: left(at), y: y + 6, height: BAR, rx: 4 };
    return [
      s('rect', { ...box, width: longest(), class: 'track', fill: DAY.track }),
      s('rect', { ...box, width: long, ...paint }),
      written(measure.text(value), left(at) + longest() + 8, y + 20, 'ink', { 'font-size': 15 }),
    ];
  });
  return [...name, ...bars];
}

/** A row in words, for screen readers. @param {Row} row @param {Judged} judged */
function sentence({ method, report }, { result, judged }) {
  const values = report ? MEASURES.map(({ name, value, text }) => `${name} ${text(value(report.stats))}`) : [];
  return `${method.name}: ${[result, judged, ...values].filter(Boolean).join(', ')}.`;
}
