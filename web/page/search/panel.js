// The Search panel: runs one method, or two side by side, and shows every expanded state step by step.

/** @typedef {Pick<import('../frame/view.js').GameView, 'about' | 'attempt' | 'boardName' | 'copyLink' | 'game' | 'messages' | 'moves' | 'position' | 'where' | 'writeAddress'>} Host the members of the view that this module uses */
/** @import { Line, Trace } from './trace.js' */
import * as api from '../engine/api.js';
import { h, fill, rich, counted, grouped } from '../dom.js';
import { save } from '../download.js';
import { Boards } from './boards.js';
import { feed } from './feed.js';
import { Stage } from './stage.js';
import { VisitTrace, begin } from './visits.js';

/** The default method: one that finds least-cost plans, with a heuristic if there is one. @param {api.Method[]} methods */
function usual(methods) {
  const searches = methods.filter(({ memory, optimal }) => memory !== null && optimal);
  return (searches.find(({ name }) => name.includes(':')) ?? searches[0] ?? methods[0])?.name ?? '';
}

/** Limits on the number of states; the first is the default. */
const NODES = [20_000, 2000, 100_000];

export class SearchPanel {
  /** @param {Host} view @param {HTMLElement} panel @param {HTMLElement} shelf the element for the search's boards, which replace the player's own */
  constructor(view, panel, shelf) {
    this.view = view;
    this.element = panel;
    this.running = new AbortController();
    this.busy = false;
    this.names = '';
    /** @type {{step: number, isProjected: boolean} | null} The step to show once its line arrives. */
    this.wanted = null;
    /** The moves made before the searched position. */
    this.at = '';
    /** @type {api.Board & {nodes?: number}} The searched board. */
    this.asked = { instance: '' };
    /** @type {api.Method[]} */
    this.methods = [];
    const list = (/** @type {string} */ id, /** @type {string | null} */ label, /** @type {boolean} */ isMethod) => h('select', { id, 'aria-label': label, onchange: () => isMethod && this.listOrders() });
    this.method = list('search-method', null, true);
    this.second = list('search-second', 'Second method', true);
    this.order = list('search-order', 'Order of moves', false);
    this.secondOrder = list('search-second-order', 'Order of moves of the second method', false);
    this.nodes = h('select', { id: 'search-nodes', 'aria-label': 'Maximum number of states' }, NODES.map((nodes) => h('option', { value: String(nodes) }, counted(nodes, 'state'))));
    this.go = h('button', { type: 'button', class: 'primary go', onclick: () => (this.busy ? this.halt() : this.search()) }, 'Start');
    this.take = h('button', { type: 'button', class: 'gone', onclick: () => this.download() }, 'Download');
    this.copy = h('button', { type: 'button', class: 'gone', title: 'Copy link to this step', 'aria-label': 'Copy link to this step', onclick: () => view.copyLink() }, 'Copy link');
    this.status = h('p', { class: 'soft', role: 'status' });
    this.stage = new Stage(shelf, () => view.writeAddress());
    this.shelf = shelf;
    shelf.hidden = true;
    this.stage.place.hidden = true;
    const label = (/** @type {string} */ to, /** @type {string} */ text) => h('label', { for: to }, text);
    const choice = (this.choice = h('div', { class: 'field row' }, label('search-method', 'Method'), this.method, this.order, label('search-second', 'and'), this.second, this.secondOrder, label('search-nodes', 'up to'), this.nodes, this.go, h('div', { class: 'taking' }, this.copy, this.take)));
    fill(panel, choice, this.status, this.stage.place);
    panel.addEventListener('keydown', (event) => this.key(event));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.stage.place.hidden && !document.querySelector('dialog[open]:not(.projector)')) this.stage.key(event);
  }

  /** Called when the board has changed. */
  reset() {
    this.halt();
    this.wanted = null;
    this.at = this.view.moves.join('\n');
    this.stage.open([], async () => null);
    this.cover(false);
    this.copy.classList.add('gone');
    this.take.classList.add('gone');
    fill(this.status, 'Press Start to see every state that the method expands, step by step.');
  }

  /** Shows or hides a search, whose boards replace the player's own. @param {boolean} on */
  cover(on) {
    this.stage.place.hidden = !on;
    this.shelf.hidden = !on;
    this.element.classList.toggle('begun', on);
    this.shelf.closest('.left')?.classList.toggle('covered', on);
  }

  /** Called when the position may have changed. */
  refresh() {
    if (this.at !== this.view.moves.join('\n')) this.reset();
    const methods = this.view.position?.methods ?? [];
    const names = methods.map((method) => method.name).join();
    if (this.names === names) return;
    this.names = names;
    this.methods = methods;
    const options = () => methods.map((method) => h('option', { value: method.name, title: method.about }, method.name));
    fill(this.method, ...options());
    this.method.value = usual(methods);
    fill(this.second, h('option', { value: '' }, 'none'), ...options());
    const isOrdered = methods.some(({ orders }) => orders.length > 0);
    this.choice.classList.toggle('ordered', isOrdered);
    for (const select of [this.order, this.secondOrder]) select.hidden = !isOrdered;
    this.listOrders();
  }

  /** The orders of moves of a method, the default first. @param {string} method */
  orders(method) {
    return this.methods.find(({ name }) => name === method)?.orders ?? [];
  }

  /** Lists the orders that the chosen methods take. For other methods the list is invisible, but nothing moves. */
  listOrders() {
    for (const [{ value: method }, select] of /** @type {const} */ ([[this.method, this.order], [this.second, this.secondOrder]])) {
      const [orders, before] = [this.orders(method), select.value];
      fill(select, ...orders.map((order) => h('option', { value: order }, `order ${order}`)));
      if (orders.includes(before)) select.value = before;
      select.classList.toggle('gone', orders.length === 0);
    }
  }

  sight() {
    const { viewers, transport, isProjected } = this.stage;
    const [first, second] = viewers.map(({ trace }) => trace.method);
    const [order, secondOrder] = viewers.map(({ trace }) => (trace.order === this.orders(trace.method)[0] ? undefined : trace.order));
    if (first === undefined) return {};
    const { step, isProjected: wanted } = this.wanted ?? { step: transport.step, isProjected };
    return {
      method: first,
      order,
      ...(second === undefined ? {} : { second, second_order: secondOrder }),
      ...(this.asked.nodes === NODES[0] ? {} : { limit: String(this.asked.nodes) }),
      step: String(step),
      ...(wanted ? { projector: '1' } : {}),
    };
  }

  /** @param {import('../state/address.js').Sight} sight */
  restore({ method = '', order = '', second = '', second_order = '', limit = '', step = '0', projector }) {
    const choose = (/** @type {HTMLSelectElement} */ list, /** @type {string} */ value) => {
      if ([...list.options].some((option) => option.value === value)) list.value = value;
    };
    choose(this.method, method);
    choose(this.second, second);
    choose(this.nodes, limit);
    this.listOrders();
    choose(this.order, order);
    choose(this.secondOrder, second_order);
    if (this.method.value !== method) return;
    this.wanted = { step: Number(step) || 0, isProjected: projector === '1' };
    this.search();
  }

  /** Goes to the requested step if its line has arrived. */
  catchUp() {
    if (!this.wanted) return;
    const { step, isProjected } = this.wanted;
    const { transport, viewers } = this.stage;
    if (transport.count < step && viewers.some(({ trace }) => trace.ending === null)) return;
    this.wanted = null;
    transport.seek(step);
    if (isProjected) this.stage.project(true);
  }

  /** Stops the search; the lines so far stay visible. */
  halt() {
    this.running.abort();
    this.stage.transport.pause();
  }

  /** Called when the user has left the game. */
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
    const chosen = [[this.method.value, this.order.value], [this.second.value, this.secondOrder.value]].filter(([method]) => method);
    const traces = chosen.map(([method = '', order]) => begin(method, this.view.about.paints, order || undefined));
    this.asked = { ...this.view.where(), nodes: Number(this.nodes.value) };
    const boards = new Boards(this.view.game, this.view.where());
    this.take.classList.add('gone');
    // It would cover the board of the search.
    this.view.messages.close();
    this.cover(true);
    this.copy.classList.remove('gone');
    this.stage.open(traces, (trace, node) => boards.of(trace, node));
    fill(this.status, 'Searching…');
    this.setBusy(true);
    if (!this.wanted) this.stage.transport.play.focus({ preventScroll: true });
    if (!this.wanted && !matchMedia('(prefers-reduced-motion: reduce)').matches) this.stage.transport.start();
    const ends = await Promise.allSettled(traces.map((trace) => this.fetch(trace, running.signal)));
    if (this.running !== running) return;
    this.setBusy(false);
    const failed = ends.find((end) => end.status === 'rejected');
    const found = traces.map((trace) => `${trace.title}: ${grouped(trace.lines.length)} ${trace instanceof VisitTrace ? 'visited' : trace.isDuel ? 'decided' : 'expanded'}`).join('; ');
    if (running.signal.aborted) fill(this.status, `Stopped. ${found}.`);
    else if (failed) this.fail(failed.reason);
    else fill(this.status, `${found}.`);
    for (const trace of traces) trace.ending ??= { report: {}, plan: [], places: [], moment: running.signal.aborted ? 'Stopped before the end.' : 'Only part of the search could be shown.' };
    this.take.classList.toggle('gone', Boolean(failed));
    this.stage.grown();
  }

  /** @param {unknown} error */
  fail(error) {
    const { message, help } = api.problem(error);
    fill(this.status, ...rich(`${message}${help && `; ${help}`}.`));
  }

  /** @param {Trace} trace @param {AbortSignal} signal */
  async fetch(trace, signal) {
    const { report, plan, moment, places } = await api.trace(this.view.game, { ...this.asked, method: trace.method, order: trace.order, states: !trace.isWhole }, (lines) => this.add(trace, lines, signal), signal);
    trace.ending = { report, plan, moment, places };
    this.stage.grown();
    this.catchUp();
  }

  /** @param {Trace} trace @param {Line[]} lines @param {AbortSignal} signal */
  async add(trace, lines, signal) {
    await feed(trace, lines, () => signal.aborted);
    if (signal.aborted) return;
    this.stage.grown();
    this.catchUp();
  }

  /** Saves the searches as standalone pages. */
  download() {
    const { view } = this;
    return view.attempt(async () => {
      for (const { trace } of this.stage.viewers) {
        const { html } = await api.trace(view.game, { ...this.asked, method: trace.method, order: trace.order, html: true }, () => {}, new AbortController().signal);
        save(`${view.boardName}-${trace.title.replace(/[^a-z0-9]+/gi, '-')}.html`, html ?? '', 'text/html');
      }
    });
  }
}
