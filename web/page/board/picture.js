// The board as a picture: exactly as the page shows it, with any explanation, in the colors of the current theme.

/** @import { Board } from './board.js' */
import { magnification } from './scene.js';
import { s } from '../dom.js';
import { source } from '../download.js';

/** Margin around the board in scene units; PNG pixels per page pixel; maximum pixels per side. */
const MARGIN = 12;
const SHARPNESS = 2;
const MOST_PIXELS = 8192;

/** The properties that define the look of a shape, with their default values. */
const LOOKS = { fill: '', stroke: 'none', 'stroke-width': '1px', 'stroke-dasharray': 'none', 'stroke-linecap': 'butt', 'stroke-linejoin': 'miter', opacity: '1' };
const LOOKS_OF_TEXT = { ...LOOKS, 'font-family': '', 'font-size': '', 'font-weight': '400', 'text-anchor': 'start', 'paint-order': 'normal' };
/** The geometric attributes, which are copied unchanged. */
const SHAPES = new Set(['cx', 'cy', 'r', 'x', 'y', 'rx', 'width', 'height', 'points', 'x1', 'y1', 'x2', 'y2', 'dy']);

/** A copy that needs no style sheet. @param {Element} element @returns {SVGElement | null} */
function plain(element) {
  const style = getComputedStyle(element);
  if (style.display === 'none') return null;
  const copy = s(element.tagName, {});
  for (const { name, value } of element.attributes) if (SHAPES.has(name)) copy.setAttribute(name, value);
  if (element.tagName === 'g') {
    for (const child of element.children) copy.append(plain(child) ?? '');
    return copy;
  }
  const isText = element.tagName === 'text';
  for (const [name, usual] of Object.entries(isText ? LOOKS_OF_TEXT : LOOKS)) {
    const value = style.getPropertyValue(name);
    if (value !== usual) copy.setAttribute(name, value);
  }
  if (isText) copy.textContent = element.textContent;
  return copy;
}

/** The board as a standalone drawing. @param {Board} board @returns {SVGElement} */
export function picture({ scene, svg, holder }) {
  const { title, width, height } = scene ?? { title: '', width: 1, height: 1 };
  const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN];
  const scale = scene ? magnification(scene) : 1;
  const box = { x: -MARGIN, y: -MARGIN, width: wide, height: high };
  const drawing = s('svg', { viewBox: `${-MARGIN} ${-MARGIN} ${wide} ${high}`, width: Math.round(wide * scale), height: Math.round(high * scale), role: 'img' });
  drawing.append(s('title', {}, title), s('rect', { ...box, fill: getComputedStyle(holder).backgroundColor }));
  for (const child of svg.children) drawing.append(plain(child) ?? '');
  return drawing;
}

/** A drawing as PNG. @param {SVGElement} drawing @returns {Promise<Blob>} */
export async function png(drawing) {
  const [width, height] = [Number(drawing.getAttribute('width')), Number(drawing.getAttribute('height'))];
  const scale = Math.min(SHARPNESS, MOST_PIXELS / Math.max(width, height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source(drawing))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large to draw'))), 'image/png'));
}
