// A scene on the page: drawn as SVG, clicked, and navigated with the arrow keys. What a place is called and shows is the
// scene's to say.

/** @import { Explanation, Form, Gesture, Scene, Shape, Tint } from './api.js' */
import { s } from './dom.js';

/** @param {Form} form @returns {SVGElement} */
function formed(form) {
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
function middle(form) {
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

/** A board that can be clicked. */
export class Board {
  /** @param {HTMLElement} holder @param {(name: string) => void} onPick */
  constructor(holder, onPick) {
    this.holder = holder;
    this.onPick = onPick;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Map<string, {group: SVGElement, shapes: Shape[]}>} */
    this.places = new Map();
    this.current = '';
    this.svg = s('svg', {});
    this.over = s('g', {});
  }

  /** @param {Scene} scene @param {boolean} active */
  show(scene, active = true) {
    const focused = this.holder.contains(document.activeElement);
    this.scene = scene;
    this.svg = s('svg', { viewBox: `0 0 ${scene.width} ${scene.height}`, class: 'scene board', role: active ? 'group' : 'img', 'aria-label': scene.title });
    this.draw(scene);
    if (active) this.activate();
    this.svg.style.setProperty('--natural', `${scene.width * magnification(scene)}px`);
    this.svg.style.setProperty('--ratio', `${scene.width / scene.height}`);
    this.holder.replaceChildren(this.svg);
    if (focused && active) this.stand(this.current, true);
  }

  /** Adds the shapes; those that follow each other under one name become one group. @param {Scene} scene */
  draw(scene) {
    this.places.clear();
    let group = s('g', {});
    let open = '';
    for (const shape of scene.shapes) {
      const element = formed(shape);
      element.setAttribute('class', `p-${shape.paint}`);
      if (!shape.name) {
        open = '';
        this.svg.append(element);
        continue;
      }
      if (open !== shape.name) {
        group = s('g', { class: 'place', 'data-name': shape.name });
        this.svg.append(group);
        open = shape.name;
        if (!this.places.has(shape.name)) this.places.set(shape.name, { group, shapes: [] });
      }
      group.append(element);
      this.places.get(shape.name)?.shapes.push(shape);
    }
    this.over = s('g', { class: 'over' });
    this.svg.append(this.over);
  }

  /** Makes every place a button. */
  activate() {
    if (!this.places.has(this.current)) this.current = this.places.keys().next().value ?? '';
    for (const [name, { group, shapes }] of this.places) {
      group.setAttribute('role', 'button');
      group.setAttribute('aria-label', accessibleName(name, shapes));
      group.setAttribute('tabindex', name === this.current ? '0' : '-1');
    }
    this.svg.addEventListener('click', (event) => {
      const name = this.nameAt(event.target);
      if (name === null) return;
      this.stand(name, false);
      this.onPick(name);
    });
    this.svg.addEventListener('keydown', (event) => this.key(event));
    this.svg.addEventListener('focusin', (event) => {
      const name = this.nameAt(event.target);
      if (name !== null) this.stand(name, false);
    });
  }

  /** @param {EventTarget | null} target */
  nameAt(target) {
    const group = target instanceof Element ? target.closest('[data-name]') : null;
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
    if (name === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.onPick(name);
      return;
    }
    /** @type {Record<string, [number, number]>} */
    const directions = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const direction = directions[event.key];
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
    this.over.replaceChildren();
    for (const tint of this.svg.querySelectorAll('.tint')) tint.remove();
    this.svg.classList.toggle('noted', explanation?.tints.some((tint) => tint.note !== undefined) ?? false);
    if (!explanation) return;
    const notes = explanation.tints.flatMap((tint) => this.tint(tint) ?? []);
    for (const shape of explanation.shapes) {
      const element = formed(shape);
      element.setAttribute('class', `stroke p-${shape.paint}`);
      this.over.append(element);
    }
    this.over.append(...notes);
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
    if (!tint.note) return null;
    const [x, y] = middle(shape);
    const text = formed({ form: 'text', x, y, size: 13, text: tint.note });
    text.setAttribute('class', 'note');
    return text;
  }
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
