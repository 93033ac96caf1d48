// Turns clicks into moves: places are picked one after another until they form one of the scene's gestures.

/** @typedef {Pick<import('../frame/view.js').GameView, 'advice' | 'board' | 'drag' | 'editor' | 'gestures' | 'isSolved' | 'make' | 'messages' | 'position' | 'replaying'>} Host the members of the view that this module uses */
/** @import { Gesture } from '../engine/api.js' */
import { capital, press } from '../dom.js';

export class Clicks {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    /** @type {string[]} */
    this.picked = [];
  }

  /** All gestures. A gesture of two places is also listed in reverse if its second place begins no gesture, so a color may be picked first. */
  get ways() {
    const { gestures } = this.view;
    const begins = new Set(gestures.map(({ clicks }) => clicks[0]));
    const back = gestures.filter(({ clicks }) => clicks.length === 2 && !begins.has(clicks[1]));
    return back.length === 0 ? gestures : [...gestures, ...back.map(({ text, clicks }) => ({ text, clicks: [...clicks].reverse() }))];
  }

  clear() {
    this.picked = [];
  }

  /** Called after a move. Places picked in the meantime are kept if they begin another move. */
  keep() {
    if (nextNames(this.ways, this.picked).size === 0) this.clear();
  }

  /** Handles a click on the board, by mouse or key. Returns a promise if that makes a move. @param {string} name @returns {Promise<void> | void} */
  pick(name) {
    const { editor, messages, replaying } = this.view;
    const gestures = this.ways;
    if (editor.active) return editor.pick(name);
    const { isSolved, position } = this.view;
    // After the end of the game, a click does not remove the result from the screen.
    if (replaying || isSolved || (position?.goal && gestures.length === 0)) return;
    const continues = nextNames(gestures, this.picked).has(name);
    if (!continues && this.picked.at(-1) === name) {
      // A second click on the same place deselects it.
      this.clear();
      return this.refresh();
    }
    if (!continues) this.clear();
    if (!continues && !nextNames(gestures, []).has(name)) {
      this.refresh();
      return messages.say('No legal move there.', 'bad');
    }
    this.picked.push(name);
    const whole = gestures.find(({ clicks }) => clicks.length === this.picked.length && clicks.every((click, at) => click === this.picked[at]));
    if (whole) {
      this.clear();
      return this.view.make(whole.text);
    }
    // A move such as leaving the board ends where it begins.
    const again = gestures.find(({ clicks }) => clicks.length === 2 && clicks[0] === clicks[1] && clicks[0] === name);
    messages.say(this.picked.length === 1 && again ? `${capital(press())} the same place again for \`${again.text.replace(/\.$/, '')}\`.` : null);
    this.refresh();
  }

  /** Marks the picked places and those that can be picked next. */
  refresh() {
    const { advice, board, drag } = this.view;
    const next = nextNames(this.ways, this.picked);
    board.mark('picked', this.picked);
    board.mark('next', this.picked.length > 0 ? next : []);
    board.mark('can', this.picked.length === 0 ? next : []);
    board.mark('grip', drag.grips);
    advice.refresh();
  }
}

/** The names that can be clicked next, given those clicked so far. @param {Gesture[]} gestures @param {string[]} picked */
export function nextNames(gestures, picked) {
  const fits = gestures.filter((gesture) => picked.every((name, at) => gesture.clicks[at] === name));
  return new Set(fits.flatMap((gesture) => gesture.clicks[picked.length] ?? []));
}
