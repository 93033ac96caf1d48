// Everything drawn over a board: an explanation with its tints, lines and notes, an arrow for a hint, and badges for the results of
// moves.

/** @import { Explanation, Form, Tint } from '../engine/api.js' */
/** @import { Board } from './board.js' */
import { s } from '../dom.js';
import { formed } from './scene.js';

const RESULTS = new Set(['win', 'draw', 'lose']);

export class Overlay {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.layer = s('g', { class: 'over' });
    this.badges = s('g', { class: 'over badges', 'aria-hidden': 'true' });
    this.pointer = s('g', { class: 'over pointer', 'aria-hidden': 'true' });
    this.names = s('g', { class: 'over names', 'aria-hidden': 'true' });
    /** True if the names of places are shown. */
    this.isNamed = false;
    board.svg.append(this.names, this.layer, this.badges, this.pointer);
    /** @type {Explanation | null} The explanation shown. */
    this.explained = null;
  }

  /** Draws an explanation over the board, or removes it. @param {Explanation | null} explanation */
  explain(explanation) {
    this.explained = explanation;
    this.layer.replaceChildren();
    for (const tint of this.board.svg.querySelectorAll('.tint')) tint.remove();
    for (const text of this.board.svg.querySelectorAll('text.under')) text.classList.remove('under');
    if (!explanation) return;
    const notes = explanation.tints.flatMap((tint) => this.tint(tint) ?? []);
    for (const shape of explanation.shapes) {
      const element = formed(shape);
      element.setAttribute('class', `stroke p-${shape.paint}`);
      this.layer.append(element);
    }
    if (explanation.shapes.length > 0) this.layer.append(...this.texts());
    this.layer.append(...notes);
  }

  /** The short names of the places that the scene itself does not show. @returns {[name: string, short: string][]} */
  get unnamed() {
    const written = new Set(this.board.scene?.shapes.flatMap((shape) => (shape.form === 'text' ? [shape.text] : [])));
    const short = (/** @type {string} */ name) => name.split(' ').at(-1) ?? name;
    return [...this.board.places.keys()].flatMap((name) => (written.has(short(name)) ? [] : [[name, short(name)]]));
  }

  /** Writes the names of places beside them, if that is switched on. */
  name() {
    this.names.replaceChildren();
    for (const [name, short] of this.isNamed ? this.unnamed : []) {
      const [x, y] = this.board.middle(name);
      const above = 0.8 * this.board.radius(name);
      const text = formed({ form: 'text', x, y: y - above, size: 9, text: short });
      text.setAttribute('class', 'note');
      this.names.append(text);
    }
  }

  /** Draws arrows between places, or removes them: for a hint and, in another color, for a move already made. @param {string[]} names @param {string[]} [past] */
  arrow(names, past = []) {
    this.pointer.replaceChildren();
    // The rings around the places are drawn above the neighboring places, which would otherwise hide parts of the rings.
    for (const name of new Set(names)) {
      const shape = this.board.places.get(name)?.shapes[0];
      if (shape) this.pointer.append(formed(shape));
    }
    for (const ring of this.pointer.children) ring.setAttribute('class', 'round');
    this.way(past, 'past');
    this.way(names, '');
  }

  /** @param {string[]} names @param {string} kind */
  way(names, kind) {
    const ways = names.slice(1).flatMap((name, at) => (name === names[at] ? [] : [[names[at] ?? '', name]]));
    for (const [from = '', to = ''] of ways) {
      const [[x0, y0], [x1, y1]] = [this.board.middle(from), this.board.middle(to)];
      const long = Math.hypot(x1 - x0, y1 - y0) || 1;
      const [dx, dy] = [(x1 - x0) / long, (y1 - y0) / long];
      // The arrow leads from inside the rim of one place to inside the rim of the other.
      const [near, far] = [0.6 * this.board.radius(from), 0.45 * this.board.radius(to)];
      const [ax, ay, bx, by] = [x0 + dx * near, y0 + dy * near, x1 - dx * far, y1 - dy * far];
      const head = [[bx, by], [bx - 13 * dx + 7 * dy, by - 13 * dy - 7 * dx], [bx - 13 * dx - 7 * dy, by - 13 * dy + 7 * dx]];
      this.pointer.append(s('line', { class: kind, x1: ax, y1: ay, x2: bx - 11 * dx, y2: by - 11 * dy }), s('polygon', { class: kind, points: head.map((point) => point.join(',')).join(' ') }));
    }
  }

  /** Labels places with the results of moves there: a badge with a color and a character, and words for screen readers. @param {Map<string, {paint: string, sign: string, words: string}>} labels */
  label(labels) {
    this.badges.replaceChildren();
    for (const [name, { group }] of this.board.places) if (!labels.has(name)) group.removeAttribute('aria-description');
    for (const [name, { paint, sign, words }] of labels) {
      const place = this.board.places.get(name);
      if (!place) continue;
      const [x, y] = this.board.middle(name);
      const aside = 0.78 * this.board.radius(name);
      const circle = formed({ form: 'circle', x: x + aside, y: y - aside, r: 7 });
      circle.setAttribute('class', `p-${paint}`);
      const text = formed({ form: 'text', x: x + aside, y: y - aside, size: 12, text: sign });
      text.setAttribute('class', 'p-ink');
      this.badges.append(circle, text);
      place.group.setAttribute('aria-description', words);
    }
  }

  /** Copies of all text elements, drawn above shapes that would hide the originals. */
  texts() {
    return this.board.elements.filter((element) => element.tagName === 'text').map((element) => /** @type {SVGElement} */ (element.cloneNode(true)));
  }

  /** Colors a place; returns its note, if any, to be drawn on top. @param {Tint} tint @returns {SVGElement | null} */
  tint(tint) {
    const place = this.board.places.get(tint.name);
    const shape = place?.shapes[0];
    if (!place || !shape) return null;
    const element = formed(shape);
    if (tint.strength === 0 || RESULTS.has(tint.paint)) {
      // An outline is drawn above everything else. Results of moves are outlines too, because a game may use similar colors for pieces.
      element.setAttribute('class', `ring p-${tint.paint}`);
      this.layer.append(element);
    } else {
      // The tint goes above the background and below the piece.
      element.setAttribute('class', `tint p-${tint.paint}`);
      element.style.opacity = String(tint.strength);
      place.group.firstElementChild?.after(element);
    }
    return tint.note ? this.note(tint.name, tint.note) : null;
  }

  /** A note at a place: in the middle, or in the corner if the middle has text. @param {string} name @param {string} note */
  note(name, note) {
    const place = this.board.places.get(name);
    let [x, y] = this.board.middle(name);
    const isThere = (/** @type {Form} */ form) => form.form === 'text' && Math.hypot(form.x - x, form.y - y) < 8;
    // Background text is hidden.
    for (const [at, shape] of (this.board.scene?.shapes ?? []).entries()) if (!shape.name && isThere(shape)) this.board.elements[at]?.classList.add('under');
    const corner = place?.shapes.some(isThere) ? 0.62 * this.board.radius(name) : 0;
    [x, y] = [x + corner, y - corner];
    const text = formed({ form: 'text', x, y, size: corner > 0 ? 11 : 13, text: note });
    text.setAttribute('class', 'note');
    return text;
  }
}
