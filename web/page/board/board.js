// A scene drawn as SVG, which can be clicked and navigated with the arrow keys. The scene names and labels the places.

/** @import { Scene, Shape } from '../engine/api.js' */
/** @import { Carrier } from './input.js' */
/** @import { Run } from './runs.js' */
import { s } from '../dom.js';
import { ECHO, key, press } from './input.js';
import { Overlay } from './overlay.js';
import { inRuns, refill } from './runs.js';
import { accessibleName, middle, reach } from './scene.js';

/** Maximum number of pixels per unit of a scene, so that a tiny board stays small. */
const MOST_SCALE = 10;

/** A clickable board. Elements persist when the scene changes, so the focus is not lost. */
export class Board {
  /** @param {HTMLElement} holder @param {(name: string) => void} onPick */
  constructor(holder, onPick) {
    this.holder = holder;
    this.onPick = onPick;
    /** @type {Scene | null} */
    this.scene = null;
    /** True if places can be picked. */
    this.active = false;
    /** @type {((name: string) => Carrier | null) | null} Begins a drag from a place; returns null if it cannot be dragged. */
    this.onDrag = null;
    /** @type {(name: string | null) => void} Called when the pointer or the focus reaches a place, or leaves. */
    this.onPoint = () => {};
    /** @type {Map<string, {group: SVGElement, shapes: Shape[]}>} */
    this.places = new Map();
    /** @type {Run[]} */
    this.runs = [];
    /** @type {SVGElement[]} The elements of the scene's shapes, in order. */
    this.elements = [];
    this.current = '';
    this.svg = s('svg', { class: 'scene board' });
    this.overlay = new Overlay(this);
    /** @type {Animation[]} The running animations. */
    this.motions = [];
    /** The time at which the last press ended. */
    this.pressed = -Infinity;
    /** Cancels a drag in progress or, with `isPress`, any press. @type {(isPress?: boolean) => void} */
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
    this.svg.style.setProperty('--natural', `${scene.width * MOST_SCALE}px`);
    this.svg.style.setProperty('--ratio', `${scene.width / scene.height}`);
    this.overlay.explain(null);
    this.overlay.label(new Map());
    this.overlay.arrow([]);
    this.draw(scene);
    this.name();
    this.overlay.name();
    if (!this.holder.contains(this.svg)) this.holder.prepend(this.svg);
    if (focused && active && document.activeElement !== this.places.get(this.current)?.group) this.stand(this.current, true);
  }

  /** Draws the shapes. Consecutive shapes with the same name become one group; unchanged groups are reused. @param {Scene} scene */
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
    // An element that is reinserted loses the focus, so elements already in place are left alone.
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

  /** Makes every place a button if the board is active, and no place a button otherwise. */
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
    this.svg.addEventListener('pointerdown', (event) => press(this, event));
    this.svg.addEventListener('click', (event) => {
      // Most clicks belong to a press that was already handled; screen readers send only clicks.
      if (!this.active || event.timeStamp - this.pressed < ECHO) return;
      const name = this.nameAt(event.target);
      if (name !== null) this.pick(name);
    });
    this.holder.addEventListener('keydown', (event) => key(this, event));
    for (const kind of ['pointerover', 'focusin']) this.holder.addEventListener(kind, (event) => this.onPoint(this.nameAt(event.target)));
    for (const kind of ['pointerleave', 'focusout']) this.holder.addEventListener(kind, () => this.onPoint(null));
    // The listener is not on the drawing itself: a focus listener would make the drawing focusable, and a click outside the places would
    // outline it.
    this.holder.addEventListener('focusin', (event) => {
      const name = this.nameAt(event.target);
      if (this.active && name !== null) this.stand(name, false);
    });
  }

  /** Plays a short animation, once per scene. */
  celebrate() {
    if (this.holder.dataset.joy === this.scene?.title) return;
    this.holder.dataset.joy = this.scene?.title ?? '';
    this.holder.classList.add('joy');
    setTimeout(() => this.holder.classList.remove('joy'), 600);
  }

  /** @param {string} name */
  pick(name) {
    this.stand(name, false);
    this.onPick(name);
  }

  /** The pointer's coordinates in scene units. @param {{clientX: number, clientY: number}} event @returns {[number, number]} */
  point({ clientX, clientY }) {
    const matrix = /** @type {SVGSVGElement} */ (this.svg).getScreenCTM()?.inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix);
    return [x, y];
  }

  /** Pixels per scene unit. */
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

  /** Makes a place the keyboard's current one, and focuses it if `focus` is set. @param {string} name @param {boolean} focus */
  stand(name, focus) {
    this.places.get(this.current)?.group.setAttribute('tabindex', '-1');
    const place = this.places.get(name);
    if (!place) return;
    this.current = name;
    place.group.setAttribute('tabindex', '0');
    if (focus) place.group.focus({ preventScroll: true });
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

  /** The radius of a place. @param {string} name */
  radius(name) {
    const form = this.places.get(name)?.shapes[0];
    return form ? reach(form) : 0;
  }
}
