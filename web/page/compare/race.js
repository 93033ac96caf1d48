// A race between two methods on one board: a vote, two bars that grow, and the result.

/** @typedef {Pick<import('../frame/view.js').GameView, 'copyLink' | 'game' | 'where' | 'writeAddress'>} Host the members of the view that this module uses */
/** @import { Method } from '../engine/api.js' */
/** @typedef {{name: string, count: number, end: any, fill: HTMLElement, label: HTMLElement}} Runner */
import * as api from '../engine/api.js';
import { counted, fill, grouped, h } from '../dom.js';

/** Time limit per method, and the duration of the animation if both methods are quick, in seconds. */
const SECONDS = 20;
const SHOW = 2.5;

export class Race {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    this.running = new AbortController();
    /** True if the race was run, or requested by the address. */
    this.isShown = false;
    const list = (/** @type {string} */ label) => h('select', { 'aria-label': label, onchange: () => this.reset() });
    this.first = list('First method in the race');
    this.second = list('Second method in the race');
    this.votes = h('div', { class: 'controls', role: 'group', 'aria-label': 'Your vote' });
    this.track = h('div', { class: 'lanes' });
    this.result = h('div', { class: 'controls', role: 'status' });
    this.element = h('details', { class: 'race' }, h('summary', null, 'Race two methods'), h('div', { class: 'field row' }, this.first, h('span', null, 'against'), this.second), this.votes, this.track, this.result);
  }

  /** @param {Method[]} methods */
  list(methods) {
    const searches = methods.filter(({ memory }) => memory !== null);
    const some = searches.length > 1 ? searches : methods;
    for (const select of [this.first, this.second]) fill(select, ...some.map(({ name }) => h('option', { value: name }, name)));
    // For two players, the methods of textbooks, which have orders of moves.
    const trees = some.filter(({ orders }) => orders.length > 0);
    const usual = some.find(({ name, optimal }) => optimal && name.includes(':')) ?? trees[0] ?? some[0];
    this.first.value = usual?.name ?? '';
    this.second.value = (trees[1] ?? some.find(({ name }) => name !== this.first.value))?.name ?? '';
    this.reset();
  }

  /** Asks for a vote. */
  reset() {
    this.running.abort();
    this.isShown = false;
    fill(this.track);
    fill(this.result);
    const vote = (/** @type {string} */ name) => h('button', { type: 'button', onclick: () => this.run(name) }, name);
    fill(this.votes, 'Which expands fewer states?', vote(this.first.value), vote(this.second.value), h('button', { type: 'button', class: 'quiet', onclick: () => this.run('') }, 'Just start'));
  }

  sight() {
    return this.isShown ? { method: this.first.value, second: this.second.value } : null;
  }

  /** Prepares the race from an address; it starts after the vote. @param {import('../state/address.js').Sight} sight */
  restore({ method, second }) {
    if (method === undefined || second === undefined) return;
    this.first.value = method;
    this.second.value = second;
    this.element.open = true;
    this.reset();
    this.isShown = true;
  }

  /** @param {string} vote */
  async run(vote) {
    const running = (this.running = new AbortController());
    const { view } = this;
    const runners = [this.first.value, this.second.value].map((name) => this.lane(name));
    this.isShown = true;
    view.writeAddress();
    fill(this.votes, vote ? `Your vote: ${vote}.` : 'No vote.', h('button', { type: 'button', onclick: () => this.reset() }, 'Again'));
    fill(this.result);
    fill(this.track, ...runners.map(({ name, fill: bar, label }) => h('div', { class: 'lane' }, h('span', null, name), h('span', { class: 'track' }, bar), label)));
    const board = view.where();
    for (const runner of runners) {
      const onProgress = (/** @type {api.Progress} */ { expanded }) => (runner.count = expanded);
      api.solve(view.game, { ...board, method: runner.name, seconds: SECONDS }, onProgress, running.signal).then(
        ({ report }) => ([runner.count, runner.end] = [report.stats.expanded, report]),
        (error) => (runner.end = { limit: api.problem(error).message })
      );
    }
    await this.grow(runners, running.signal);
    if (!running.signal.aborted) this.finish(runners, vote);
  }

  /** @param {string} name @returns {Runner} */
  lane(name) {
    return { name, count: 0, end: null, fill: h('span', { class: 'fillbar' }), label: h('span', { class: 'count' }, '0') };
  }

  /** Both bars grow at the same speed, so the longer one takes longer. @param {Runner[]} runners @param {AbortSignal} signal */
  async grow(runners, signal) {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    for (let shown = 0, before = performance.now(); !signal.aborted; ) {
      const now = await new Promise((resolve) => requestAnimationFrame(resolve));
      const most = Math.max(1, ...runners.map(({ count }) => count));
      shown = isCalm ? most : Math.min(most, shown + (most * Math.max(0, now - before)) / 1000 / SHOW);
      before = now;
      for (const { count, fill: bar, label } of runners) {
        bar.style.width = `${(100 * Math.min(count, shown)) / most}%`;
        label.textContent = grouped(Math.min(count, shown));
      }
      if (shown >= most && runners.every(({ end }) => end !== null)) return;
    }
  }

  /** @param {Runner[]} runners @param {string} vote */
  finish(runners, vote) {
    const [best, other] = [...runners].sort((one, two) => one.count - two.count);
    if (!best || !other) return;
    const isTie = best.count === other.count;
    const cut = runners.filter(({ end }) => end.limit).map(({ name, end }) => `${name} gave up: ${end.limit} limit.`);
    const verdict = cut.length > 0 || !vote ? '' : isTie ? 'A tie.' : vote === best.name ? 'You were right.' : 'You were wrong.';
    const text = `${best.name} ${counted(best.count, 'state')}, ${other.name} ${counted(other.count, 'state')}. ${[...cut, verdict].join(' ')}`;
    fill(this.result, h('strong', null, text.trim()), h('button', { type: 'button', onclick: () => this.view.copyLink() }, 'Copy link to this race'));
  }
}
