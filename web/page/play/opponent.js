// Kibitzer as the opponent in a two-player game.

/** @typedef {Pick<import('../frame/view.js').GameView, 'about' | 'game' | 'make' | 'messages' | 'position' | 'replaying' | 'where'>} Host the members of the view that this module uses */
import * as api from '../engine/api.js';
import { h } from '../dom.js';
import { isCalm } from '../board/motion.js';
import { prospect } from '../frame/verdict.js';

/** Time limit for a move in seconds, and the delay in milliseconds before it is played, so that the player sees it. */
const SECONDS = 30;
const PAUSE = 500;

export class Opponent {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    this.thinking = new AbortController();
    this.side = h(
      'select',
      { id: 'opponent', onchange: () => this.answer() },
      h('option', { value: '0' }, 'a friend on this device'),
      h('option', { value: '2' }, 'Kibitzer, as player 2'),
      h('option', { value: '1' }, 'Kibitzer, as player 1')
    );
    this.element = view.about.players === 2 ? h('div', { class: 'field row' }, h('label', { for: 'opponent' }, 'Opponent'), this.side) : null;
  }

  /** True if Kibitzer plays a side. */
  get active() {
    return this.side.value !== '0';
  }

  /** The side that Kibitzer plays, or 0. */
  get plays() {
    return Number(this.side.value);
  }

  stop() {
    this.thinking.abort();
  }

  /** If it is Kibitzer's turn, plays a best move, or a random one if all moves lose. */
  async answer() {
    const { view } = this;
    const here = view.position;
    if (!here || here.goal || view.replaying || String(here.turn) !== this.side.value) return;
    view.messages.say('Kibitzer is thinking…');
    const thinking = (this.thinking = new AbortController());
    try {
      const { best, report } = await api.solve(view.game, { ...view.where(), seconds: SECONDS }, () => {}, thinking.signal);
      await new Promise((resolve) => setTimeout(resolve, isCalm() ? 0 : PAUSE));
      if (view.position !== here || thinking.signal.aborted) return;
      const move = best[0] ?? here.legal[Math.floor(Math.random() * here.legal.length)]?.text;
      if (move === undefined) return;
      await view.make(move);
      if (!view.position?.goal) view.messages.say(`Kibitzer played ${move}${best.length > 0 ? prospect(report, here.turn) : ''}. Your turn.`);
    } catch (error) {
      if (!thinking.signal.aborted) view.messages.fail(error);
    }
  }
}
