// The layout of a search tree: leaves side by side, parents above the middle of their children, both coordinates from 0 to 1. A backward
// search grows from the bottom. Horizontal positions are those in the whole tree, so that few nodes move while it grows; a node's level
// changes when a cheaper parent is found.

/** @import { Node } from './trace.js' */

/** @typedef {{places: Map<Node, {x: number, level: number}>, below: Map<Node, Node[]>, levels: number, leaves: number}} Layout */

/** @param {Node[]} nodes @returns {Layout} */
export function layOut(nodes) {
  const all = new Set(nodes);
  /** @type {Map<Node, Node[]>} */
  const below = new Map();
  /** @type {Node[]} */
  const roots = [];
  for (const node of nodes) {
    if (!node.parent || !all.has(node.parent)) roots.push(node);
    else if (!below.get(node.parent)?.push(node)) below.set(node.parent, [node]);
  }
  for (const row of below.values()) row.sort((one, other) => one.rank - other.rank);
  const sides = [roots.filter((root) => !root.isBackward), roots.filter((root) => root.isBackward)].map((some) => spread(some, below));
  const deepest = (/** @type {boolean} */ isBackward) => nodes.reduce((most, node) => (node.isBackward === isBackward ? Math.max(most, node.depth) : most), -1);
  const [front, back] = [deepest(false), deepest(true)];
  const levels = Math.max(1, front + 1 + back + 1);
  /** @type {Layout['places']} */
  const places = new Map();
  for (const node of nodes) {
    const { xs, leaves } = /** @type {{xs: Map<Node, number>, leaves: number}} */ (sides[node.isBackward ? 1 : 0]);
    places.set(node, { x: ((xs.get(node) ?? 0) + 0.5) / Math.max(1, leaves), level: node.depth });
  }
  return { places, below, levels, leaves: Math.max(1, ...sides.map(({ leaves }) => leaves)) };
}

/** Places the leaves at 0, 1, 2, … Not recursive, since a tree may be thousands of levels deep. @param {Node[]} roots @param {Map<Node, Node[]>} below */
function spread(roots, below) {
  /** @type {Map<Node, number>} */
  const xs = new Map();
  let leaves = 0;
  const stack = [...roots].reverse().map((node) => ({ node, isDone: false }));
  for (let top = stack.pop(); top; top = stack.pop()) {
    const children = below.get(top.node) ?? [];
    if (children.length === 0) {
      xs.set(top.node, leaves++);
    } else if (top.isDone) {
      const [first, last] = [children[0], children.at(-1)].map((child) => (child && xs.get(child)) ?? 0);
      xs.set(top.node, ((first ?? 0) + (last ?? 0)) / 2);
    } else {
      stack.push({ node: top.node, isDone: true });
      for (const child of [...children].reverse()) stack.push({ node: child, isDone: false });
    }
  }
  return { xs, leaves };
}
