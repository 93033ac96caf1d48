// The Compare panel: methods side by side in a table, and the states that each expanded on a logarithmic scale.

/** @import { GameView } from './game.js' */
import * as api from './api.js';
import { h, fill, grouped, size, duration } from './dom.js';
import { inTable } from './verdict.js';

/**
 * @typedef {{name: string, report: any, error: string}} Row a method, and its report or why there is none
 * @typedef {{cost: number, proved: boolean}} Least
 */

/** How many methods are selected at first: enough to compare, few enough to wait for. */
const FIRST = 6;

export class ComparePanel {
  /** @param {GameView} view @param {HTMLElement} panel */
  constructor(view, panel) {
    this.view = view;
    this.running = new AbortController();
    this.busy = false;
    this.names = '';
    this.methods = h('fieldset', { class: 'methods' });
    this.seconds = h('select', { id: 'compare-seconds' }, [1, 5, 10, 60].map((seconds) => h('option', { value: String(seconds), selected: seconds === 5 }, `${seconds} s each`)));
    this.go = h('button', { type: 'button', class: 'primary', onclick: () => (this.busy ? this.stop() : this.run()) }, 'Run');
    this.result = h('div', { class: 'comparison', 'aria-live': 'polite' });
    fill(panel, this.methods, h('div', { class: 'field row' }, h('label', { for: 'compare-seconds' }, 'Time'), this.seconds, this.go), this.result);
  }

  reset() {
    this.stop();
    fill(this.result);
  }

  refresh() {
    const methods = this.view.position?.methods ?? [];
    const names = methods.map((method) => method.name).join();
    if (this.names === names) return;
    this.names = names;
    const box = (/** @type {api.Method} */ method, /** @type {number} */ at) =>
      h('label', { class: 'check', title: method.about }, h('input', { type: 'checkbox', value: method.name, checked: at < FIRST && !method.course }), method.name, method.optimal ? null : h('span', { class: 'soft', title: 'may not be optimal' }, ' ≈'));
    fill(this.methods, h('legend', null, 'Methods ', h('span', { class: 'soft' }, '(≈ may not be optimal)')), ...methods.map(box));
  }

  stop() {
    this.running.abort();
  }

  async run() {
    const running = (this.running = new AbortController());
    const chosen = [...this.methods.querySelectorAll('input')].filter((input) => input.checked).map((input) => input.value);
    if (chosen.length === 0) return fill(this.result, h('p', { class: 'message bad' }, 'Choose at least one method.'));
    this.busy = true;
    this.go.textContent = 'Stop';
    /** @type {Row[]} */
    const rows = [];
    const board = this.view.where();
    for (const name of chosen) {
      this.show(rows, name);
      try {
        const { report } = await api.solve(this.view.game, { ...board, method: name, seconds: Number(this.seconds.value) }, () => {}, running.signal);
        rows.push({ name, report, error: '' });
      } catch (error) {
        if (running.signal.aborted) break;
        rows.push({ name, report: null, error: api.problem(error).message });
      }
    }
    this.busy = false;
    this.go.textContent = 'Run';
    if (rows.length > 0) this.show(rows, null);
    else fill(this.result);
  }

  /** @param {Row[]} rows @param {string | null} next the method that is running */
  show(rows, next) {
    const least = leastCost(rows);
    fill(
      this.result,
      rows.length > 0 && h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Comparison' }, table(rows, least)),
      rows.some(({ report }) => report) && chart(rows, least),
      next && h('p', { class: 'soft', role: 'status' }, `Running ${next}…`)
    );
  }
}

/** The proved optimum, or else the least cost found. @param {Row[]} rows @returns {Least} */
function leastCost(rows) {
  const solved = rows.flatMap(({ report }) => (report?.verdict === 'solved' && report.cost !== undefined ? [report] : []));
  const proved = solved.find((report) => report.optimal);
  return proved ? { cost: proved.cost, proved: true } : { cost: Math.min(...solved.map((report) => report.cost)), proved: false };
}

/** @param {Row[]} rows @param {Least} least */
function table(rows, least) {
  const titles = ['method', 'result', 'optimal?', 'expanded', 'generated', 'memory', 'time'];
  const line = (/** @type {Row} */ { name, report, error }) => {
    const method = h('th', { scope: 'row' }, name);
    if (!report) return h('tr', null, method, h('td', { colspan: '6' }, error));
    const [result, optimal, kind] = inTable(report, least);
    const { expanded, generated, peak_bytes, seconds } = report.stats;
    const numbers = [grouped(expanded), grouped(generated), size(peak_bytes), duration(seconds)];
    return h('tr', { class: kind }, method, h('td', null, result), h('td', { class: 'judged' }, optimal), numbers.map((number) => h('td', null, number)));
  };
  return h('table', null, h('thead', null, h('tr', null, titles.map((title) => h('th', { scope: 'col' }, title)))), h('tbody', null, rows.map(line)));
}

/** @param {Row[]} rows @param {Least} least */
function chart(rows, least) {
  const most = Math.max(1, ...rows.map(({ report }) => report?.stats.expanded ?? 0));
  const bars = rows
    .filter(({ report }) => report)
    .map(({ name, report }) => {
      const [, optimal, kind] = inTable(report, least);
      const { expanded } = report.stats;
      const more = kind === 'bad' ? ` (+${grouped(report.cost - least.cost)})` : '';
      const bar = h('span', { class: `fillbar ${kind}` });
      bar.style.width = `${(100 * Math.log10(1 + expanded)) / Math.log10(1 + most)}%`;
      return h('div', { class: 'barrow', title: optimal }, h('span', { class: 'barname' }, name), h('span', { class: 'track' }, bar), h('span', { class: 'barvalue' }, grouped(expanded), more));
    });
  const caption = 'States expanded, on a logarithmic scale. Hatched: the cost is higher than it could be, by the number in parentheses.';
  return h('figure', { class: 'chart' }, h('figcaption', null, caption), bars);
}
