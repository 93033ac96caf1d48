// The status line below the board, the best possible result, and the message at the end of a game.

/** @typedef {Pick<import('./view.js').GameView, 'board' | 'game' | 'helped' | 'levels' | 'messages' | 'moves' | 'opponent' | 'position' | 'proof' | 'replaying' | 'review' | 'watched' | 'where'>} Host the members of the view that this module uses */
import * as api from '../engine/api.js';
import { h, fill, grouped, counted } from '../dom.js';
import { inCost, inEnd, inProspect, inStars, inTriumph } from './verdict.js';

/** Time limit in seconds for computing the best possible result in the background. */
const SECONDS = 5;

export class Status {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    this.element = h('p', { class: 'status' });
    /** @type {any} The report on the start: null while it is computed, false if it failed. */
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
    if (position.turn === null) return fill(this.element, inCost(position.cost, this.best, position.goal));
    const prospect = moves.length === 0 && this.best ? inProspect(this.best) : '';
    const parts = [moves.length > 0 && counted(moves.length, 'move'), position.goal ? 'game over' : `player ${position.turn} to move`, prospect];
    fill(this.element, parts.filter(Boolean).join(' · '));
  }

  /** Computes the best possible result in the background. */
  async fetch() {
    this.solving.abort();
    const solving = (this.solving = new AbortController());
    const { view } = this;
    try {
      const solved = await api.solve(view.game, { ...view.where([]), seconds: SECONDS }, () => {}, solving.signal);
      this.best = solved.report;
      if (view.proof.learn(solved, [])) view.proof.offer();
    } catch {
      if (solving.signal.aborted) return;
      this.best = false;
    }
    this.refresh();
    const position = view.position;
    if (position?.goal && position.turn === null && !view.replaying) this.announceEnd(position);
  }

  /** Shows how the game ended, and which move lost it. @param {api.Position} position */
  async announceEnd(position) {
    const { view } = this;
    const report = position.turn === null ? this.best : await this.ended(position);
    const text = position.turn === null ? this.triumph(position, report) : inEnd(report, view.opponent.plays);
    if (view.position !== position || view.replaying) return;
    if (view.moves.length === 0) return view.messages.say(position.turn === null ? 'This board is already solved.' : text, 'good');
    const { sentence, buttons } = view.review.ending();
    const stars = position.turn === null && view.moves.length > view.levels.given && view.levels.isOwn ? inStars(position.cost, report, view.helped, view.moves.length) : '';
    const isLost = position.turn !== null && view.opponent.active && report.winner === view.opponent.plays;
    if (stars) view.board.celebrate();
    const shown = stars ? [h('span', { class: 'stars', role: 'img', 'aria-label': `${stars.split('★').length - 1} of 3 stars` }, stars)] : [];
    view.messages.say(`${text} ${sentence}`.trim(), isLost ? 'bad' : 'good', ...shown, ...buttons, ...view.levels.finished(position, report));
    if (await view.review.follow(this.best)) this.announceEnd(position);
  }

  /** The message on a solved board. @param {api.Position} position @param {any} report */
  triumph(position, report) {
    const { helped, levels, moves, watched } = this.view;
    if (moves.length <= levels.given) return levels.isAgain ? `You solved this board at a cost of ${grouped(position.cost)}.` : `This link includes a solution, at a cost of ${grouped(position.cost)}.`;
    return inTriumph(position.cost, report, helped, watched);
  }

  /** The report on the end of a two-player game, which names the winner. @param {api.Position} here */
  async ended(here) {
    const { view } = this;
    this.ending.abort();
    const ending = (this.ending = new AbortController());
    const { report } = await api.solve(view.game, view.where(), () => {}, ending.signal).catch(() => ({ report: {} }));
    return view.position === here ? report : {};
  }
}
