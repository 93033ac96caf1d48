// The Play workspace: the rules, the moves so far, and the legal moves with their results.

/** @typedef {Pick<import('../frame/view.js').GameView, 'about' | 'advice' | 'board' | 'gesture' | 'isSolved' | 'make' | 'moves' | 'opponent' | 'position' | 'primer' | 'review'>} Host the members of the view that this module uses */
/** @import { MoveLabel } from '../engine/api.js' */
import { capital, fill, grouped, h } from '../dom.js';
import { LEADS } from '../frame/verdict.js';
import { choice, choose, remembered } from '../state/choices.js';
import { lights } from '../board/places.js';

/** Maximum number of moves listed. */
const MOST_LISTED = 200;

export class PlayPanel {
  /** @param {Host} view @param {HTMLElement} panel */
  constructor(view, panel) {
    this.view = view;
    this.element = panel;
    /** True after the first move, for which the rules make room, and whether they were open before. */
    this.isRoomMade = false;
    this.wasOpen = false;
    this.short = this.shortRules();
    this.legal = h('div', { class: 'moves' });
    this.count = h('span', { class: 'soft' });
    this.fold = h('details', { class: 'legal' }, h('summary', null, 'Legal moves ', this.count), this.legal);
    /** @type {{button: HTMLElement, clicks: string[]}[]} The moves listed. */
    this.rows = [];
    this.named = h('input', { type: 'checkbox', id: 'name-places', onchange: () => this.name() });
    this.named.checked = choice('names') === 'on';
    this.naming = h('label', { class: 'check', for: 'name-places' }, this.named, 'Show the names of places');
    this.naming.hidden = true;
    fill(panel, this.intro(), view.opponent.element, view.advice.element, this.naming, view.review.element, this.fold);
    view.board.overlay.isNamed = this.named.checked;
    view.board.onPoint = (name) => this.point(name);
  }

  /** The rules: a short version with pictures, and the full text. */
  intro() {
    return h('div', { class: 'intro' }, this.short, h('details', null, h('summary', null, 'All rules and formats'), h('pre', { tabindex: '0' }, this.view.about.rules)));
  }

  shortRules() {
    const { about, primer } = this.view;
    const isSmall = matchMedia('(max-width: 860px), (max-height: 540px)').matches;
    return remembered(h('details', { class: 'short' }, h('summary', null, 'How to play'), h('p', { class: 'lead' }, `${capital(about.about)}.`), primer.element), 'rules', !isSmall);
  }

  reset() {
    if (this.isRoomMade && this.wasOpen) this.unfold(choice('rules') !== 'closed');
    this.isRoomMade = false;
    this.view.review.reset();
  }

  /** Shows or hides the names of places, and remembers the choice. */
  name() {
    const { overlay } = this.view.board;
    choose('names', this.named.checked ? 'on' : 'off');
    overlay.isNamed = this.named.checked;
    overlay.name();
  }

  /** Highlights the moves at a place. @param {string | null} name */
  point(name) {
    for (const { button, clicks } of this.rows) button.classList.toggle('lit', name !== null && clicks.includes(name));
    this.view.review.point(name);
  }

  stop() {
    this.view.review.stop();
  }

  /** The earlier position shown, if any, for the address. */
  sight() {
    const { at } = this.view.review;
    return at < 0 ? {} : { look: String(at + 1) };
  }

  /** @param {import('../state/address.js').Sight} sight */
  restore({ look }) {
    const at = Number(look) - 1;
    if (this.view.moves[at] !== undefined) this.view.review.look(at);
  }

  /** Opens or folds the short rules. Reinserting the parts avoids a layout shift. @param {boolean} isOpen */
  unfold(isOpen) {
    if (this.short.open === isOpen) return;
    const focused = document.activeElement;
    this.short.open = isOpen;
    fill(this.element, ...this.element.childNodes);
    if (focused instanceof HTMLElement && this.element.contains(focused)) focused.focus({ preventScroll: true });
  }

  refresh() {
    // After the first move, the moves need the room, unless the rules are beside them.
    if (this.view.moves.length > 0 && !this.isRoomMade && !matchMedia('(min-width: 1600px) and (min-height: 700px)').matches) {
      [this.isRoomMade, this.wasOpen] = [true, this.short.open];
      this.unfold(false);
    }
    // Once shown, it stays, so that nothing below it moves.
    this.naming.hidden &&= this.view.board.overlay.unnamed.length === 0;
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
      const clicks = this.view.gesture(text);
      const button = h('button', { type: 'button', onclick: () => this.view.make(text) }, h('span', null, text), note);
      lights(this.view.board, button, () => clicks);
      return { button, clicks };
    });
    this.rows = rows;
    // The row under the pointer no longer exists.
    this.view.board.mark('pointed', []);
    const more = legal.length > MOST_LISTED ? h('p', { class: 'soft' }, `and ${grouped(legal.length - MOST_LISTED)} more`) : null;
    fill(this.count, `(${grouped(legal.length)})`);
    fill(this.legal, ...rows.map(({ button }) => button), more, legal.length === 0 ? h('p', { class: 'soft' }, 'none') : null);
  }
}

/** @param {MoveLabel} label */
function badge(label) {
  const words = LEADS[label.paint]?.words;
  return h('span', { class: `badge ${label.paint} ${label.good ? 'good' : ''}` }, words ? `${words} (${label.text})` : label.text);
}
