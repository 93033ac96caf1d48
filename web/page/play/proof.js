// The proof that a board has no solution, followed move by move. After every move tried on such a board, the page shows the value of the
// proof's invariant or potential before and after the move and, after a few tries, also the proof. If the proof has no such value, its
// drawing is shown again.

/** @typedef {Pick<import('../frame/view.js').GameView, 'advice' | 'attempt' | 'game' | 'messages' | 'moves' | 'position' | 'replaying' | 'tabs' | 'where'>} Host the members of the view that this module uses */
import * as api from '../engine/api.js';
import { capital, h } from '../dom.js';

/** Number of moves tried before the proof is spelled out. */
const PATIENCE = 3;

export class Proof {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    /** @type {{why: any, from: string[]} | null} A certificate, and the moves that lead to the position that it is about. */
    this.known = null;
    /** The number of moves made so far, and the number of moves tried since the proof was found. */
    this.made = 0;
    this.tries = 0;
  }

  reset() {
    this.known = null;
    this.tries = 0;
  }

  /** True if the position shown is known to have no solution. */
  get applies() {
    return this.known !== null && this.known.from.every((move, at) => this.view.moves[at] === move);
  }

  /** Stores the certificate of an answer, if it has one, and returns whether it does. @param {api.Solved} solved @param {string[]} moves the moves that lead to the position that the answer is about */
  learn({ report, explanation }, moves) {
    const isProof = report.verdict === 'unsolvable' && explanation !== null;
    if (isProof && !this.applies) {
      this.known = { why: report.why, from: moves };
      this.tries = 0;
    }
    return isProof;
  }

  /** Offers the proof in the current message, or in a new one. */
  offer() {
    const { messages, replaying, tabs } = this.view;
    if (replaying || tabs.current !== 'play') return;
    const button = h('button', { type: 'button', class: 'primary', onclick: () => this.show() }, 'Prove it to me');
    if (!messages.add(button)) messages.say('This board cannot be solved. Try a few moves, and see why.', '', button);
  }

  /** Follows the proof to the position shown. */
  async ask() {
    const { view, known } = this;
    if (!known || !this.applies) return null;
    const { position } = view;
    const answer = await api.measure(view.game, { ...view.where(), why: known.why, proved: known.from.length });
    return view.position === position && !view.replaying ? answer : null;
  }

  /** Shows the whole proof. */
  show() {
    return this.view.attempt(async () => {
      const answer = await this.ask();
      if (!answer) return;
      const measure = answer.measures.at(-1);
      this.view.advice.show(answer.explanation, 'This board cannot be solved. ', measure ? badge(null, measure) : null);
    });
  }

  /** Called when the position has changed. If the user has tried a move, shows what it does to the proof. */
  async follow() {
    const { view } = this;
    const isTry = view.moves.length === this.made + 1;
    this.made = view.moves.length;
    if (!isTry || !this.known || !this.applies || view.moves.length === this.known.from.length) return;
    const answer = await this.ask().catch(() => null);
    if (!answer) return;
    this.tries += 1;
    const { explanation, measures } = answer;
    const [before, after] = measures.slice(-2);
    const sentence = after ? `${capital(after.text)}. ` : '';
    const isPatient = after && this.tries < PATIENCE;
    const text = isPatient ? sentence : `${sentence}${explanation.text}`;
    const isStuck = view.position?.scene.moves.length === 0;
    view.advice.draw({ ...explanation, text }, true);
    const shown = before && after ? badge(before, after) : null;
    if (isStuck) view.messages.add(h('p', { class: 'kept' }, text), shown);
    else view.messages.say(text, 'explanation', shown);
  }
}

/** The value before and after a move, or only the current value, and the value that a solution needs. @param {api.Measure | null} before @param {api.Measure} after */
function badge(before, after) {
  const sign = before?.value === after.value ? '=' : '→';
  const change = before ? [h('span', null, before.value), ` ${sign} `] : [];
  return h('p', { class: 'measure' }, h('strong', null, ...change, h('span', null, after.value)), ' ', h('span', { class: 'soft' }, `a solution needs: ${after.goal}`));
}
