// The message below the board: what just happened. Screen readers read it aloud. On a phone it stands above the buttons and
// can be closed.

import { problem } from './api.js';
import { h, fill, rich } from './dom.js';

export class Messages {
  constructor() {
    this.element = h('div', { class: 'message', role: 'status', 'aria-live': 'polite' });
    /** @type {() => {text: string, kind: string} | null} What stays while other things are said: the words to what is drawn over the board. */
    this.kept = () => null;
  }

  /** @param {string | null} text @param {string} [kind] @param {...(Node | null)} more */
  say(text, kind = '', ...more) {
    const kept = this.kept();
    if (text === null && kept) [text, kind] = [kept.text, kept.kind];
    else if (text !== null && kept && kept.text !== text) more.push(h('p', { class: 'kept' }, rich(kept.text)));
    this.element.className = `message ${kind}`;
    if (text === null) return fill(this.element);
    const close = h('button', { type: 'button', class: 'quiet icon close', 'aria-label': 'Dismiss', onclick: () => fill(this.element) }, '×');
    fill(this.element, h('p', null, rich(text)), ...more, close);
  }

  /** @param {unknown} error */
  fail(error) {
    const { message, help } = problem(error);
    this.say(help ? `${message} (${help})` : message, 'bad');
  }
}
