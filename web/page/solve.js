// Solving: a method, how far it has come, the answer, and the plan as a film.

/** @import { GameView } from './game.js' */
import * as api from './api.js';
import { h, fill, rich, grouped, counted, size, duration, capital } from './dom.js';

const SPEEDS = [0.5, 1, 2, 4, 8];

export class SolvePanel {
  /** @param {GameView} view @param {HTMLElement} panel */
  constructor(view, panel) {
    this.view = view;
    this.running = new AbortController();
    this.busy = false;
    this.names = '';
    /** @type {string[]} */
    this.plan = [];
    /** @type {string[]} The moves before the plan. */
    this.before = [];
    this.step = 0;
    this.timer = 0;
    this.playing = false;
    this.method = h('select', { id: 'solve-method' });
    this.go = h('button', { type: 'button', class: 'primary', onclick: () => (this.busy ? this.stop() : this.solve()) }, 'Solve');
    this.progress = h('div', { class: 'progress', role: 'status' });
    this.answer = h('div', { class: 'answer', 'aria-live': 'polite' });
    this.slider = h('input', { type: 'range', min: '0', max: '0', value: '0', 'aria-label': 'Step of the plan', oninput: () => this.seek(Number(this.slider.value)) });
    this.caption = h('p', { class: 'caption' });
    this.playButton = h('button', { type: 'button', class: 'primary', onclick: () => (this.playing ? this.pause() : this.play()) }, 'Play');
    this.speed = h('select', { 'aria-label': 'Speed' }, SPEEDS.map((speed) => h('option', { value: String(speed), selected: speed === 1 }, `${speed} ×`)));
    this.film = h(
      'div',
      { class: 'film', hidden: true },
      this.caption,
      this.slider,
      h(
        'div',
        { class: 'controls' },
        h('button', { type: 'button', 'aria-label': 'To the start', onclick: () => this.seek(0) }, '|◀'),
        h('button', { type: 'button', 'aria-label': 'One step back', onclick: () => this.seek(this.step - 1) }, '◀'),
        this.playButton,
        h('button', { type: 'button', 'aria-label': 'One step on', onclick: () => this.seek(this.step + 1) }, '▶'),
        h('button', { type: 'button', 'aria-label': 'To the end', onclick: () => this.seek(this.plan.length) }, '▶|'),
        this.speed
      ),
      h('div', { class: 'controls' }, h('button', { type: 'button', onclick: () => this.take() }, 'Continue from here'), h('button', { type: 'button', onclick: () => this.drop() }, 'Back to my game'))
    );
    this.list = h('ol', { class: 'made plan' });
    fill(panel, h('div', { class: 'field row' }, h('label', { for: 'solve-method' }, 'Method'), this.method, this.go), this.progress, this.answer, this.film, this.list);
  }

  /** The board has changed. */
  reset() {
    this.stop();
    this.forget();
  }

  forget() {
    this.pause();
    this.plan = [];
    this.film.hidden = true;
    fill(this.answer);
    fill(this.progress);
    fill(this.list);
  }

  /** The position has changed: what is shown may be about another one. */
  refresh() {
    const methods = this.view.position?.methods ?? [];
    const names = methods.map((method) => method.name).join();
    if (this.names !== names) {
      this.names = names;
      const chosen = this.method.value;
      fill(this.method, ...methods.map((method, at) => h('option', { value: method.name, title: method.about }, at === 0 ? `${method.name} (best)` : method.name)));
      if (methods.some((method) => method.name === chosen)) this.method.value = chosen;
    }
    if (this.plan.length > 0 && this.before.join('\n') !== this.view.moves.join('\n')) this.forget();
  }

  async solve() {
    this.forget();
    this.view.back();
    const running = (this.running = new AbortController());
    this.busy = true;
    this.go.textContent = 'Stop';
    this.go.classList.remove('primary');
    this.before = this.view.moves;
    /** @type {api.Progress | null} */
    let last = null;
    fill(this.progress, h('div', { class: 'bar' }), 'Starting …');
    const tell = (/** @type {api.Progress} */ progress) => {
      last = progress;
      const best = progress.upper === null ? '' : `, best found ${grouped(progress.upper)}`;
      fill(
        this.progress,
        h('div', { class: 'bar' }),
        `${grouped(progress.expanded)} states, ${grouped(progress.open)} waiting, ${size(progress.bytes)}, cost at least ${grouped(progress.lower)}${best}, ${duration(progress.seconds)}`
      );
    };
    try {
      const solved = await api.solve(this.view.game, { ...this.view.where(), method: this.method.value || undefined }, tell, running.signal);
      fill(this.progress);
      this.present(solved);
    } catch (error) {
      fill(this.progress);
      if (!running.signal.aborted) {
        const help = error instanceof api.Refusal ? error.help : '';
        fill(this.answer, h('p', { class: 'verdict bad' }, capital(error instanceof Error ? error.message : String(error))), help && h('p', { class: 'soft' }, help));
      } else {
        const known = /** @type {api.Progress | null} */ (last);
        const told = known ? ` ${counted(known.expanded, 'state')} were looked at; every plan costs at least ${grouped(known.lower)}.` : '';
        fill(this.answer, h('p', { class: 'verdict' }, 'Stopped.'), h('p', { class: 'soft' }, told));
      }
    }
    this.busy = false;
    this.go.textContent = 'Solve';
    this.go.classList.add('primary');
  }

  stop() {
    this.running.abort();
  }

  /** @param {api.Solved} solved */
  present({ report, plan, best, remark }) {
    const stats = report.stats;
    const known = ['game', 'method', 'verdict', 'verified', 'stats', 'cost', 'optimal', 'lower', 'moves', 'why', 'limit', 'upper', 'best', 'all_best', 'winner', 'outcome', 'plans'];
    const facts = Object.entries(report).filter(([key, value]) => !known.includes(key) && value !== null && typeof value !== 'object');
    /** @type {[string, string]} */
    let [kind, text] = ['', ''];
    if (report.winner !== undefined) [kind, text] = ['good', `Player ${report.winner} has a winning strategy.`];
    else if (report.verdict === 'solved') {
      kind = 'good';
      text = report.optimal ? `Solved at a cost of ${grouped(report.cost)}, the least possible.` : `Solved at a cost of ${grouped(report.cost)}; the least possible is at least ${grouped(report.lower)}.`;
    } else if (report.verdict === 'unsolvable') [kind, text] = ['bad', 'Proved: there is no solution.'];
    else text = `Not decided: the ${report.limit} limit was reached. Every plan costs at least ${grouped(report.lower)}${report.upper === null || report.upper === undefined ? '' : `; the best one found costs ${grouped(report.upper)}`}.`;
    const checked = report.verified ? (plan.length > 0 ? 'Replayed and correct. ' : 'Checked. ') : '';
    fill(
      this.answer,
      h('p', { class: `verdict ${kind}` }, text),
      remark && h('p', null, rich(remark.text)),
      report.winner !== undefined && h('p', null, best.length === 0 ? 'No move wins from here.' : `Winning moves: ${best.slice(0, 40).join(', ')}${best.length > 40 ? ' …' : ''}.`),
      report.why?.kind === 'exhausted' && h('p', null, `Everything that can be reached was looked at: ${counted(report.why.states, 'state')}.`),
      facts.length > 0 && h('dl', { class: 'facts' }, facts.flatMap(([key, value]) => [h('dt', null, key), h('dd', null, String(value))])),
      h('p', { class: 'soft' }, `${checked}By ${report.method}: ${counted(stats.expanded, 'state')} expanded, ${grouped(stats.generated)} generated, ${size(stats.peak_bytes)}, ${duration(stats.seconds)}.`)
    );
    if (remark) this.view.showRemark(remark, 'There is no solution. ');
    this.plan = plan;
    this.film.hidden = plan.length === 0;
    if (plan.length === 0) return;
    this.slider.max = String(plan.length);
    fill(this.list, ...plan.map((text, at) => h('li', null, h('button', { type: 'button', class: 'quiet', onclick: () => this.seek(at + 1) }, text))));
    this.show(0);
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) this.play();
  }

  /** Goes to a step by hand: the film waits. @param {number} step */
  seek(step) {
    this.pause();
    return this.show(step);
  }

  /** @param {number} step */
  async show(step) {
    if (this.plan.length === 0) return;
    this.step = Math.max(0, Math.min(step, this.plan.length));
    const at = this.step;
    this.slider.value = String(at);
    const text = at === 0 ? 'The start' : `${at} of ${this.plan.length}: ${this.plan[at - 1]}`;
    fill(this.caption, text);
    this.slider.setAttribute('aria-valuetext', text);
    for (const [number, row] of [...this.list.children].entries()) row.classList.toggle('now', number === at - 1);
    const before = await this.clicks(at - 1);
    if (this.step === at && this.plan.length > 0) await this.view.preview([...this.before, ...this.plan.slice(0, at)], before);
  }

  /** What was clicked for a move of the plan. @param {number} at */
  async clicks(at) {
    if (at < 0) return [];
    const position = await api.position(this.view.game, this.view.where([...this.before, ...this.plan.slice(0, at)]));
    return position.scene.moves.find((gesture) => gesture.text === this.plan[at])?.clicks ?? [];
  }

  play() {
    if (this.step >= this.plan.length) this.show(0);
    this.playing = true;
    this.playButton.textContent = 'Pause';
    const tick = async () => {
      if (!this.playing) return;
      await this.show(this.step + 1).catch(() => this.pause());
      if (this.step >= this.plan.length) this.pause();
      if (this.playing) this.timer = setTimeout(tick, 700 / Number(this.speed.value));
    };
    this.timer = setTimeout(tick, 700 / Number(this.speed.value));
  }

  pause() {
    clearTimeout(this.timer);
    this.playing = false;
    this.playButton.textContent = 'Play';
  }

  /** Makes the moves up to the step that is shown. */
  take() {
    this.pause();
    const moves = [...this.before, ...this.plan.slice(0, this.step)];
    this.view.go(moves, this.plan.slice(this.step), []);
  }

  drop() {
    this.pause();
    this.view.back();
  }
}
