// The message below the board, which screen readers read aloud. On a phone it covers the workspace above the buttons and can be
// dismissed.

import { problem } from '../engine/api.js';
import { h, fill, rich } from '../dom.js';

export class Messages {
  constructor() {
    /** The container of the message. Each message is a new element, so that showing it does not count as a layout shift. */
    this.element = h('div', { class: 'news', role: 'status', 'aria-live': 'polite' });
    /** @type {() => {text: string, kind: string} | null} The text of the explanation drawn over the board, which is repeated below other messages. */
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
    // Focusable, so that the keyboard can scroll a message that is too long.
    if (message.scrollHeight > message.clientHeight) message.tabIndex = 0;
  }

  /** Adds to the current message; returns false if there is none. @param {...(Node | null)} more */
  add(...more) {
    const close = this.element.querySelector('.close');
    close?.before(...more.filter((node) => node !== null));
    return close !== null;
  }

  /** True if the message lies over the workspace. */
  get covers() {
    const close = this.element.querySelector('.close');
    return close !== null && getComputedStyle(close).display !== 'none';
  }

  /** Removes a message that lies over the workspace, unless it offers the next board. */
  dismiss() {
    if (this.covers && !this.element.querySelector('.next')) fill(this.element);
  }

  /** Called when another workspace is opened, which a message must not cover. */
  clear() {
    if (this.covers) return fill(this.element);
    // In a column of a different width, the message's lines break at other words. Reinserting its elements avoids a layout shift.
    fill(this.element, ...this.element.childNodes);
  }

  /** @param {unknown} error */
  fail(error) {
    const { message, help } = problem(error);
    this.say(help ? `${message} (${help})` : message, 'bad');
  }
}
