// A pasted list of graphs, one per line, as printed by nauty's geng. The page stores the list and shows one graph at a time.

/** @typedef {Pick<import('./view.js').GameView, 'attempt' | 'editor' | 'game' | 'load' | 'picker'>} Host the members of the view that this module uses */
import * as api from '../engine/api.js';
import { h, fill } from '../dom.js';

export class GraphList {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    /** @type {string[]} The lines that contain graphs. */
    this.lines = [];
    /** The index of the graph shown, from 0. */
    this.at = 0;
    /** True if the board comes from the list. Loading another board clears it; moves and drags do not. */
    this.isShown = false;
    const step = (/** @type {string} */ label, /** @type {string} */ name, /** @type {number} */ by) =>
      h('button', { type: 'button', 'aria-label': name, title: name, onclick: () => view.attempt(() => this.show(this.at + by)) }, label);
    this.previous = step('‹', 'Previous graph', -1);
    this.next = step('›', 'Next graph', 1);
    this.number = h('input', { type: 'number', id: 'graph-number', min: '1', 'aria-label': 'Graph number', onchange: () => view.attempt(() => this.show(Number(this.number.value) - 1)) });
    this.count = h('span', { role: 'status' });
    this.element = h('div', { class: 'list', hidden: true, role: 'group', 'aria-label': 'List of graphs' }, this.previous, h('label', { for: 'graph-number' }, 'Graph'), this.number, this.count, this.next);
  }

  /** A description of the graph shown. */
  get words() {
    return `graph ${(this.at + 1).toLocaleString('en')} of ${this.lines.length.toLocaleString('en')}`;
  }

  /** Reads a list of graphs, or a single graph that is not a board. Returns false if the text is neither. @param {string} text */
  async take(text) {
    const lines = text.split(/[\r\n]+/).map((line) => line.trim());
    const graphs = lines.filter((line) => line !== '' && !line.startsWith('#') && !/^>>(graph|sparse)6<<$/.test(line));
    // Only the library can recognize a graph; checking two lines is enough.
    for (const line of graphs.slice(0, 2)) {
      if (!(await this.board(line).catch(() => null))) return false;
    }
    if (graphs.length === 0) return false;
    this.lines = graphs;
    await this.show(0);
    return true;
  }

  /** The board for a graph. @param {string} line */
  async board(line) {
    const { instance } = await api.onGraph(this.view.game, line);
    return instance;
  }

  /** @param {number} at */
  async show(at) {
    const { view } = this;
    // If the field does not contain a number, show the first graph.
    const wanted = Math.min(Math.max(Math.trunc(at) || 0, 0), this.lines.length - 1);
    view.editor.close();
    await view.load({ text: await this.board(this.lines[wanted] ?? '') });
    this.at = wanted;
    this.isShown = this.lines.length > 1;
    view.picker.refresh();
  }

  refresh() {
    this.element.hidden = !this.isShown;
    if (!this.isShown) return;
    this.number.value = String(this.at + 1);
    this.number.max = String(this.lines.length);
    fill(this.count, `of ${this.lines.length.toLocaleString('en')}`);
    this.previous.disabled = this.at === 0;
    this.next.disabled = this.at === this.lines.length - 1;
  }
}
