// The Play panel: the moves so far, the legal moves, and what an explanation says about each.

/** @import { GameView } from './game.js' */
/** @import { MoveLabel } from './api.js' */
import { h, fill, grouped } from './dom.js';

/** More moves than this are only counted. */
const MOST_LISTED = 200;

export class PlayPanel {
  /** @param {GameView} view @param {HTMLElement} panel */
  constructor(view, panel) {
    this.view = view;
    this.made = h('ol', { class: 'made' });
    this.legal = h('div', { class: 'moves' });
    fill(panel, view.opponent.element, h('h2', null, 'Moves so far'), this.made, h('h2', null, 'Legal moves'), this.legal);
  }

  refresh() {
    const { moves } = this.view;
    fill(this.made, ...moves.map((text) => h('li', null, text)));
    this.made.classList.toggle('empty', moves.length === 0);
    this.made.scrollTop = this.made.scrollHeight;
    this.list([]);
  }

  /** Lists the legal moves. @param {MoveLabel[]} labels */
  list(labels) {
    const legal = this.view.position?.legal ?? [];
    const priced = legal.some((move) => move.cost !== 1);
    const rows = legal.slice(0, MOST_LISTED).map(({ text, cost }) => {
      const label = labels.find((label) => label.move === text);
      const note = label ? badge(label) : priced ? h('span', { class: 'soft' }, `costs ${cost}`) : null;
      return h('button', { type: 'button', onclick: () => this.view.make(text) }, h('span', null, text), note);
    });
    const more = legal.length > MOST_LISTED ? h('p', { class: 'soft' }, `and ${grouped(legal.length - MOST_LISTED)} more`) : null;
    fill(this.legal, ...rows, more, legal.length === 0 ? h('p', { class: 'soft' }, 'none') : null);
  }
}

/** @param {MoveLabel} label */
function badge(label) {
  return h('span', { class: `badge ${label.paint} ${label.good ? 'good' : ''}` }, label.text);
}
