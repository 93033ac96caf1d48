// Folds the position graph to fit its window: a wide layer is split into several rows, so that the whole graph is as large as
// possible.

/** @import { Form, Scene, Shape } from '../engine/api.js' */
import { middle } from '../board/scene.js';

/** Distances between adjacent positions, between rows of a layer, and between layers, and the margin, in scene units. */
const BESIDE = 10;
const ROW = 34;
const LAYER = 74;
const MARGIN = 12;

/** @param {Shape} shape @param {number} dx @param {number} dy @returns {Shape} */
function moved(shape, dx, dy) {
  if (shape.form === 'polygon') return { ...shape, points: shape.points.map(([x, y]) => [x + dx, y + dy]) };
  if (shape.form === 'line') return { ...shape, from: [shape.from[0] + dx, shape.from[1] + dy], to: [shape.to[0] + dx, shape.to[1] + dy] };
  return { ...shape, x: shape.x + dx, y: shape.y + dy };
}

/** @param {Form} form */
function width(form) {
  if (form.form === 'rect') return form.width;
  if (form.form === 'circle') return 2 * form.r;
  const xs = form.form === 'polygon' ? form.points.map(([x]) => x) : [0];
  return Math.max(...xs) - Math.min(...xs);
}

/** The graph with its layers split into as many rows as fit best. @param {Scene} scene @param {number} wide width of the window @param {number} high its height @returns {Scene} */
export function folded(scene, wide, high) {
  /** @type {Map<string, [number, number]>} The middle of every position. */
  const places = new Map();
  let most = 0;
  for (const shape of scene.shapes) {
    if (!shape.name || places.has(shape.name) || shape.form === 'text') continue;
    places.set(shape.name, middle(shape));
    most = Math.max(most, width(shape));
  }
  /** @type {Map<number, string[]>} */
  const layers = new Map();
  for (const [name, [, y]] of [...places].sort((one, other) => one[1][0] - other[1][0])) {
    const layer = layers.get(Math.round(y));
    if (layer) layer.push(name);
    else layers.set(Math.round(y), [name]);
  }
  const rows = [...layers].sort((one, other) => one[0] - other[0]).map(([, names]) => names);
  const apart = most + BESIDE;
  const size = (/** @type {number} */ across) => [across * apart + 2 * MARGIN, rows.reduce((sum, names) => sum + LAYER + (Math.ceil(names.length / across) - 1) * ROW, 0)];
  const scale = (/** @type {number} */ across) => Math.min(wide / (size(across)[0] ?? 1), high / (size(across)[1] ?? 1));
  let across = Math.max(1, ...rows.map((names) => names.length));
  for (let fewer = across - 1; fewer > 0; fewer--) if (scale(fewer) > scale(across)) across = fewer;
  const [total, height] = [size(across)[0] ?? 1, size(across)[1] ?? 1];
  /** @type {Map<string, [number, number]>} The displacement of every position. */
  const by = new Map();
  let top = LAYER / 2;
  for (const names of rows) {
    const lines = Math.ceil(names.length / across);
    for (const [at, name] of names.entries()) {
      // A layer is filled column by column, so neighbors stay close.
      const [column, row] = [Math.floor(at / lines), at % lines];
      const columns = Math.ceil(names.length / lines);
      const [x, y] = /** @type {[number, number]} */ (places.get(name));
      by.set(name, [total / 2 + (column - (columns - 1) / 2) * apart - x, top + row * ROW - y]);
    }
    top += LAYER + (lines - 1) * ROW;
  }
  const nearest = (/** @type {[number, number]} */ [x, y]) => {
    let [best, least] = ['', Infinity];
    for (const [name, [u, v]] of places) {
      const away = Math.abs(u - x) * 4 + Math.abs(v - y);
      if (away < least) [best, least] = [name, away];
    }
    return by.get(best) ?? [0, 0];
  };
  const shapes = scene.shapes.flatMap((shape) => {
    if (shape.name) return [moved(shape, ...(by.get(shape.name) ?? /** @type {[number, number]} */ ([0, 0])))];
    if (shape.form !== 'line') return [];
    const [from, to] = [nearest(shape.from), nearest(shape.to)];
    return [{ ...shape, from: /** @type {[number, number]} */ ([shape.from[0] + from[0], shape.from[1] + from[1]]), to: /** @type {[number, number]} */ ([shape.to[0] + to[0], shape.to[1] + to[1]]) }];
  });
  return { ...scene, width: total, height, shapes };
}
