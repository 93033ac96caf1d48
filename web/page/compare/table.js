// The comparison as shown on the page: notes, and a table with bars, which becomes a list of cards on a narrow screen.

/** @import { Method } from '../engine/api.js' */
/** @import { Judged, Measure, Row, Scale } from './rows.js' */
import { h, rich, grouped, duration } from '../dom.js';
import { MEASURES, heading, isCutOff, isLucky, judge, leastCost, legend, scaleOf, titles } from './rows.js';

/** A method's cost guarantee and memory use, in the library's words. @param {Method} method */
function facts({ optimal, promise, memory }) {
  const parts = [promise !== null && `least cost: ${promise} (${optimal ? 'guaranteed on this board' : 'may miss the best plan'})`, memory !== null && `keeps ${memory}`];
  return parts.filter(Boolean).join(' · ');
}

/** A list of all methods with their descriptions. @param {Method[]} methods */
export function glossary(methods) {
  const entry = (/** @type {Method} */ method) => [h('dt', null, method.name), h('dd', null, rich(method.about), h('span', { class: 'soft' }, facts(method)))];
  return h('dl', { class: 'glossary' }, methods.flatMap(entry));
}

/** @typedef {{name: string, text: (report: any) => string}} Extra a column without bars */

/** @param {string} name @param {(report: any) => number | null | undefined} count @returns {Extra} */
const counting = (name, count) => ({ name, text: (report) => (typeof count(report) === 'number' ? grouped(count(report) ?? 0) : '') });

/** The columns before and after the number of expanded states. @param {number} players @returns {[before: Extra[], after: Extra[]]} */
function extras(players) {
  const generated = counting('generated', ({ stats }) => stats.generated);
  if (players !== 2) return [[], [generated, { name: 'b*', text: ({ branching }) => branching?.toFixed(2) ?? '' }]];
  return [[counting('length', ({ length }) => length)], [generated, counting('cutoffs', ({ stats }) => stats.cutoffs), counting('table', ({ stats }) => stats.table)]];
}

/** @param {Row[]} rows @param {number} players */
export function table(rows, players) {
  const [found, judgment] = titles(players);
  const least = leastCost(rows);
  const scaled = MEASURES.map((measure) => ({ measure, scale: scaleOf(measure, rows) }));
  const [before, after] = extras(players);
  const names = (/** @type {Extra[]} */ extras) => extras.map(({ name }) => name);
  const columns = ['method', found, judgment, ...names(before), ...scaled.flatMap(({ measure, scale }) => [heading(measure, scale), ...(measure.name === 'expanded' ? names(after) : [])])];
  const cell = (/** @type {string} */ title, /** @type {string} */ kind, /** @type {any[]} */ ...content) => h('td', { role: 'cell', class: kind, 'data-title': title }, ...content);
  const line = (/** @type {Row} */ row) => {
    const { method, report } = row;
    const { result, judged, kind } = judge(row, least, players);
    const name = h('th', { scope: 'row', role: 'rowheader', title: method.about }, method.name, h('span', { class: 'about' }, rich(method.about)));
    if (!report) return h('tr', { role: 'row', class: kind }, name, h('td', { role: 'cell', class: 'judged', colspan: columns.length - 1 }, judged));
    const bars = scaled.map(({ measure, scale }) => cell(heading(measure, scale), 'measured', measure.text(measure.value(report.stats)), bar(measure, scale, report.stats, kind)));
    const [expanded, ...others] = bars;
    const more = (/** @type {Extra[]} */ extras) => extras.map(({ name, text }) => cell(name, '', text(report)));
    return h('tr', { role: 'row', class: kind }, name, cell(found, 'result', result), cell(judgment, 'judged', judged), more(before), expanded, more(after), others);
  };
  return h(
    'table',
    { role: 'table', class: 'compared', 'aria-label': 'Methods compared' },
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, columns.map((title) => h('th', { scope: 'col', role: 'columnheader', class: title === judgment ? 'judged' : null }, title)))),
    h('tbody', { role: 'rowgroup' }, rows.map(line))
  );
}

/** A bar with its value as text beside it. @param {Measure} measure @param {Scale} scale @param {any} stats @param {string} kind */
function bar(measure, scale, stats, kind) {
  const filled = h('span', { class: `fillbar ${kind}` });
  filled.style.width = `${100 * scale.share(measure.value(stats))}%`;
  return h('span', { class: 'track', 'aria-hidden': 'true' }, filled);
}

/** The notes below the table. @param {Row[]} rows @param {number} players @returns {string[]} */
export function notes(rows, players) {
  const lucky = rows.filter(isLucky).map(({ method }) => method.name);
  const cut = rows.filter(isCutOff).map(({ method, report }) => `${method.name} (${report.limit} limit, after ${duration(report.stats.seconds)})`);
  return [
    lucky.length > 0 ? `Lucky: ${lucky.join(', ')} may miss the best plan, but found it here, and a lower bound proves it.` : '',
    cut.length > 0 ? `Cut off: ${cut.join(', ')}. With more time or memory ${cut.length === 1 ? 'it' : 'they'} may find an answer.${players === 2 ? '' : ' “≥” marks a lower bound.'}` : '',
    ...legend(rows, players),
  ].filter(Boolean);
}
