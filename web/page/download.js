// Downloads: files created by the page and saved by the browser.

import { h } from './dom.js';

/** Milliseconds after which the browser has certainly started to save the file. */
const PATIENCE = 30_000;

/** @param {string} name @param {BlobPart} content @param {string} type */
export function save(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), PATIENCE);
}

/** @param {string} name @param {SVGElement} svg */
export const saveSvg = (name, svg) => save(name, source(svg), 'image/svg+xml');

/** @param {SVGElement} svg */
export const source = (svg) => new XMLSerializer().serializeToString(svg);

/** Text in a form suitable for a file name. @param {string} text */
export const inFileName = (text) => text.toLowerCase().replace(/[^a-z0-9.]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 60);
