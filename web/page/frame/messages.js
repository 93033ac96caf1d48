// The message below the board, which screen readers read aloud, and which can be dismissed. On a phone it covers the workspace above the
// buttons.

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
    if (text === null) return this.close();
    const close = h('button', { type: 'button', class: 'quiet icon close', 'aria-label': 'Dismiss', onclick: () => this.close() });
    const [words, acts] = [h('div', { class: 'words' }, h('p', null, rich(text))), h('div', { class: 'acts' })];
    const message = h('div', { class: `message ${kind}` }, words, acts, close);
    fill(this.element, message);
    this.add(...more);
    // Focusable, so that the keyboard can scroll a message that is too long.
    if (message.scrollHeight > message.clientHeight) message.tabIndex = 0;
  }

  /** Removes the message. */
  close() {
    fill(this.element);
  }

  /** Adds paragraphs to the words of the current message, and everything else to the row below or beside them; returns false if there is no message. @param {...(Node | null)} more */
  add(...more) {
    const [words, acts] = [this.element.querySelector('.words'), this.element.querySelector('.acts')];
    for (const node of more) if (node !== null) (node.nodeName === 'P' ? words : acts)?.append(node);
    return words !== null;
  }

  /** True if the message lies over the workspace. */
  get covers() {
    const message = this.element.firstElementChild;
    return message !== null && getComputedStyle(message).getPropertyValue('--covers').trim() === '1';
  }

  /** Removes a message that lies over the workspace, unless it offers the next board. */
  dismiss() {
    if (this.covers && !this.element.querySelector('.next')) this.close();
  }

  /** Called when another workspace is opened, which a message must not cover. */
  clear() {
    if (this.covers) return this.close();
    // In a column of a different width, the message's lines break at other words. Reinserting its elements avoids a layout shift.
    fill(this.element, ...this.element.childNodes);
  }

  /** @param {unknown} error */
  fail(error) {
    const { message, help } = problem(error);
    this.say(help ? `${message} (${help})` : message, 'bad');
  }
}
