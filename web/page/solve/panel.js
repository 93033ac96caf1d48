// The Solve panel: a method, its progress, and the answer.

/** @typedef {Pick<import('../frame/view.js').GameView, 'about' | 'advice' | 'back' | 'game' | 'moves' | 'position' | 'proof' | 'where' | 'writeAddress'> & import('./film.js').Host & import('./install-offer.js').Host} Host the members of the view that this module uses */
import * as api from '../engine/api.js';
import { h, fill, rich, grouped, counted, size, duration } from '../dom.js';
import { InstallOffer } from './install-offer.js';
import { Film } from './film.js';
import { inAnswer, inCheck, inDetail } from '../frame/verdict.js';

/** Report fields that are shown as text. All other fields are game-specific and listed unchanged. */
const KNOWN = ['game', 'method', 'verdict', 'verified', 'stats', 'cost', 'optimal', 'lower', 'moves', 'why', 'limit', 'upper', 'best', 'all_best', 'winner', 'outcome', 'plans', 'proof', 'proved_by', 'branching', 'confirmed'];
/** The names of facts that need more than the program's word. @type {Record<string, string>} */
const NAMES = { grundy: 'Grundy value' };

export class SolvePanel {
  /** @param {Host} view @param {HTMLElement} panel */
  constructor(view, panel) {
    this.view = view;
    this.running = new AbortController();
    this.busy = false;
    this.names = '';
    /** The method of the answer shown, or empty. */
    this.answered = '';
    /** @type {import('../state/address.js').Sight} The answer to recompute, from the address. */
    this.wanted = {};
    this.film = new Film(view);
    this.installOffer = new InstallOffer(view);
    this.method = h('select', { id: 'solve-method' });
    this.go = h('button', { type: 'button', class: 'primary go', onclick: () => (this.busy ? this.stop() : this.solve()) }, 'Solve');
    this.progress = h('div', { class: 'progress', role: 'status' });
    this.answer = h('div', { class: 'answer', 'aria-live': 'polite' });
    const choice = h('div', { class: 'field row' }, h('label', { for: 'solve-method' }, 'Method'), this.method, this.go);
    fill(panel, choice, this.progress, this.answer, this.installOffer.element, this.film.element, this.film.list);
  }

  /** Called when the board has changed. */
  reset() {
    this.wanted = {};
    this.stop();
    this.forget();
  }

  forget() {
    this.answered = '';
    this.film.close();
    this.installOffer.forget();
    fill(this.answer);
    fill(this.progress);
  }

  /** Called when the position may have changed. */
  refresh() {
    this.listMethods(this.view.position?.methods ?? []);
    if (!this.film.current) this.forget();
  }

  /** @param {api.Method[]} methods */
  listMethods(methods) {
    const names = methods.map((method) => method.name).join();
    if (this.names === names) return;
    this.names = names;
    // Boards differ in their default method, so only another choice is kept.
    const chosen = this.named;
    fill(this.method, ...methods.map((method, at) => h('option', { value: method.name, title: method.about }, at === 0 ? `${method.name} (default)` : method.name)));
    if (chosen && methods.some((method) => method.name === chosen)) this.method.value = chosen;
  }

  /** The chosen method, if it is not the default. If no method is named, the engine first looks for a short proof. */
  get named() {
    return this.method.selectedIndex > 0 ? this.method.value : undefined;
  }

  sight() {
    if (!this.answered) return this.wanted;
    return this.film.plan.length > 0 ? { method: this.answered, step: String(this.film.step) } : { method: this.answered };
  }

  /** @param {import('../state/address.js').Sight} sight */
  restore({ method = '', step }) {
    if (![...this.method.options].some(({ value }) => value === method)) return;
    this.method.value = method;
    this.wanted = { method, step };
    this.solve(step === undefined ? 0 : Number(step) || 0);
  }

  /** @param {number | null} [step] of the film, to show without playing */
  async solve(step = null) {
    const { view } = this;
    this.forget();
    view.back();
    const running = (this.running = new AbortController());
    this.setBusy(true);
    const before = view.moves;
    /** @type {api.Progress | null} */
    let last = null;
    fill(this.progress, h('div', { class: 'bar' }), 'Starting…');
    const onProgress = (/** @type {api.Progress} */ progress) => {
      this.showProgress((last = progress));
      this.installOffer.offer(this.method.value, progress.seconds);
    };
    try {
      const solved = await api.solve(view.game, { ...view.where(), method: this.named }, onProgress, running.signal);
      fill(this.progress);
      this.answered = this.method.value;
      this.wanted = {};
      this.present(solved, before, step);
      view.writeAddress();
    } catch (error) {
      fill(this.progress);
      if (running.signal.aborted) this.showStopped(last);
      else {
        this.showError(error);
        this.installOffer.offer(this.method.value);
      }
    }
    this.setBusy(false);
  }

  /** @param {boolean} busy */
  setBusy(busy) {
    this.busy = busy;
    this.go.textContent = busy ? 'Stop' : 'Solve';
    this.go.classList.toggle('primary', !busy);
  }

  stop() {
    this.running.abort();
  }

  pause() {
    this.film.pause();
  }

  /** @param {api.Progress} progress */
  showProgress({ expanded, open, bytes, lower, upper, seconds }) {
    const isDuel = this.view.about.players === 2;
    const bounds = isDuel ? [] : [`cost at least ${grouped(lower)}`, upper !== null && `best found ${grouped(upper)}`];
    const parts = [counted(expanded, isDuel ? 'position' : 'state'), !isDuel && `${grouped(open)} open`, size(bytes), ...bounds, duration(seconds)];
    fill(this.progress, h('div', { class: 'bar' }), parts.filter(Boolean).join(', '));
  }

  /** @param {api.Progress | null} last */
  showStopped(last) {
    const isDuel = this.view.about.players === 2;
    const known = !last ? '' : isDuel ? `${counted(last.expanded, 'position')} searched.` : `${counted(last.expanded, 'state')} searched; every plan costs at least ${grouped(last.lower)}.`;
    fill(this.answer, h('p', { class: 'verdict' }, 'Stopped.'), h('p', { class: 'soft' }, known));
  }

  /** @param {unknown} error */
  showError(error) {
    const { message, help } = api.problem(error);
    fill(this.answer, h('p', { class: 'verdict bad' }, message), help && h('p', { class: 'soft' }, help));
  }

  /** @param {api.Solved} solved @param {string[]} before the moves before the plan @param {number | null} step */
  present(solved, before, step) {
    const { report, plan, best, explanation } = solved;
    const { expanded, generated, peak_bytes, seconds } = report.stats;
    const facts = Object.entries(report).filter(([key, value]) => !KNOWN.includes(key) && value !== null && typeof value !== 'object');
    const [kind, text] = inAnswer(report);
    const checked = inCheck(report, plan.length > 0);
    fill(
      this.answer,
      h('p', { class: `verdict ${kind}` }, text),
      explanation && h('p', null, rich(explanation.text)),
      ...inDetail(report, best).map((sentence) => h('p', null, sentence)),
      facts.length > 0 && h('dl', { class: 'facts' }, facts.flatMap(([key, value]) => [h('dt', null, NAMES[key] ?? key), h('dd', null, String(value))])),
      h('p', { class: 'soft' }, `${checked}By ${report.method}: ${counted(expanded, 'state')} expanded, ${grouped(generated)} generated, ${size(peak_bytes)}, ${duration(seconds)}.`)
    );
    this.view.proof.learn(solved, before);
    // The text is already in the panel, so only the drawing is added to the board.
    if (explanation) this.view.advice.draw({ ...explanation, text: `This board cannot be solved. ${explanation.text}` }, true);
    if (report.verdict === 'unknown') this.installOffer.offer(this.method.value);
    this.film.open(before, plan, step);
  }
}
