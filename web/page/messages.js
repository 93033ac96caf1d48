// The message below the board: what just happened. Screen readers read it aloud.

import { problem } from './api.js';
import { h, fill, rich } from './dom.js';

export class Messages {
  constructor() {
    this.element = h('div', { class: 'message', role: 'status', 'aria-live': 'polite' });
  }

  /** @param {string | null} text @param {string} [kind] @param {...Node} more */
  say(text, kind = '', ...more) {
    this.element.className = `message ${kind}`;
    fill(this.element, ...(text === null ? [] : [h('p', null, rich(text))]), ...more);
  }

  /** @param {unknown} error */
  fail(error) {
    const { message, help } = problem(error);
    this.say(help ? `${message} (${help})` : message, 'bad');
  }
}
