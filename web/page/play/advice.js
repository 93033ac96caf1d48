// Advice on request: a hint for the next move, an explanation drawn over the board, or the result of every move.

/** @typedef {Pick<import('../frame/view.js').GameView, 'about' | 'attempt' | 'back' | 'board' | 'clicks' | 'game' | 'gesture' | 'help' | 'make' | 'messages' | 'moves' | 'opponent' | 'playing' | 'position' | 'proof' | 'replaying' | 'where'>} Host the members of the view that this module uses */
import * as api from '../engine/api.js';
import { lights } from '../board/places.js';
import { h } from '../dom.js';
import { LEADS, inHint, inOthers, noHint } from '../frame/verdict.js';

const HINT_SECONDS = 30;
/** Time limit in seconds for comparing a hint with the other moves, and the maximum number of moves compared. */
const OTHERS_SECONDS = 4;
const MOST_OTHERS = 16;

export class Advice {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    this.asking = new AbortController();
    /** True if the explanation was shown by an answer, not by `Why?`. */
    this.isProof = false;
    /** The text of the explanation shown. */
    this.text = '';
    /** @type {api.MoveLabel[]} The results of the legal moves. */
    this.labels = [];
    view.messages.kept = () => (this.shown ? { text: this.text, kind: 'explanation' } : null);
    /** @type {{move: string, report: any, position: api.Position} | null} The last hint, and the position that it is for. */
    this.hinted = null;
    this.always = h('input', { type: 'checkbox', id: 'label-moves', onchange: () => this.follow() });
    this.element = view.about.players === 2 ? h('label', { class: 'check', for: 'label-moves' }, this.always, 'Show who wins after every move') : null;
  }

  /** The explanation drawn over the board. */
  get shown() {
    return this.view.board.overlay.explained;
  }

  stop() {
    this.asking.abort();
  }

  /** Called when the position has changed. */
  forget() {
    this.labels = [];
  }

  /** Removes everything drawn over the board. */
  hide() {
    const { view } = this;
    view.board.overlay.explain(null);
    if (!this.always.checked) this.setLabels([]);
  }

  async hint() {
    const { view } = this;
    if (view.position?.goal) return;
    view.back();
    this.hide();
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
  present(solved) {
    const { report, plan, best, explanation } = solved;
    const { view } = this;
    const move = plan[0] ?? best[0];
    if (move !== undefined) {
      view.help([...view.moves, move]);
      this.hinted = view.position && { move, report, position: view.position };
      this.point(move);
      view.messages.say(inHint(move, view.gesture(move), report), 'good', this.offer(move));
    } else if (view.proof.learn(solved, view.moves) && explanation) this.show(explanation, 'There is no solution from here. ');
    else view.messages.say(noHint(report), 'bad');
  }

  /** Draws a hint. @param {string} move */
  point(move) {
    const { board } = this.view;
    const clicks = this.view.gesture(move);
    board.mark('hint', clicks);
    board.overlay.arrow(clicks);
  }

  /** The button that makes the move of a hint. @param {string} move */
  offer(move) {
    const { view } = this;
    const button = h('button', { type: 'button', class: 'primary', onclick: () => view.make(move) }, 'Play it');
    const clicks = view.gesture(move);
    lights(view.board, button, () => clicks);
    return button;
  }

  /** The cost of the rest of the game after each legal move, with the price of the move: the least and the most possible. The moves are compared only if there are few. @param {api.Position} here @returns {Promise<{move: string, least: number, most: number}[]>} */
  async compare(here) {
    const { view } = this;
    if (here.legal.length > MOST_OTHERS) return [];
    const until = performance.now() + 1000 * OTHERS_SECONDS;
    const costs = [];
    for (const { text, cost } of here.legal) {
      const seconds = (until - performance.now()) / 1000;
      if (seconds <= 0 || view.position !== here) return [];
      const { report } = await api.solve(view.game, { ...view.where([...view.moves, text]), seconds }, () => {}, this.asking.signal);
      if (report.verdict === 'unknown') return [];
      const [least, most] = report.verdict === 'unsolvable' ? [Infinity, Infinity] : [report.optimal ? report.cost : report.lower, report.cost];
      costs.push({ move: text, least: cost + least, most: cost + most });
    }
    return costs;
  }

  /** Explains the position, or removes the explanation. */
  async why() {
    const { view } = this;
    if (this.shown && this.isProof) {
      // The proof came with an answer; now the player has requested it.
      this.isProof = false;
      return view.messages.say(this.text, 'explanation');
    }
    if (this.shown) {
      this.hide();
      return view.messages.say(null);
    }
    view.back();
    if (view.proof.applies) return view.proof.show();
    const hinted = this.hinted?.position === view.position ? this.hinted : null;
    await view.attempt(async () => {
      const { explanation } = await api.explain(view.game, view.where(), () => view.messages.say('Still thinking…'));
      if (hinted) return this.justify(hinted, explanation);
      if (explanation) this.show(explanation);
      else view.messages.say('There is nothing to explain here.');
    });
  }

  /** Explains a hint: what the other moves lead to, then the explanation of the position. @param {{move: string, report: any, position: api.Position}} hint @param {api.Explanation | null} explanation */
  async justify({ move, report, position }, explanation) {
    const { view } = this;
    const others = position.turn === null ? await this.compare(position).catch(() => []) : [];
    if (view.position !== position || view.replaying) return;
    const before = inOthers(move, report, others, explanation?.labels ?? []);
    const text = `${before} ${explanation?.text ?? ''}`.trim();
    if (text === '') return view.messages.say('There is nothing to explain here.');
    this.draw({ tints: [], shapes: [], labels: [], ...explanation, text }, false);
    this.point(move);
    view.messages.say(this.text, 'explanation', this.offer(move));
  }

  /** Shows an explanation on the board and in words. @param {api.Explanation} explanation @param {string} [before] the beginning of the text of a proof @param {...(Node | null)} more */
  show(explanation, before = '', ...more) {
    this.view.back();
    this.draw({ ...explanation, text: before + explanation.text }, before !== '');
    this.view.messages.say(this.text, 'explanation', ...more);
  }

  /** Draws an explanation over the board. @param {api.Explanation} explanation @param {boolean} isProof true if it came with an answer */
  draw(explanation, isProof) {
    const { board } = this.view;
    board.mark('hint', []);
    board.overlay.arrow([]);
    this.text = explanation.text;
    this.isProof = isProof;
    board.overlay.explain(explanation);
    this.setLabels(explanation.labels);
  }

  /** Labels the moves with their results if the user has enabled that. */
  async follow() {
    const { view } = this;
    const here = view.position;
    if (!this.always.checked) return this.shown ? undefined : this.setLabels([]);
    if (!here || here.goal || view.replaying) return;
    try {
      const { explanation } = await api.explain(view.game, view.where(), () => {});
      if (view.position === here && this.always.checked && !view.replaying) this.setLabels(explanation?.labels ?? []);
    } catch (error) {
      view.messages.fail(error);
    }
  }

  /** Shows the results of the moves, in the list and on the board. @param {api.MoveLabel[]} labels */
  setLabels(labels) {
    this.labels = labels;
    this.view.playing.list(labels);
    this.refresh();
  }

  /** Labels each place with the best result of a move there, given the picked places. */
  refresh() {
    const { board, clicks, position, replaying } = this.view;
    /** @type {Map<string, {paint: string, sign: string, words: string}>} */
    const places = new Map();
    const known = new Map(this.labels.map((label) => [label.move, label.paint]));
    const ranks = Object.keys(LEADS);
    for (const gesture of known.size === 0 || replaying ? [] : (position?.scene.moves ?? [])) {
      const name = gesture.clicks[clicks.picked.length];
      const paint = known.get(gesture.text) ?? '';
      const lead = LEADS[paint];
      if (name === undefined || !lead || !clicks.picked.every((pick, at) => gesture.clicks[at] === pick)) continue;
      const before = places.get(name);
      if (!before || ranks.indexOf(paint) < ranks.indexOf(before.paint)) places.set(name, { paint, ...lead });
    }
    board.overlay.label(places);
  }
}
