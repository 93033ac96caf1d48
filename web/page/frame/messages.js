// The message below the board, which screen readers read aloud. On a phone it lies above the buttons and can be closed.

import { problem } from '../engine/api.js';
import { h, fill, rich } from '../dom.js';

export class Messages {
  constructor() {
    /** Holds the message, which is a new element every time, so that none seems to move. */
    this.element = h('div', { class: 'news', role: 'status', 'aria-live': 'polite' });
    /** @type {() => {text: string, kind: string} | null} The text of the explanation drawn over the board, which stays below other messages. */
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
    // The keyboard can scroll a message that is too long for its place.
    if (message.scrollHeight > message.clientHeight) message.tabIndex = 0;
  }

  /** Another workspace is opened: a message must not cover it. */
  clear() {
    const [message] = this.element.children;
    if (message && getComputedStyle(message).position === 'absolute') return fill(this.element);
    // In a column of another width its lines break elsewhere: it is inserted again, not moved.
    fill(this.element, ...this.element.childNodes);
  }

  /** @param {unknown} error */
  fail(error) {
    const { message, help } = problem(error);
    this.say(help ? `${message} (${help})` : message, 'bad');
  }
}
