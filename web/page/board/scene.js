// Draws the shapes of a scene as SVG, and measures them.

/** @import { Form, Scene, Shape } from '../engine/api.js' */
import { s } from '../dom.js';

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

/** The game's label for a place, or else its name and text. @param {string} name @param {Shape[]} shapes */
export function accessibleName(name, shapes) {
  const label = shapes.find((shape) => shape.label)?.label;
  const texts = shapes.flatMap((shape) => (shape.form === 'text' && shape.text !== name ? [shape.text] : []));
  return label ?? [name, ...texts].join(', ');
}

/** A drawing that cannot be clicked. @param {Scene} scene @returns {SVGElement} */
export function miniature(scene) {
  const svg = s('svg', { viewBox: `0 0 ${scene.width} ${scene.height}`, class: 'scene mini', 'aria-hidden': 'true', focusable: 'false' });
  for (const shape of scene.shapes) {
    const element = formed(shape);
    element.setAttribute('class', `p-${shape.paint}`);
    svg.append(element);
  }
  return svg;
}

/** Pixels per scene unit: small boards are enlarged, up to a limit. @param {Scene} scene */
export const magnification = (scene) => Math.min(2.2, Math.max(1, 460 / Math.max(scene.width, scene.height)));

/** The radius of the largest circle that is centered in a shape and lies inside it. @param {Form} form */
export function reach(form) {
  const [x, y] = middle(form);
  if (form.form === 'circle') return form.r;
  if (form.form === 'rect') return Math.min(form.width, form.height) / 2;
  if (form.form !== 'polygon') return 0;
  return Math.min(...form.points.map((point, at) => apart([x, y], point, /** @type {[number, number]} */ (form.points[(at + 1) % form.points.length]))));
}

/** The distance from a point to the midpoint between two others. @param {[number, number]} from @param {[number, number]} one @param {[number, number]} other */
const apart = (from, one, other) => Math.hypot((one[0] + other[0]) / 2 - from[0], (one[1] + other[1]) / 2 - from[1]);
