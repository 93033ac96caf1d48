// Kibitzer as the opponent in a two-player game: the side that it plays, and how well. Both are in the address, with the seed of its
// random moves.

/** @typedef {Pick<import('../frame/view.js').GameView, 'about' | 'game' | 'make' | 'messages' | 'position' | 'replaying' | 'where' | 'writeAddress'>} Host the members of the view that this module uses */
/** @import { Rival } from '../state/address.js' */
import * as api from '../engine/api.js';
import { h } from '../dom.js';
import { isCalm } from '../board/motion.js';
import { inSkill, prospect } from '../frame/verdict.js';

/** Time limit for a move in seconds, and the delay in milliseconds before it is played, so that the player sees it. */
const SECONDS = 30;
const PAUSE = 500;

export class Opponent {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    this.thinking = new AbortController();
    /** True if the opponent on the current board is Kibitzer unless the address says otherwise. */
    this.isUsual = false;
    /** @type {Rival | null} The opponent in the address of the board that is being opened. */
    this.wanted = null;
    this.luck = 0;
    this.side = h(
      'select',
      { id: 'opponent', onchange: () => this.change() },
      h('option', { value: '0' }, 'a friend, right here'),
      h('option', { value: '2' }, 'Kibitzer as player 2'),
      h('option', { value: '1' }, 'Kibitzer as player 1')
    );
    this.skill = h('select', { id: 'skill', 'aria-label': 'How well Kibitzer plays', onchange: () => this.change() }, ['perfect', '4', '2', '1', 'random'].map((value) => h('option', { value }, inSkill(value))));
    this.element = view.about.players === 2 ? h('div', { class: 'field row opponent' }, h('label', { for: 'opponent' }, 'Opponent'), this.side, this.skill) : null;
    this.shuffle();
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

  /** Chooses another seed for random moves. */
  shuffle() {
    this.luck = Math.floor(Math.random() * 2 ** 32);
    this.skill.disabled = !this.active;
  }

  /** Called when a new board is loaded. On a level's boards, Kibitzer is the usual opponent. @param {boolean} isLevel */
  arrive(isLevel) {
    const { wanted } = this;
    this.isUsual = isLevel && this.element !== null;
    if (wanted?.opponent === 'friend') this.side.value = '0';
    else if (wanted || this.isUsual) this.side.value = wanted?.side === '1' ? '1' : '2';
    if (wanted && wanted.opponent !== 'friend') {
      const { opponent } = wanted;
      if (![...this.skill.options].some(({ value }) => value === opponent)) this.skill.append(h('option', { value: opponent }, inSkill(opponent)));
      this.skill.value = opponent;
    }
    this.shuffle();
    if (wanted?.luck !== undefined) this.luck = wanted.luck;
    this.wanted = null;
  }

  /** The opponent for the address, or null if it is the usual one on this board. @returns {Rival | null} */
  get rival() {
    const { skill, side, luck } = this;
    if (this.element === null || (!this.active && !this.isUsual)) return null;
    if (!this.active) return { opponent: 'friend' };
    if (skill.value === 'perfect') return this.isUsual && side.value === '2' ? null : { opponent: 'perfect', side: side.value };
    return { opponent: skill.value, side: side.value, luck };
  }

  /** Called when the user has chosen another opponent. */
  change() {
    this.stop();
    this.shuffle();
    this.view.writeAddress();
    this.answer();
  }

  /** If it is Kibitzer's turn, makes its move. */
  async answer() {
    const { view } = this;
    const here = view.position;
    if (!here || here.goal || view.replaying || String(here.turn) !== this.side.value) return;
    view.messages.say('Kibitzer is thinking…');
    const thinking = (this.thinking = new AbortController());
    try {
      const reply = await api.reply(view.game, { ...view.where(), opponent: this.skill.value, seed: this.luck, seconds: SECONDS }, thinking.signal);
      await new Promise((resolve) => setTimeout(resolve, isCalm() ? 0 : PAUSE));
      if (view.position !== here || thinking.signal.aborted || reply.move === null) return;
      await view.make(reply.move);
      if (!view.position?.goal) view.messages.say(`Kibitzer played ${reply.move}${prospect(reply, here.turn)}. Your turn.`);
    } catch (error) {
      if (!thinking.signal.aborted) view.messages.fail(error);
    }
  }
}
