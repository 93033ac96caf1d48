// Methods side by side: a table, and how many states each expanded, on a logarithmic scale.

/** @import { GameView } from './game.js' */
import * as api from './api.js';
import { h, fill, grouped, size, duration, capital } from './dom.js';

/** Methods that are chosen at first: enough to compare, few enough to wait for. */
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
      h('label', { class: 'check', title: method.about }, h('input', { type: 'checkbox', value: method.name, checked: at < FIRST && !method.course }), method.name, method.optimal ? null : h('span', { class: 'soft', title: 'may cost more than needed' }, ' ≈'));
    fill(this.methods, h('legend', null, 'Methods ', h('span', { class: 'soft' }, '(≈ may cost more than needed)')), ...methods.map(box));
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
    /** @type {{name: string, report: any, error: string}[]} */
    const rows = [];
    const board = this.view.where();
    for (const name of chosen) {
      this.show(rows, name);
      try {
        const { report } = await api.solve(this.view.game, { ...board, method: name, seconds: Number(this.seconds.value) }, () => {}, running.signal);
        rows.push({ name, report, error: '' });
      } catch (error) {
        if (running.signal.aborted) break;
        rows.push({ name, report: null, error: error instanceof Error ? error.message : String(error) });
      }
    }
    this.busy = false;
    this.go.textContent = 'Run';
    if (rows.length > 0) this.show(rows, null);
    else fill(this.result);
  }

  /** @param {{name: string, report: any, error: string}[]} rows @param {string | null} next */
  show(rows, next) {
    const costs = rows.flatMap(({ report }) => (report?.verdict === 'solved' && report.cost !== undefined ? [report.cost] : []));
    const proved = rows.find(({ report }) => report?.verdict === 'solved' && report.optimal)?.report.cost;
    const least = proved ?? Math.min(...costs);
    const most = Math.max(1, ...rows.map(({ report }) => report?.stats.expanded ?? 0));
    const judged = (/** @type {any} */ report) => {
      if (report.verdict === 'unsolvable') return ['none', 'no solution', ''];
      if (report.winner !== undefined) return [`player ${report.winner}`, 'decided', 'good'];
      if (report.verdict === 'unknown') return [`≥ ${grouped(report.lower)}`, `gave up: ${report.limit}`, 'unsure'];
      if (report.optimal) return [grouped(report.cost), 'yes, proved', 'good'];
      if (report.cost > least) return [grouped(report.cost), `no, ${grouped(report.cost - least)} too much`, 'bad'];
      return [grouped(report.cost), 'not proved by it', 'unsure'];
    };
    const table = h(
      'table',
      null,
      h('thead', null, h('tr', null, ['method', 'cost', 'least?', 'expanded', 'generated', 'memory', 'time'].map((title) => h('th', { scope: 'col' }, title)))),
      h(
        'tbody',
        null,
        rows.map(({ name, report, error }) => {
          if (!report) return h('tr', null, h('th', { scope: 'row' }, name), h('td', { colspan: '6' }, capital(error)));
          const [cost, optimal, kind] = judged(report);
          const { expanded, generated, peak_bytes, seconds } = report.stats;
          return h('tr', { class: kind }, h('th', { scope: 'row' }, name), h('td', null, cost), h('td', { class: 'judged' }, optimal), h('td', null, grouped(expanded)), h('td', null, grouped(generated)), h('td', null, size(peak_bytes)), h('td', null, duration(seconds)));
        })
      )
    );
    const bars = rows
      .filter(({ report }) => report)
      .map(({ name, report }) => {
        const [, optimal, kind] = judged(report);
        const more = kind === 'bad' ? ` (+${grouped(report.cost - least)})` : '';
        const bar = h('span', { class: `fillbar ${kind}` });
        bar.style.width = `${(100 * Math.log10(1 + report.stats.expanded)) / Math.log10(1 + most)}%`;
        return h('div', { class: 'barrow', title: optimal }, h('span', { class: 'barname' }, name), h('span', { class: 'track' }, bar), h('span', { class: 'barvalue' }, grouped(report.stats.expanded), more));
      });
    fill(
      this.result,
      rows.length > 0 && h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Comparison' }, table),
      bars.length > 0 && h('figure', { class: 'chart' }, h('figcaption', null, 'States expanded, on a logarithmic scale; hatched: costs more than needed, by so much'), ...bars),
      next && h('p', { class: 'soft', role: 'status' }, `Running ${next} …`)
    );
  }
}
