// Converts the shapes of a scene to elements. Consecutive shapes with the same name become one group.

/** @import { Shape } from '../engine/api.js' */
import { s } from '../dom.js';
import { formed } from './scene.js';

/** @typedef {{name: string, text: string, node: SVGElement, words: SVGElement | null, elements: SVGElement[]}} Run consecutive shapes with the same name, and their text elements if kept apart; without a name, a single shape */

/** @param {Shape[]} shapes */
export function inRuns(shapes) {
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
export function refill(run, shapes) {
  run.elements = shapes.map((shape) => {
    const element = formed(shape);
    element.setAttribute('class', `p-${shape.paint}`);
    return element;
  });
  if (run.name) put(run);
  else if (run.elements[0]) run.node = run.elements[0];
}

/** Puts the elements of a place into its group. If there are several text elements, they are kept outside, so that a button that shows a 1 and a c is not read as `1c`. @param {Run} run */
function put(run) {
  const texts = run.elements.filter((element) => element.tagName === 'text');
  const isApart = texts.length > 1;
  run.node.replaceChildren(...run.elements.filter((element) => !isApart || !texts.includes(element)));
  if (!isApart) run.words?.remove();
  run.words = isApart ? (run.words ?? s('g', { 'aria-hidden': 'true' })) : null;
  run.words?.replaceChildren(...texts);
}
