// The Search panel: a method, perhaps a second one beside it, and every state that they expand, step by step.

/** @import { GameView } from '../game.js' */
/** @import { Line } from './trace.js' */
import * as api from '../api.js';
import { h, fill, rich, counted, grouped } from '../dom.js';
import { save } from '../download.js';
import { Boards } from './boards.js';
import { feed } from './feed.js';
import { Stage } from './stage.js';
import { Trace } from './trace.js';

/** Most states to show: the first is the usual one. */
const NODES = [20_000, 2000, 100_000];
export class SearchPanel {
  /** @param {GameView} view @param {HTMLElement} panel */
  constructor(view, panel) {
    this.view = view;
    this.element = panel;
    this.running = new AbortController();
    this.busy = false;
    this.names = '';
    /** The moves after which it was searched. */
    this.at = '';
    /** @type {api.Board & {nodes?: number}} What was searched. */
    this.asked = { instance: '' };
    this.method = h('select', { id: 'search-method' });
    this.second = h('select', { id: 'search-second' });
    this.nodes = h('select', { id: 'search-nodes' }, NODES.map((nodes) => h('option', { value: String(nodes) }, counted(nodes, 'state'))));
    this.go = h('button', { type: 'button', class: 'primary', onclick: () => (this.busy ? this.halt() : this.search()) }, 'Start');
    this.take = h('button', { type: 'button', hidden: true, onclick: () => this.download() }, 'Download');
    this.status = h('p', { class: 'soft', role: 'status' });
    this.stage = new Stage();
    this.stage.place.hidden = true;
    const label = (/** @type {string} */ to, /** @type {string} */ text) => h('label', { for: to }, text);
    const choice = h('div', { class: 'field row' }, label('search-method', 'Method'), this.method, label('search-second', 'Compare with'), this.second, label('search-nodes', 'At most'), this.nodes, this.go, this.take);
    fill(panel, choice, this.status, this.stage.place);
    panel.addEventListener('keydown', (event) => this.stage.key(event));
  }

  /** Another board. */
  reset() {
    this.halt();
    this.at = this.view.moves.join('\n');
    this.stage.open([], async () => null);
    this.stage.place.hidden = true;
    this.take.hidden = true;
    fill(this.status, 'Start shows every state that the method expands, step by step.');
  }

  /** The position may be another: what was searched is the one before. */
  refresh() {
    if (this.at !== this.view.moves.join('\n')) this.reset();
    const methods = this.view.position?.methods ?? [];
    const names = methods.map((method) => method.name).join();
    if (this.names === names) return;
    this.names = names;
    const options = () => methods.map((method) => h('option', { value: method.name, title: method.about }, method.name));
    fill(this.method, ...options());
    fill(this.second, h('option', { value: '' }, 'nothing'), ...options());
  }

  /** Ends the search; what was found stays. */
  halt() {
    this.running.abort();
    this.stage.transport.pause();
  }

  /** The reader has left. */
  stop() {
    this.halt();
    this.stage.stop();
  }

  /** @param {boolean} busy */
  setBusy(busy) {
    this.busy = busy;
    this.go.textContent = busy ? 'Stop' : 'Start';
    this.go.classList.toggle('primary', !busy);
  }

  async search() {
    const running = (this.running = new AbortController());
    const traces = [this.method.value, this.second.value].filter(Boolean).map((method) => new Trace(method));
    this.asked = { ...this.view.where(), nodes: Number(this.nodes.value) };
    const boards = new Boards(this.view.game);
    this.take.hidden = true;
    this.stage.place.hidden = false;
    this.stage.open(traces, (trace, node) => boards.of(trace, node));
    fill(this.status, 'Searching…');
    this.setBusy(true);
    this.element.scrollIntoView({ block: 'start' });
    this.stage.transport.play.focus({ preventScroll: true });
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) this.stage.transport.start();
    const ends = await Promise.allSettled(traces.map((trace) => this.fetch(trace, running.signal)));
    if (this.running !== running) return;
    this.setBusy(false);
    const failed = ends.find((end) => end.status === 'rejected');
    const found = traces.map((trace) => `${trace.method}: ${grouped(trace.steps)} ${trace.isDuel ? 'decided' : 'expanded'}`).join('; ');
    if (running.signal.aborted) fill(this.status, `Stopped. ${found}.`);
    else if (failed) this.fail(failed.reason);
    else fill(this.status, `${found}.`);
    for (const trace of traces) trace.ending ??= { report: {}, plan: [], moment: running.signal.aborted ? 'Stopped before the end.' : 'The search could not be shown to its end.' };
    this.take.hidden = Boolean(failed);
    this.stage.grown();
  }

  /** @param {unknown} error */
  fail(error) {
    const { message, help } = api.problem(error);
    fill(this.status, ...rich(`${message}${help && `; ${help}`}.`));
  }

  /** @param {Trace} trace @param {AbortSignal} signal */
  async fetch(trace, signal) {
    const { report, plan, moment } = await api.trace(this.view.game, { ...this.asked, method: trace.method, states: true }, (lines) => this.add(trace, lines, signal), signal);
    trace.ending = { report, plan, moment };
    this.stage.grown();
  }

  /** @param {Trace} trace @param {Line[]} lines @param {AbortSignal} signal */
  async add(trace, lines, signal) {
    await feed(trace, lines, () => signal.aborted);
    if (!signal.aborted) this.stage.grown();
  }

  /** Saves the searches as pages that need no server. */
  download() {
    const { view } = this;
    return view.attempt(async () => {
      for (const { trace } of this.stage.viewers) {
        const { html } = await api.trace(view.game, { ...this.asked, method: trace.method, html: true }, () => {}, new AbortController().signal);
        save(`${view.boardName}-${trace.method.replace(/[^a-z0-9]+/gi, '-')}.html`, html ?? '', 'text/html');
      }
    });
  }
}
