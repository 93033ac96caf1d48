// How the game stands: the line below the board, the best possible result, and the message at the end.

/** @import { GameView } from './game.js' */
import * as api from './api.js';
import { h, fill, grouped, counted } from './dom.js';
import { inEnd, inStatus, inTriumph } from './verdict.js';

/** Seconds that the page spends on the best possible result without being asked. */
const SECONDS = 5;

export class Status {
  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    this.element = h('p', { class: 'status' });
    /** @type {any} The report on the start: null while it is computed, false if there is none. */
    this.best = null;
    this.solving = new AbortController();
    this.ending = new AbortController();
  }

  stop() {
    this.solving.abort();
    this.ending.abort();
  }

  reset() {
    this.best = null;
  }

  refresh() {
    const { moves, position } = this.view;
    if (!position) return;
    const parts = [counted(moves.length, 'move')];
    if (position.turn === null && position.cost !== moves.length) parts.push(`cost ${grouped(position.cost)}`);
    if (position.turn !== null && !position.goal) parts.push(`player ${position.turn} to move`);
    const result = this.best === null ? 'looking for the best result…' : this.best && inStatus(this.best);
    if (result) parts.push(result);
    fill(this.element, parts.join(' · '));
  }

  /** Finds the best possible result in the background. */
  async fetch() {
    this.solving.abort();
    const solving = (this.solving = new AbortController());
    const { view } = this;
    try {
      const { report } = await api.solve(view.game, { ...view.where([]), seconds: SECONDS }, () => {}, solving.signal);
      this.best = report;
    } catch {
      if (solving.signal.aborted) return;
      this.best = false;
    }
    this.refresh();
    const position = view.position;
    if (position?.goal && position.turn === null && !view.replaying) this.announceEnd(position);
  }

  /** Says how the game ended. @param {api.Position} position */
  announceEnd(position) {
    if (position.turn !== null) return this.announceWinner(position);
    const { moves, messages } = this.view;
    messages.say(moves.length === 0 ? 'This board is already solved.' : inTriumph(position.cost, this.best), 'good', ...this.view.levels.finished(position, this.best));
  }

  /** Where two play, the server knows who has won. @param {api.Position} here */
  async announceWinner(here) {
    const { view } = this;
    this.ending.abort();
    const ending = (this.ending = new AbortController());
    const { report } = await api.solve(view.game, view.where(), () => {}, ending.signal).catch(() => ({ report: {} }));
    const text = inEnd(report);
    if (view.position === here && text) view.messages.say(text, 'good', ...view.levels.finished(here, report));
  }
}
