// A scene on the page: drawn as SVG, clicked, and navigated with the arrow keys. What a place is called and shows is the
// scene's to say.

/** @import { Explanation, Form, Gesture, Scene, Shape, Tint } from './api.js' */
import { s } from './dom.js';

/** @param {Form} form @returns {SVGElement} */
export function formed(form) {
  switch (form.form) {
    case 'circle':
      return s('circle', { cx: form.x, cy: form.y, r: form.r });
    case 'rect':
      return s('rect', { x: form.x, y: form.y, width: form.width, height: form.height, rx: Math.min(form.width, form.height) * 0.14 });
    case 'polygon':
      return s('polygon', { points: form.points.map((point) => point.join(',')).join(' '), 'stroke-linejoin': 'round' });
    case 'line':
      return s('line', { x1: form.from[0], y1: form.from[1], x2: form.to[0], y2: form.to[1] });
    case 'text': {
      const text = s('text', { x: form.x, y: form.y, dy: '.35em', 'font-size': form.size });
      text.textContent = form.text;
      return text;
    }
  }
}

/** The middle of a shape. @param {Form} form @returns {[number, number]} */
export function middle(form) {
  switch (form.form) {
    case 'rect':
      return [form.x + form.width / 2, form.y + form.height / 2];
    case 'polygon': {
      const sum = form.points.reduce(([x, y], point) => [x + point[0], y + point[1]], [0, 0]);
      return [sum[0] / form.points.length, sum[1] / form.points.length];
    }
    case 'line':
      return [(form.from[0] + form.to[0]) / 2, (form.from[1] + form.to[1]) / 2];
    default:
      return [form.x, form.y];
  }
}

/** What a named place shows, in the game's words, or else its name and texts. @param {string} name @param {Shape[]} shapes */
function accessibleName(name, shapes) {
  const label = shapes.find((shape) => shape.label)?.label;
  const texts = shapes.flatMap((shape) => (shape.form === 'text' && shape.text !== name ? [shape.text] : []));
  return label ?? [name, ...texts].join(', ');
}

/**
 * A drawing that cannot be clicked.
 * @param {Scene} scene
 * @returns {SVGElement}
 */
export function miniature(scene) {
  const svg = s('svg', { viewBox: `0 0 ${scene.width} ${scene.height}`, class: 'scene mini', 'aria-hidden': 'true', focusable: 'false' });
  for (const shape of scene.shapes) {
    const element = formed(shape);
    element.setAttribute('class', `p-${shape.paint}`);
    svg.append(element);
  }
  return svg;
}

/** Pixels per unit: large boards may use the whole width, small ones should not look blown up. @param {Scene} scene */
export const magnification = (scene) => Math.min(2.2, Math.max(1, 460 / Math.max(scene.width, scene.height)));

/**
 * What takes over when the pointer is dragged away from the place where it was pressed.
 * @typedef {{move: (event: PointerEvent) => void, drop: (event: PointerEvent) => void, cancel: () => void}} Carrier
 * @typedef {{name: string, text: string, node: SVGElement, words: SVGElement | null, elements: SVGElement[]}} Run shapes that follow each other under one name, with texts that are apart; without a name, a single shape
 */

/** How far, in pixels, a mouse or a finger may stray before a press is a drag; and how far beside a place a finger may touch. */
const SLOP = { mouse: 4, touch: 9 };
const REACH = 24;
/** Milliseconds in which a browser sends the click that belongs to a press. */
const ECHO = 700;

/** @type {Record<string, [number, number]>} Where the arrow keys lead. */
export const DIRECTIONS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** A board that can be clicked. The drawing and its places stay the same elements while scenes change, and so does the focus. */
export class Board {
  /** @param {HTMLElement} holder @param {(name: string) => void} onPick */
  constructor(holder, onPick) {
    this.holder = holder;
    this.onPick = onPick;
    /** @type {Scene | null} */
    this.scene = null;
    /** Can places be picked? */
    this.active = false;
    /** @type {((name: string) => Carrier | null) | null} What a drag from a place does, if anything. */
    this.onDrag = null;
    /** @type {Map<string, {group: SVGElement, shapes: Shape[]}>} */
    this.places = new Map();
    /** @type {Run[]} */
    this.runs = [];
    /** @type {SVGElement[]} Of the scene's shapes, in their order. */
    this.elements = [];
    this.current = '';
    this.svg = s('svg', { class: 'scene board' });
    this.over = s('g', { class: 'over' });
    this.badges = s('g', { class: 'over badges', 'aria-hidden': 'true' });
    this.svg.append(this.over, this.badges);
    /** @type {Explanation | null} The one that is drawn over the board. */
    this.explained = null;
    /** @type {Animation[]} What still moves. */
    this.motions = [];
    /** When the last press ended. */
    this.pressed = -Infinity;
    /** Takes back a drag that is under way or, if told so, any press. @type {(isPress?: boolean) => void} */
    this.release = () => {};
    this.listen();
  }

  /** @param {Scene} scene @param {boolean} active */
  show(scene, active = true) {
    const focused = this.holder.contains(document.activeElement);
    this.scene = scene;
    this.active = active;
    const looks = { viewBox: `0 0 ${scene.width} ${scene.height}`, role: active ? 'group' : 'img', 'aria-label': scene.title };
    for (const [name, value] of Object.entries(looks)) if (this.svg.getAttribute(name) !== value) this.svg.setAttribute(name, value);
    this.svg.style.setProperty('--natural', `${scene.width * magnification(scene)}px`);
    this.svg.style.setProperty('--ratio', `${scene.width / scene.height}`);
    this.explain(null);
    this.label(new Map());
    this.draw(scene);
    this.name();
    if (!this.holder.contains(this.svg)) this.holder.prepend(this.svg);
    if (focused && active && document.activeElement !== this.places.get(this.current)?.group) this.stand(this.current, true);
  }

  /** Draws the shapes; those that follow each other under one name become one group. What has not changed stays. @param {Scene} scene */
  draw(scene) {
    for (const motion of this.motions.splice(0)) motion.cancel();
    for (const leaving of this.svg.querySelectorAll('.leaving')) leaving.remove();
    /** @type {Map<string, Run[]>} */
    const before = new Map();
    const key = (/** @type {{name: string, text: string}} */ run) => (run.name ? `name ${run.name}` : run.text);
    for (const run of this.runs) {
      const same = before.get(key(run));
      if (same) same.push(run);
      else before.set(key(run), [run]);
    }
    this.runs = inRuns(scene.shapes).map(({ name, shapes }) => {
      const text = JSON.stringify(shapes);
      const run = before.get(key({ name, text }))?.shift() ?? { name, text: '', node: s('g', { 'data-name': name }), words: null, elements: [] };
      if (run.text !== text) refill(run, shapes);
      run.text = text;
      return run;
    });
    this.elements = this.runs.flatMap((run) => run.elements);
    for (const { node, words } of [...before.values()].flat()) for (const old of [node, words]) old?.remove();
    // Only what is not in its place already is moved: an element that moves loses the focus.
    let cursor = this.svg.firstChild;
    for (const node of this.runs.flatMap(({ node, words }) => (words ? [node, words] : [node]))) {
      if (node === cursor) cursor = cursor.nextSibling;
      else this.svg.insertBefore(node, cursor);
    }
    this.places.clear();
    let at = 0;
    for (const { name, node, elements } of this.runs) {
      const shapes = scene.shapes.slice(at, (at += elements.length));
      if (!name) continue;
      node.setAttribute('class', 'place');
      const place = this.places.get(name);
      if (place) place.shapes.push(...shapes);
      else this.places.set(name, { group: node, shapes });
    }
  }

  /** Makes every place a button, or none. */
  name() {
    if (!this.places.has(this.current)) this.current = this.places.keys().next().value ?? '';
    for (const [name, { group, shapes }] of this.places) {
      const looks = { role: 'button', 'aria-label': accessibleName(name, shapes), tabindex: name === this.current ? '0' : '-1' };
      for (const [attribute, value] of Object.entries(looks)) {
        if (!this.active) group.removeAttribute(attribute);
        else if (group.getAttribute(attribute) !== value) group.setAttribute(attribute, value);
      }
    }
  }

  listen() {
    this.svg.addEventListener('pointerdown', (event) => this.press(event));
    this.svg.addEventListener('click', (event) => {
      // Most clicks belong to a press, which was handled already; screen readers send clicks alone.
      if (!this.active || event.timeStamp - this.pressed < ECHO) return;
      const name = this.nameAt(event.target);
      if (name !== null) this.pick(name);
    });
    this.holder.addEventListener('keydown', (event) => this.key(event));
    // Not on the drawing itself: a listener for focus would make it focusable, and a click beside the places frame it.
    this.holder.addEventListener('focusin', (event) => {
      const name = this.nameAt(event.target);
      if (this.active && name !== null) this.stand(name, false);
    });
  }

  /** @param {string} name */
  pick(name) {
    this.stand(name, false);
    this.onPick(name);
  }

  /**
   * A pointer goes down: a press if it comes up at the same place, else perhaps a drag. The browser's own clicks would be lost
   * where the board is drawn anew in between.
   * @param {PointerEvent} start
   */
  press(start) {
    if (!this.active || start.button !== 0 || !start.isPrimary) return;
    this.release(true);
    const isTouch = start.pointerType !== 'mouse';
    const name = this.nameAt(start.target) ?? (isTouch ? this.near(start, REACH) : null);
    if (name === null) return;
    /** @type {Carrier | null} */
    let carrier = null;
    let strayed = false;
    const until = new AbortController();
    const end = () => {
      until.abort();
      this.release = () => {};
    };
    this.release = (isPress = false) => {
      if (!carrier && !isPress) return;
      end();
      carrier?.cancel();
    };
    /** @param {string} kind @param {(event: PointerEvent) => void} act */
    const on = (kind, act) =>
      addEventListener(kind, (event) => event instanceof PointerEvent && event.pointerId === start.pointerId && act(event), { signal: until.signal, capture: true });
    on('pointermove', (event) => {
      const far = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY);
      if (!strayed && far > SLOP[isTouch ? 'touch' : 'mouse']) {
        strayed = true;
        carrier = this.onDrag?.(name) ?? null;
      }
      carrier?.move(event);
    });
    on('pointerup', (event) => {
      end();
      this.pressed = event.timeStamp;
      if (carrier) return carrier.drop(event);
      const target = document.elementFromPoint(event.clientX, event.clientY);
      if (!strayed || this.nameAt(target) === name) this.pick(name);
    });
    on('pointercancel', () => this.release(true));
    addEventListener('keydown', (event) => event.key === 'Escape' && carrier && (event.stopPropagation(), this.release()), { signal: until.signal, capture: true });
    // A second finger zooms, which is not a drag.
    addEventListener('touchstart', (event) => event.touches.length > 1 && this.release(true), { signal: until.signal, passive: true });
    // Where `touch-action` is not enough, the page would scroll under the finger.
    addEventListener('touchmove', (event) => carrier && event.cancelable && event.preventDefault(), { signal: until.signal, passive: false });
  }

  /** The pointer in the units of the scene. @param {{clientX: number, clientY: number}} event @returns {[number, number]} */
  point({ clientX, clientY }) {
    const matrix = /** @type {SVGSVGElement} */ (this.svg).getScreenCTM()?.inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix);
    return [x, y];
  }

  /** Pixels per unit of the scene. */
  get scale() {
    return this.svg.getBoundingClientRect().width / (this.scene?.width || 1);
  }

  /** The place nearest to the pointer, if it is within `reach` pixels. @param {{clientX: number, clientY: number}} event @param {number} reach @param {Iterable<string>} [among] */
  near(event, reach, among = this.places.keys()) {
    const [x, y] = this.point(event);
    let best = null;
    let least = reach / this.scale;
    for (const name of among) {
      const [left, top] = this.middle(name);
      const away = Math.hypot(left - x, top - y);
      if (away <= least) [best, least] = [name, away];
    }
    return best;
  }

  /** @param {EventTarget | null} target */
  nameAt(target) {
    const group = target instanceof Element && this.svg.contains(target) ? target.closest('[data-name]') : null;
    return group?.getAttribute('data-name') ?? null;
  }

  /** The place that the keyboard is at. @param {string} name @param {boolean} focus */
  stand(name, focus) {
    this.places.get(this.current)?.group.setAttribute('tabindex', '-1');
    const place = this.places.get(name);
    if (!place) return;
    this.current = name;
    place.group.setAttribute('tabindex', '0');
    if (focus) place.group.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const name = this.nameAt(event.target);
    if (!this.active || name === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.onPick(name);
      return;
    }
    const direction = DIRECTIONS[event.key];
    if (!direction) return;
    event.preventDefault();
    const to = this.beside(name, direction);
    if (to !== null) this.stand(to, true);
  }

  /** The nearest place in a direction: ahead counts once, aside three times. @param {string} name @param {[number, number]} direction */
  beside(name, [dx, dy]) {
    const from = this.middle(name);
    let best = null;
    let least = Infinity;
    for (const other of this.places.keys()) {
      const at = this.middle(other);
      const ahead = (at[0] - from[0]) * dx + (at[1] - from[1]) * dy;
      const aside = Math.abs((at[0] - from[0]) * dy) + Math.abs((at[1] - from[1]) * dx);
      if (other === name || ahead < 1) continue;
      const away = ahead + 3 * aside;
      if (away < least) [best, least] = [other, away];
    }
    return best;
  }

  /** @param {string} name @returns {[number, number]} */
  middle(name) {
    const shape = this.places.get(name)?.shapes[0];
    return shape ? middle(shape) : [0, 0];
  }

  /** Marks places: `picked`, `next`, `last`, `hint`. @param {string} kind @param {Iterable<string>} names */
  mark(kind, names) {
    for (const group of this.svg.querySelectorAll(`.${kind}`)) group.classList.remove(kind);
    for (const name of names) this.places.get(name)?.group.classList.add(kind);
  }

  /** Draws an explanation over the board, or takes it away. @param {Explanation | null} explanation */
  explain(explanation) {
    this.explained = explanation;
    this.over.replaceChildren();
    for (const tint of this.svg.querySelectorAll('.tint')) tint.remove();
    for (const text of this.svg.querySelectorAll('text.under')) text.classList.remove('under');
    if (!explanation) return;
    const notes = explanation.tints.flatMap((tint) => this.tint(tint) ?? []);
    for (const shape of explanation.shapes) {
      const element = formed(shape);
      element.setAttribute('class', `stroke p-${shape.paint}`);
      this.over.append(element);
    }
    if (explanation.shapes.length > 0) this.over.append(...this.texts());
    this.over.append(...notes);
  }

  /** Says of places what a move there leads to, by a small badge: a paint, a character, and words. @param {Map<string, {paint: string, sign: string, words: string}>} labels */
  label(labels) {
    this.badges.replaceChildren();
    for (const [name, { group }] of this.places) if (!labels.has(name)) group.removeAttribute('aria-description');
    for (const [name, { paint, sign, words }] of labels) {
      const place = this.places.get(name);
      if (!place) continue;
      const [x, y] = this.middle(name);
      const aside = 0.78 * this.radius(name);
      const circle = formed({ form: 'circle', x: x + aside, y: y - aside, r: 7 });
      circle.setAttribute('class', `p-${paint}`);
      const text = formed({ form: 'text', x: x + aside, y: y - aside, size: 12, text: sign });
      text.setAttribute('class', 'p-ink');
      this.badges.append(circle, text);
      place.group.setAttribute('aria-description', words);
    }
  }

  /** Copies of all texts, for what lies over the texts themselves. */
  texts() {
    return this.elements.filter((element) => element.tagName === 'text').map((element) => /** @type {SVGElement} */ (element.cloneNode(true)));
  }

  /** Colors a place; gives its note, if any, to be drawn on top of everything. @param {Tint} tint @returns {SVGElement | null} */
  tint(tint) {
    const place = this.places.get(tint.name);
    const shape = place?.shapes[0];
    if (!place || !shape) return null;
    const element = formed(shape);
    if (tint.strength === 0) {
      // An outline goes around everything.
      element.setAttribute('class', `ring p-${tint.paint}`);
      this.over.append(element);
    } else {
      // Over the ground, under what stands on it.
      element.setAttribute('class', `tint p-${tint.paint}`);
      element.style.opacity = String(tint.strength);
      place.group.firstElementChild?.after(element);
    }
    return tint.note ? this.note(tint.name, tint.note) : null;
  }

  /** A note at a place: in its middle, or in the corner where a text stands there. @param {string} name @param {string} note */
  note(name, note) {
    const place = this.places.get(name);
    let [x, y] = this.middle(name);
    const isThere = (/** @type {Form} */ form) => form.form === 'text' && Math.hypot(form.x - x, form.y - y) < 8;
    // A text that belongs to nothing but the ground makes room.
    for (const [at, shape] of (this.scene?.shapes ?? []).entries()) if (!shape.name && isThere(shape)) this.elements[at]?.classList.add('under');
    const corner = place?.shapes.some(isThere) ? 0.62 * this.radius(name) : 0;
    [x, y] = [x + corner, y - corner];
    const text = formed({ form: 'text', x, y, size: corner > 0 ? 11 : 13, text: note });
    text.setAttribute('class', 'note');
    return text;
  }

  /** How far a place reaches from its middle. @param {string} name */
  radius(name) {
    const form = this.places.get(name)?.shapes[0];
    if (!form) return 0;
    const [x, y] = middle(form);
    if (form.form === 'circle') return form.r;
    if (form.form === 'rect') return Math.min(form.width, form.height) / 2;
    return form.form === 'polygon' ? Math.min(...form.points.map((point, at) => apart([x, y], point, /** @type {[number, number]} */ (form.points[(at + 1) % form.points.length])))) : 0;
  }
}

/** From a point to the middle of a side. @param {[number, number]} from @param {[number, number]} one @param {[number, number]} other */
const apart = (from, one, other) => Math.hypot((one[0] + other[0]) / 2 - from[0], (one[1] + other[1]) / 2 - from[1]);

/** @param {Shape[]} shapes */
function inRuns(shapes) {
  /** @type {{name: string, shapes: Shape[]}[]} */
  const runs = [];
  for (const shape of shapes) {
    const last = runs.at(-1);
    if (shape.name && last?.name === shape.name) last.shapes.push(shape);
    else runs.push({ name: shape.name ?? '', shapes: [shape] });
  }
  return runs;
}

/** @param {Run} run @param {Shape[]} shapes */
function refill(run, shapes) {
  run.elements = shapes.map((shape) => {
    const element = formed(shape);
    element.setAttribute('class', `p-${shape.paint}`);
    return element;
  });
  if (run.name) put(run);
  else if (run.elements[0]) run.node = run.elements[0];
}

/** Puts the elements of a place into its group. Several texts stand beside it: a button is not called `1c` because it shows a 1 and a c. @param {Run} run */
function put(run) {
  const texts = run.elements.filter((element) => element.tagName === 'text');
  const isApart = texts.length > 1;
  run.node.replaceChildren(...run.elements.filter((element) => !isApart || !texts.includes(element)));
  if (!isApart) run.words?.remove();
  run.words = isApart ? (run.words ?? s('g', { 'aria-hidden': 'true' })) : null;
  run.words?.replaceChildren(...texts);
}

/**
 * Which names can be clicked next, given those clicked so far.
 * @param {Gesture[]} gestures
 * @param {string[]} picked
 */
export function nextNames(gestures, picked) {
  const fits = gestures.filter((gesture) => picked.every((name, at) => gesture.clicks[at] === name));
  return new Set(fits.flatMap((gesture) => gesture.clicks[picked.length] ?? []));
}
