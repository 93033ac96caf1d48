// The rules of a board in a few small pictures: what a move does, what it costs, when the game is won. The game makes the cards.

/** @import { PrimerCard, Scene } from '../engine/api.js' */
import * as api from '../engine/api.js';
import { miniature } from '../board/scene.js';
import { capital, fill, h, rich } from '../dom.js';

/** A picture whose width is more than this times its height is stacked above the next one. */
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
    this.element = h('section', { class: 'primer', 'aria-label': 'Rules in short' }, this.list);
    /** The board whose rules are shown. */
    this.key = '';
    // On a narrow screen the cards are swiped, or scrolled with the arrow keys once they have the focus.
    new ResizeObserver(() => this.reach()).observe(this.element);
  }

  /** Shows the rules of this board. @param {string} instance */
  async show(instance) {
    if (instance === this.key) return;
    this.key = instance;
    const { cards } = await api.primer(this.game, { instance }).catch(() => ({ cards: [] }));
    // Another board came meanwhile.
    if (instance !== this.key) return;
    fill(this.list, ...cards.map(laidOut));
    this.reach();
  }

  /** Makes the cards focusable if there is something to scroll. */
  reach() {
    if (this.element.scrollWidth > this.element.clientWidth) this.element.tabIndex = 0;
    else this.element.removeAttribute('tabindex');
  }
}
