// The message below the board: what just happened. Screen readers read it aloud. On a phone it stands above the buttons and
// can be closed.

import { problem } from '../engine/api.js';
import { h, fill, rich } from '../dom.js';

export class Messages {
  constructor() {
    /** It holds the message, which is another element every time: nothing seems to move. */
    this.element = h('div', { class: 'news', role: 'status', 'aria-live': 'polite' });
    /** @type {() => {text: string, kind: string} | null} What stays while other things are said: the words to what is drawn over the board. */
    this.kept = () => null;
  }

  /** @param {string | null} text @param {string} [kind] @param {...(Node | null)} more */
  say(text, kind = '', ...more) {
    const kept = this.kept();
    if (text === null && kept) [text, kind] = [kept.text, kept.kind];
    else if (text !== null && kept && kept.text !== text) more.push(h('p', { class: 'kept' }, rich(kept.text)));
    if (text === null) return fill(this.element);
    const close = h('button', { type: 'button', class: 'quiet icon close', 'aria-label': 'Dismiss', onclick: () => fill(this.element) }, '×');
    const message = h('div', { class: `message ${kind}` }, h('p', null, rich(text)), more, close);
    fill(this.element, message);
    // The keyboard scrolls what is longer than its place.
    if (message.scrollHeight > message.clientHeight) message.tabIndex = 0;
  }

  /** Another workspace comes: a message that lies over it would be in its way. */
  clear() {
    const [message] = this.element.children;
    if (message && getComputedStyle(message).position === 'absolute') return fill(this.element);
    // In a column of another width its lines break elsewhere: it is set anew instead of being moved.
    fill(this.element, ...this.element.childNodes);
  }

  /** @param {unknown} error */
  fail(error) {
    const { message, help } = problem(error);
    this.say(help ? `${message} (${help})` : message, 'bad');
  }
}
