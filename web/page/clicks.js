// From clicks to moves: names are picked one after the other until they spell a gesture of the scene.

/** @import { GameView } from './game.js' */
import { nextNames } from './board.js';

export class Clicks {
  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    /** @type {string[]} */
    this.picked = [];
  }

  clear() {
    this.picked = [];
  }

  /** A move was made: what was picked since may begin the next one. */
  keep() {
    if (nextNames(this.view.gestures, this.picked).size === 0) this.clear();
  }

  /** A click on the board, by mouse or key. The move, if it makes one, is under way. @param {string} name @returns {Promise<void> | void} */
  pick(name) {
    const { editor, gestures, messages, replaying } = this.view;
    if (editor.active) return editor.pick(name);
    if (replaying || this.view.isSolved) return;
    const continues = nextNames(gestures, this.picked).has(name);
    if (!continues && this.picked.at(-1) === name) {
      // A second click on the same place takes the pick back.
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
    messages.say(null);
    this.refresh();
  }

  /** Marks what is picked and what can be picked next. */
  refresh() {
    const { advice, board, drag, gestures } = this.view;
    const next = nextNames(gestures, this.picked);
    board.mark('picked', this.picked);
    board.mark('next', this.picked.length > 0 ? next : []);
    board.mark('can', this.picked.length === 0 ? next : []);
    board.mark('grip', drag.grips);
    advice.refresh();
  }
}
