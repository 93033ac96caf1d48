// The page's colors for canvas drawings, reread when the theme changes.

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

/** Calls `listener` when the colors change. Returns a function that unsubscribes. @param {() => void} listener */
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

/** The font size around a canvas, in pixels. @param {HTMLCanvasElement} canvas */
export const textSize = (canvas) => parseFloat(getComputedStyle(canvas).fontSize) || 16;

/** Clears a canvas and sets it to the screen's resolution. @param {HTMLCanvasElement} canvas @returns {CanvasRenderingContext2D | null} a context in page pixels */
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
