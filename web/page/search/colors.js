// The colors of the page for drawings on a canvas, read again when the theme changes.

const NAMES = ['paper', 'sheet', 'ink', 'soft', 'line', 'accent', 'accent-ink', 'accent-pale', 'good', 'bad', 'focus', 'win-fill', 'win-stroke', 'lose-fill', 'lose-stroke', 'draw-fill', 'draw-stroke'];

/** @type {Record<string, string> | null} */
let known = null;

/** @type {Set<() => void>} */
const listeners = new Set();

function forget() {
  known = null;
  for (const listener of listeners) listener();
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', forget);
new MutationObserver(forget).observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });

/** Calls `listener` when the colors change; the result ends that. @param {() => void} listener */
export function onColors(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param {string} name as in a style sheet, without the dashes */
export function color(name) {
  if (!known) {
    const style = getComputedStyle(document.documentElement);
    known = Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  }
  return known[name] ?? '#888';
}

/** Pixels of the text around a canvas. @param {HTMLCanvasElement} canvas */
export const textSize = (canvas) => parseFloat(getComputedStyle(canvas).fontSize) || 16;

/** A canvas as sharp as the screen. @param {HTMLCanvasElement} canvas @returns {CanvasRenderingContext2D | null} in pixels of the page, cleared */
export function prepare(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = devicePixelRatio || 1;
  const [wide, high] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  const context = canvas.getContext('2d');
  context?.setTransform(scale, 0, 0, scale, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}
