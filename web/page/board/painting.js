// A search painted on a board: expanded places are shaded in the order of their expansion, open places have a color, and a band marks a
// path.

/** @import { Scene } from '../engine/api.js' */
import { s } from '../dom.js';
import { formed, middle, reach } from './scene.js';

/**
 * The fields of a trace line that painting needs.
 * @typedef {{parent: number | null, bound?: number, place?: string, children: {place?: string, fate: string}[]}} PlacedLine
 */

const SHADES = 8;
export const OPEN = 'color3';

/** The paint of each place after a step. If there are several rounds, only the round of the step is painted. @param {PlacedLine[]} lines @param {number} step @returns {Map<string, string>} */
export function paintsAt(lines, step) {
  let begin = 0;
  let end = lines.length;
  const isRoot = (/** @type {number} */ at) => lines[at]?.parent === null;
  if (lines[step - 1]?.bound !== undefined) {
    for (begin = step - 1; begin > 0 && !isRoot(begin); begin -= 1);
    for (end = begin + 1; end < lines.length && !isRoot(end); end += 1);
  }
  /** @type {Map<string, string>} */
  const paints = new Map();
  for (let at = begin; at < step; at += 1) {
    const line = lines[at];
    if (!line) break;
    for (const { place, fate } of line.children) if (place !== undefined && (fate === 'new' || fate === 'better')) paints.set(place, OPEN);
    if (line.place !== undefined) paints.set(line.place, `shade${1 + Math.min(SHADES - 1, Math.floor((SHADES * (at - begin)) / (end - begin)))}`);
  }
  return paints;
}

/** A drawing whose places can be painted. */
export class Painted {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    this.svg = s('svg', { viewBox: `0 0 ${scene.width} ${scene.height}`, class: 'scene mini painted', 'aria-hidden': 'true', focusable: 'false' });
    /** @type {Map<string, {paint: SVGElement, middle: [number, number], radius: number, is: string}>} */
    this.places = new Map();
    for (const shape of scene.shapes) {
      const element = formed(shape);
      element.setAttribute('class', `p-${shape.paint}`);
      this.svg.append(element);
      if (shape.name === undefined) continue;
      element.setAttribute('data-name', shape.name);
      if (this.places.has(shape.name)) continue;
      // The paint goes above the background of the place and below its piece and text.
      const paint = formed(shape);
      paint.setAttribute('class', 'unpainted');
      paint.setAttribute('data-name', shape.name);
      this.svg.append(paint);
      this.places.set(shape.name, { paint, middle: middle(shape), radius: reach(shape), is: '' });
    }
    this.way = s('polyline', { class: 'way' });
    this.now = s('circle', { class: 'unpainted' });
    this.svg.append(this.way, this.now);
  }

  /** @param {Map<string, string>} paints @param {string[]} path the places along a path @param {string | undefined} now the place of the step */
  show(paints, path, now) {
    for (const [name, place] of this.places) {
      const is = paints.get(name) ?? '';
      if (is === place.is) continue;
      place.is = is;
      place.paint.setAttribute('class', is === '' ? 'unpainted' : `p-${is}`);
    }
    const known = path.flatMap((name) => this.places.get(name) ?? []);
    this.way.setAttribute('points', known.map(({ middle }) => middle.join(',')).join(' '));
    this.way.setAttribute('stroke-width', String(0.45 * (known[0]?.radius ?? 0)));
    const at = this.places.get(now ?? '');
    this.now.setAttribute('class', at ? 'now' : 'unpainted');
    if (!at) return;
    for (const [name, value] of Object.entries({ cx: at.middle[0], cy: at.middle[1], r: 0.8 * at.radius })) this.now.setAttribute(name, String(value));
  }

  /** The place under the pointer. @param {EventTarget | null} target */
  nameAt(target) {
    return target instanceof Element && this.svg.contains(target) ? target.getAttribute('data-name') : null;
  }
}
