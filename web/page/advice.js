// Advice when asked: a hint for the next move, or an explanation drawn over the board.

/** @import { GameView } from './game.js' */
import * as api from './api.js';
import { h } from './dom.js';
import { inHint, noHint } from './verdict.js';

const HINT_SECONDS = 30;

export class Advice {
  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    this.asking = new AbortController();
    /** @type {api.Explanation | null} The one that is shown. */
    this.shown = null;
  }

  stop() {
    this.asking.abort();
  }

  /** The board was drawn anew: nothing is shown over it. */
  forget() {
    this.shown = null;
  }

  async hint() {
    const { view } = this;
    if (view.position?.goal) return;
    view.back();
    this.stop();
    view.opponent.stop();
    const asking = (this.asking = new AbortController());
    view.messages.say('Thinking…', '', h('button', { type: 'button', onclick: () => asking.abort() }, 'Stop'));
    try {
      this.present(await api.solve(view.game, { ...view.where(), seconds: HINT_SECONDS }, () => {}, asking.signal));
    } catch (error) {
      if (asking.signal.aborted) view.messages.say(null);
      else view.messages.fail(error);
    }
  }

  /** @param {api.Solved} solved */
  present({ report, plan, best, explanation }) {
    const { view } = this;
    const move = plan[0] ?? best[0];
    if (move !== undefined) {
      view.board.mark('hint', view.gesture(move));
      const button = h('button', { type: 'button', class: 'primary', onclick: () => this.play(move) }, 'Play it');
      view.messages.say(inHint(move, report), 'good', button);
    } else if (report.verdict === 'unsolvable' && explanation) this.show(explanation, 'No solution from here. ');
    else view.messages.say(noHint(report), 'bad');
  }

  /** Makes the move of a hint, which is noted. @param {string} move */
  play(move) {
    this.view.helped += 1;
    return this.view.make(move);
  }

  /** Explains the position, or takes the explanation away. */
  async why() {
    const { view } = this;
    if (this.shown) {
      this.shown = null;
      view.board.explain(null);
      view.playing.list([]);
      return view.messages.say(null);
    }
    view.back();
    await view.attempt(async () => {
      const { explanation } = await api.explain(view.game, view.where(), () => view.messages.say('Still thinking…'));
      if (explanation) this.show(explanation);
      else view.messages.say('There is nothing to explain here.');
    });
  }

  /** @param {api.Explanation} explanation @param {string} [before] */
  show(explanation, before = '') {
    const { view } = this;
    view.back();
    this.shown = explanation;
    view.board.explain(explanation);
    view.playing.list(explanation.labels);
    view.messages.say(before + explanation.text, 'explanation');
  }
}
