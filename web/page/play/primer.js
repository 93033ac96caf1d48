// The rules of a board in a few small pictures: the effect of a move, its cost, and when the game is won. The game provides the cards.

/** @import { PrimerCard, Scene } from '../engine/api.js' */
import * as api from '../engine/api.js';
import { miniature } from '../board/scene.js';
import { capital, fill, h, rich } from '../dom.js';

/** Pictures whose width exceeds this multiple of their height are stacked. */
const WIDE = 1.4;

/** The pictures of a card, with an arrow between them and the price above it. @param {PrimerCard} card */
function shown({ pictures, price }) {
  const wide = pictures.some((/** @type {Scene} */ picture) => picture.width > WIDE * picture.height);
  const arrow = h('span', { class: 'arrow' }, price !== null && h('span', { class: 'price' }, price), wide ? '↓' : '→');
  const [before, after] = pictures.map(miniature);
  return h('div', { class: wide ? 'pictures wide' : 'pictures', 'aria-hidden': 'true' }, before, after && arrow, after);
}

/** @param {PrimerCard} card */
const laidOut = (card) => h('li', null, shown(card), h('p', null, h('strong', null, capital(card.topic)), ' ', ...rich(card.sentence)));

export class Primer {
  /** @param {string} game */
  constructor(game) {
    this.game = game;
    this.list = h('ul', null);
    this.element = h('section', { class: 'primer', 'aria-label': 'Short rules' }, this.list);
    /** The board whose rules are shown. */
    this.key = '';
    /** @type {string[] | null} The sentences shown; null before the first board. */
    this.sentences = null;
    /** The sentences that differ from those of the board before. @type {Promise<string[]>} */
    this.changed = Promise.resolve([]);
    // On a narrow screen, the cards are swiped, or scrolled with the arrow keys when focused.
    new ResizeObserver(() => this.reach()).observe(this.element);
  }

  /** Shows the rules of this board. @param {string} instance */
  show(instance) {
    if (instance !== this.key) this.changed = this.change(instance);
  }

  /** @param {string} instance */
  async change(instance) {
    this.key = instance;
    const { cards } = await api.primer(this.game, { instance }).catch(() => ({ cards: [] }));
    // Another board was opened in the meantime.
    if (instance !== this.key) return [];
    fill(this.list, ...cards.map(laidOut));
    this.reach();
    const before = this.sentences;
    this.sentences = cards.map(({ sentence }) => sentence);
    return before ? this.sentences.filter((sentence) => !before.includes(sentence)) : [];
  }

  /** Makes the cards focusable if they scroll. */
  reach() {
    if (this.element.scrollWidth > this.element.clientWidth) this.element.tabIndex = 0;
    else this.element.removeAttribute('tabindex');
  }
}
