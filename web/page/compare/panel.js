// The Compare panel: runs methods one after another and shows their results side by side.

/** @typedef {Pick<import('../frame/view.js').GameView, 'about' | 'boardName' | 'boardWords' | 'copyLink' | 'game' | 'moves' | 'position' | 'where' | 'writeAddress'>} Host the members of the view that this module uses */
/** @import { Method } from '../engine/api.js' */
/** @import { Row } from './rows.js' */
import * as api from '../engine/api.js';
import { h, fill, counted } from '../dom.js';
import { save, saveSvg } from '../download.js';
import { chart, csv } from './files.js';
import { Race } from './race.js';
import { glossary, notes, table } from './table.js';

/** Number of methods selected by default, and the choices for the total time in seconds. */
const FIRST = 6;
const SECONDS = [5, 15, 60, 300];
/** Minimum time for a method, in seconds. */
const LEAST_SECONDS = 0.1;

export class ComparePanel {
  /** @param {Host} view @param {HTMLElement} panel */
  constructor(view, panel) {
    this.view = view;
    this.running = new AbortController();
    this.busy = false;
    /** @type {Method[]} */
    this.known = [];
    /** @type {Row[]} The results. */
    this.rows = [];
    /** @type {string[]} The methods that were run. */
    this.ran = [];
    /** The moves made before the compared position. */
    this.at = '';
    this.methods = h('fieldset', { class: 'methods' });
    this.words = h('details', null);
    this.seconds = h('select', { id: 'compare-seconds' }, SECONDS.map((seconds) => h('option', { value: String(seconds) }, `${seconds} s in total`)));
    this.go = h('button', { type: 'button', class: 'primary go', onclick: () => (this.busy ? this.stop() : this.run()) }, 'Run');
    this.status = h('p', { class: 'soft', role: 'status' });
    this.result = h('div', { class: 'comparison' });
    // On a phone the results take the place of the methods.
    this.others = h('button', { type: 'button', class: 'others gone', onclick: () => this.put(false) }, 'Methods');
    const start = h('div', { class: 'field row' }, h('label', { for: 'compare-seconds' }, 'Time'), this.seconds, this.go, this.others, this.status);
    this.race = new Race(view);
    this.panel = panel;
    fill(panel, start, this.methods, this.words, this.race.element, this.result);
  }

  /** Called when the board has changed. */
  reset() {
    this.stop();
    this.race.reset();
    this.rows = [];
    this.ran = [];
    this.at = this.view.moves.join('\n');
    this.put(false);
    fill(this.status);
    fill(this.result);
  }

  /** Called when the position may have changed. */
  refresh() {
    if (this.at !== this.view.moves.join('\n')) this.reset();
    this.list(this.view.position?.methods ?? []);
  }

  /** @param {Method[]} methods */
  list(methods) {
    const names = (/** @type {Method[]} */ list) => list.map((method) => method.name).join();
    const same = names(methods) === names(this.known);
    this.known = methods;
    if (same) return;
    this.race.list(methods);
    const isUnsure = (/** @type {Method} */ { optimal, promise }) => promise !== null && !optimal;
    const box = (/** @type {Method} */ method, /** @type {number} */ at) =>
      h(
        'label',
        { class: 'check', title: method.about },
        h('input', { type: 'checkbox', value: method.name, checked: at < FIRST && !method.course }),
        method.name,
        isUnsure(method) && h('span', { class: 'soft', title: 'may miss the best plan' }, ' ≈')
      );
    fill(this.methods, h('legend', null, 'Methods ', methods.some(isUnsure) && h('span', { class: 'soft' }, '(≈ may miss the best plan)')), ...methods.map(box));
    fill(this.words, h('summary', null, 'What the methods do'), glossary(methods));
  }

  stop() {
    this.running.abort();
  }

  /** The comparison shown, for the address. */
  sight() {
    const race = this.race.sight();
    if (race) return race;
    return this.ran.length === 0 ? {} : { methods: this.ran.join(), seconds: this.seconds.value };
  }

  /** @param {import('../state/address.js').Sight} sight */
  restore({ methods, seconds, method, second }) {
    this.race.restore({ method, second });
    const names = methods?.split(',') ?? [];
    if (SECONDS.includes(Number(seconds))) this.seconds.value = seconds ?? '';
    if (!this.known.some(({ name }) => names.includes(name))) return;
    for (const input of this.methods.querySelectorAll('input')) input.checked = names.includes(input.value);
    this.run();
  }

  /** Runs the chosen methods one after another; each gets an equal share of the remaining time. */
  async run() {
    const names = [...this.methods.querySelectorAll('input')].filter((input) => input.checked).map((input) => input.value);
    const chosen = this.known.filter(({ name }) => names.includes(name));
    if (chosen.length === 0) return fill(this.status, 'Choose at least one method.');
    const running = (this.running = new AbortController());
    /** @type {Row[]} */
    const rows = (this.rows = []);
    const [board, end] = [this.view.where(), performance.now() + 1000 * Number(this.seconds.value)];
    fill(this.result);
    this.put(true);
    this.setBusy(true);
    this.ran = chosen.map(({ name }) => name);
    this.race.reset();
    this.view.writeAddress();
    for (const method of chosen) {
      fill(this.status, `Running ${method.name}, ${rows.length + 1} of ${chosen.length}…`);
      const seconds = Math.max(LEAST_SECONDS, (end - performance.now()) / 1000 / (chosen.length - rows.length));
      const row = await this.solve(method, { ...board, method: method.name, seconds }, running.signal);
      if (running.signal.aborted) break;
      rows.push(row);
      this.present();
    }
    this.setBusy(false);
    // A new board has been loaded, which cleared everything.
    if (this.rows !== rows) return;
    const missing = chosen.slice(rows.length).map(({ name }) => name);
    fill(this.status, missing.length === 0 ? `${counted(rows.length, 'method')} compared.` : `Stopped. Not finished: ${missing.join(', ')}.`);
  }

  /** @param {Method} method @param {api.Board & {method: string, seconds: number}} task @param {AbortSignal} signal @returns {Promise<Row>} */
  async solve(method, task, signal) {
    try {
      const { report } = await api.solve(this.view.game, task, () => {}, signal);
      return { method, report, error: '' };
    } catch (error) {
      return { method, report: null, error: api.problem(error).message };
    }
  }

  /** Shows the results in place of the methods, or the methods again. @param {boolean} isRun */
  put(isRun) {
    this.panel.classList.toggle('run', isRun);
    this.others.classList.toggle('gone', !isRun);
  }

  /** @param {boolean} busy */
  setBusy(busy) {
    this.busy = busy;
    this.go.textContent = busy ? 'Stop' : 'Run';
    this.go.classList.toggle('primary', !busy);
  }

  /** Shows the results so far. */
  present() {
    const { rows, view } = this;
    const { players } = view.about;
    const name = `${view.boardName}${view.moves.length > 0 ? `-move-${view.moves.length}` : ''}-compare`;
    const board = `Board: ${view.boardWords}${view.moves.length > 0 ? `, after ${counted(view.moves.length, 'move')}` : ''}`;
    const button = (/** @type {string} */ label, /** @type {() => void} */ act) => h('button', { type: 'button', onclick: act }, label);
    const files = [
      button('Download CSV', () => save(`${name}.csv`, csv(rows), 'text/csv')),
      button('Download SVG', () => saveSvg(`${name}.svg`, chart(view.game, board, rows, players))),
    ];
    fill(this.result, table(rows, players), h('ul', { class: 'notes' }, notes(rows, players).map((note) => h('li', null, note))), h('div', { class: 'controls', role: 'group', 'aria-label': 'Download the comparison' }, files));
  }
}
