// Small helpers for building the page.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element with properties (`class`, `on…` listeners, attributes) and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any> | null} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'value') /** @type {any} */ (element).value = value;
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** An SVG element with attributes and children. @param {string} tag @param {Record<string, string | number>} attributes @param {...(SVGElement | string)} children @returns {SVGElement} */
export function s(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** @param {Element} element @param {...Child} children */
export function fill(element, ...children) {
  element.replaceChildren();
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
  }
}

/** Text in which words between backticks become code. @param {string} text @returns {Node[]} */
export const rich = (text) => text.split('`').map((part, at) => (at % 2 === 1 ? h('code', null, part) : document.createTextNode(part)));

// The formatter is created only once, because that takes longer than using it.
const FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** @param {number} number */
export const grouped = (number) => (number >= 0 && number < 999 ? String(Math.round(number)) : FORMAT.format(Math.round(number)));

/** @param {number} count @param {string} word */
export const counted = (count, word) => `${grouped(count)} ${word}${count === 1 ? '' : 's'}`;

/** What one does to a place: `tap` on a touch screen, `click` with a mouse. */
export const press = () => (matchMedia('(pointer: coarse)').matches ? 'tap' : 'click');

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 10e3) return `${bytes} B`;
  if (bytes < 10e6) return `${Math.round(bytes / 1e3)} kB`;
  if (bytes < 10e9) return `${Math.round(bytes / 1e6)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < 1e-3) return `${Math.round(seconds * 1e6)} µs`;
  if (seconds < 1) return `${(seconds * 1e3).toFixed(1)} ms`;
  return `${seconds.toFixed(1)} s`;
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
