// Animates moves: a shape that changes its place glides to the new place; a shape that appears or disappears fades.
//
// The page does not know the rules, so it compares two scenes. If a shape disappears at one clicked place and an identical one
// appears at another, they are treated as the same shape; all other changes fade. Nothing waits for an animation: the new scene is
// complete at once, and the next scene cancels running animations.

/** @import { Board } from './board.js' */
/** @import { Scene, Shape } from '../engine/api.js' */
import { formed, middle } from './scene.js';

const MILLISECONDS = 180;
/** Maximum number of animated changes. */
const MOST = 240;

/** @typedef {{shape: Shape, at: number, index: number}} Spot a shape, its index in the scene, and its index among the shapes with its name */

export const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** @param {number} value */
const rounded = (value) => Math.round(value * 100) / 100;

/** The appearance of a shape, without its place. @param {Shape} shape */
function look(shape) {
  const [x, y] = middle(shape);
  switch (shape.form) {
    case 'circle':
      return `circle ${shape.paint} ${rounded(shape.r)}`;
    case 'rect':
      return `rect ${shape.paint} ${rounded(shape.width)} ${rounded(shape.height)}`;
    case 'text':
      return `text ${shape.paint} ${rounded(shape.size)} ${shape.text}`;
    case 'line':
      return `line ${shape.paint} ${rounded(shape.to[0] - shape.from[0])} ${rounded(shape.to[1] - shape.from[1])}`;
    default:
      return `polygon ${shape.paint} ${shape.points.map((point) => `${rounded(point[0] - x)},${rounded(point[1] - y)}`).join(' ')}`;
  }
}

/** The appearance and place of a shape. @param {Shape} shape */
const whole = (shape) => `${shape.name ?? ''}\n${look(shape)}\n${middle(shape).map(rounded).join()}`;

/** @param {Shape[]} shapes @returns {Spot[]} */
function spots(shapes) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return shapes.map((shape, at) => {
    const name = shape.name ?? '';
    const index = counts.get(name) ?? 0;
    counts.set(name, index + 1);
    return { shape, at, index };
  });
}

/** The shapes that `others` lacks. @param {Shape[]} shapes @param {Shape[]} others */
function missing(shapes, others) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const shape of others) counts.set(whole(shape), (counts.get(whole(shape)) ?? 0) + 1);
  return spots(shapes).filter(({ shape }) => {
    const left = counts.get(whole(shape)) ?? 0;
    counts.set(whole(shape), left - 1);
    return left <= 0;
  });
}

/**
 * The changes from one scene to the next: pairs of the same shape at two clicked places, and the rest.
 * @param {Scene} before @param {Scene} after @param {string[]} clicks
 */
export function changes(before, after, clicks) {
  const gone = missing(before.shapes, after.shapes);
  const come = missing(after.shapes, before.shapes);
  /** @type {[from: Spot, to: Spot][]} */
  const moved = [];
  const isClicked = (/** @type {Spot} */ { shape }) => shape.name !== undefined && clicks.includes(shape.name);
  for (const from of gone.filter(isClicked)) {
    const to = come.find((spot) => isClicked(spot) && spot.shape.name !== from.shape.name && look(spot.shape) === look(from.shape) && !moved.some((pair) => pair[1] === spot));
    if (to) moved.push([from, to]);
  }
  return { moved, gone: gone.filter((spot) => !moved.some(([from]) => from === spot)), come: come.filter((spot) => !moved.some(([, to]) => to === spot)) };
}

/**
 * Animates the change from the previous scene to the current one.
 * @param {Board} board @param {Scene | null} before @param {string[]} clicks
 * @param {{name: string, by: [number, number]} | null} [carried] a place whose piece was dragged, and how far
 */
export function animate(board, before, clicks, carried = null) {
  const after = board.scene;
  if (!before || !after || before === after || isCalm() || before.width !== after.width || before.height !== after.height) return;
  const { moved, gone, come } = changes(before, after, clicks);
  if (moved.length + gone.length + come.length > MOST) return;
  const run = (/** @type {SVGElement} */ element, /** @type {Keyframe[]} */ frames) => {
    const motion = element.animate(frames, { duration: MILLISECONDS, easing: 'ease-out' });
    board.motions.push(motion);
    return motion.finished.catch(() => {});
  };
  for (const [from, to] of moved) {
    const [[x0, y0], [x1, y1]] = [middle(from.shape), middle(to.shape)];
    const [dx, dy] = carried && carried.name === from.shape.name ? carried.by : [0, 0];
    const element = board.elements[to.at];
    if (!element) continue;
    // Drawn above everything else.
    const flying = /** @type {SVGElement} */ (element.cloneNode(true));
    flying.classList.add('leaving', 'flying');
    board.svg.append(flying);
    run(element, [{ opacity: 0 }, { opacity: 0 }]);
    run(flying, [{ transform: `translate(${x0 + dx - x1}px, ${y0 + dy - y1}px)` }, { transform: 'none' }]).then(() => flying.remove());
  }
  for (const spot of gone) {
    const element = leaving(board, spot);
    run(element, [{ opacity: 1 }, { opacity: 0 }]).then(() => element.remove());
  }
  for (const { shape, at, index } of come) {
    // A shape that replaces another is visible from the start, below the old one.
    const isNew = !gone.some((other) => other.shape.name === shape.name && other.index === index);
    const element = board.elements[at];
    if (isNew && element) run(element, [{ opacity: 0 }, { opacity: 1 }]);
  }
}

/** Reinserts a removed shape while it fades out. @param {Board} board @param {Spot} spot */
function leaving(board, { shape, index }) {
  const element = formed(shape);
  element.setAttribute('class', `leaving p-${shape.paint}`);
  const group = shape.name === undefined ? null : board.places.get(shape.name)?.group;
  // The removed shape goes above the shape that replaces it and below those that follow.
  if (group) group.insertBefore(element, group.children[index + 1] ?? null);
  else board.svg.insertBefore(element, board.overlay.layer);
  return element;
}
