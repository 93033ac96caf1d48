// The results of a comparison as data: one row per method, the least known cost, and the scales of the bars. The table, the drawing and the
// CSV file are built from this data.

/** @import { Method } from '../engine/api.js' */
import { grouped, size, duration } from '../dom.js';
import { inTable } from '../frame/verdict.js';

/**
 * @typedef {{method: Method, report: any, error: string}} Row a method, and its report or error
 * @typedef {{cost: number, proved: boolean}} Least
 * @typedef {{result: string, judged: string, kind: string}} Judged
 * @typedef {{name: string, value: (stats: any) => number, text: (value: number) => string}} Measure
 * @typedef {{about: string, isLog: boolean, share: (value: number) => number}} Scale `share` is the length of a bar, from 0 to 1
 */

/** The measures with bars. @type {Measure[]} */
export const MEASURES = [
  { name: 'expanded', value: (stats) => stats.expanded, text: grouped },
  { name: 'memory', value: (stats) => stats.peak_bytes, text: size },
  { name: 'time', value: (stats) => stats.seconds, text: duration },
];

/** Beyond this ratio of the largest value to the smallest, a linear bar would be too short to see. */
const LINEAR = 50;

/** The proved optimum, or else the least cost found. @param {Row[]} rows @returns {Least} */
export function leastCost(rows) {
  const solved = rows.flatMap(({ report }) => (report?.verdict === 'solved' && report.cost !== undefined ? [report] : []));
  const proved = solved.find((report) => report.optimal);
  return proved ? { cost: proved.cost, proved: true } : { cost: Math.min(...solved.map((report) => report.cost)), proved: false };
}

/** @param {Row} row @param {Least} least @param {number} players @returns {Judged} */
export function judge({ method, report, error }, least, players) {
  if (!report) return { result: '', judged: error, kind: 'unsure' };
  const [result, judged, kind] = inTable(report, least, method.optimal, players);
  return { result, judged, kind };
}

/** The titles of the two columns after the method. @param {number} players @returns {[result: string, judged: string]} */
export const titles = (players) => (players === 2 ? ['winner', 'outcome'] : ['cost', 'least cost?']);

/** True if the cost was proved least although the method does not guarantee that. @param {Row} row */
export const isLucky = ({ method, report }) => report?.optimal === true && !method.optimal;

/** True if a limit stopped the method. @param {Row} row */
export const isCutOff = ({ report }) => report?.verdict === 'unknown';

/** The scale of a measure over all rows: linear from zero, or logarithmic between powers of ten. @param {Measure} measure @param {Row[]} rows @returns {Scale} */
export function scaleOf({ value, text }, rows) {
  const values = rows.flatMap(({ report }) => (report ? [value(report.stats)] : [])).filter((value) => value > 0);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (values.length === 0 || most / least <= LINEAR) return { about: 'linear', isLog: false, share: (value) => (values.length === 0 ? 0 : value / most) };
  // The scale begins at half the smallest value or below, so that the bar of that value is still visible.
  const [from, to] = [Math.floor(Math.log10(least / 2)), Math.ceil(Math.log10(most))];
  const share = (/** @type {number} */ value) => (value <= 0 ? 0 : (Math.log10(value) - from) / (to - from));
  return { about: `logarithmic, ${text(10 ** from)} to ${text(10 ** to)}`, isLog: true, share };
}

/** The title above a measure's bars. @param {Measure} measure @param {Scale} scale */
export const heading = ({ name }, scale) => (scale.isLog ? `${name} (log\u00a0scale)` : name);

/** The meaning of the bars, one sentence each. @param {Row[]} rows @param {number} players @returns {string[]} */
export function legend(rows, players) {
  const least = leastCost(rows);
  const kinds = rows.map((row) => judge(row, least, players).kind);
  return [
    `Bars: ${MEASURES.map((measure) => `${measure.name} ${scaleOf(measure, rows).about}`).join('; ')}.`,
    kinds.includes('bad') ? 'Hatched bars: not the least cost.' : '',
    kinds.includes('unsure') ? (players === 2 ? 'Pale bars: stopped.' : 'Pale bars: stopped, or not proved to be the least cost.') : '',
  ].filter(Boolean);
}
