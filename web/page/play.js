// The Play panel: the moves so far, the legal moves, and what an explanation says about each.

/** @import { GameView } from './game.js' */
/** @import { MoveLabel } from './api.js' */
import { h, fill, grouped } from './dom.js';
import { LEADS } from './verdict.js';

/** More moves than this are only counted. */
const MOST_LISTED = 200;

export class PlayPanel {
  /** @param {GameView} view @param {HTMLElement} panel */
  constructor(view, panel) {
    this.view = view;
    this.legal = h('div', { class: 'moves' });
    fill(panel, view.opponent.element, view.advice.element, view.review.element, h('h2', null, 'Legal moves'), this.legal);
  }

  reset() {
    this.view.review.reset();
  }

  stop() {
    this.view.review.stop();
  }

  refresh() {
    this.view.review.refresh();
    this.list([]);
  }

  /** Lists the legal moves. @param {MoveLabel[]} labels */
  list(labels) {
    const legal = this.view.isSolved ? [] : (this.view.position?.legal ?? []);
    const priced = legal.some((move) => move.cost !== 1);
    const known = new Map(labels.map((label) => [label.move, label]));
    const rows = legal.slice(0, MOST_LISTED).map(({ text, cost }) => {
      const label = known.get(text);
      const note = label ? badge(label) : priced ? h('span', { class: 'soft' }, `costs ${cost}`) : null;
      return h('button', { type: 'button', onclick: () => this.view.make(text) }, h('span', null, text), note);
    });
    const more = legal.length > MOST_LISTED ? h('p', { class: 'soft' }, `and ${grouped(legal.length - MOST_LISTED)} more`) : null;
    fill(this.legal, ...rows, more, legal.length === 0 ? h('p', { class: 'soft' }, 'none') : null);
  }
}

/** @param {MoveLabel} label */
function badge(label) {
  const words = LEADS[label.paint]?.words;
  return h('span', { class: `badge ${label.paint} ${label.good ? 'good' : ''}` }, words ? `${words} (${label.text})` : label.text);
}
