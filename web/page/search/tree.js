// The search tree on a canvas: drag to move it, zoom, and pick a node by click or with the arrow keys.

/** @import { Layout } from './layout.js' */
/** @import { Node, Round, Trace } from './trace.js' */
import { h } from '../dom.js';
import { color, prepare, textSize } from './colors.js';
import { layOut } from './layout.js';
import { pathTo } from './trace.js';
import { Visit, VisitTrace } from './visits.js';

/** Maximum number of nodes drawn; a larger tree would be unreadable. */
export const MOST_NODES = 3000;
const MARGIN = 18;
/** Maximum distance between a click and its node, in pixels. */
const NEAR = 16;
const MOST_ZOOM = 60;
/** If there are more than `MANY` nodes, and their radius is less than `TINY` pixels, they are drawn as dots. */
const TINY = 3;
const MANY = 600;
/** Number of edges drawn as one path. */
const TOGETHER = 100;
/** Milliseconds that a node takes to glide to another level. */
const GLIDE = 250;
/** Maximum number of nodes of a game tree that is shown as a whole. */
const WHOLE = 300;
/** Maximum number of nodes for which moves are shown. */
const FEW = 40;
/** Height of the rows in which the boxes of text are found. */
const ROW = 16;
/** Minimum radius of a node that shows its value, as a multiple of the font size. */
const ROOM = 0.8;

/** The number of nodes after a step. @param {Round} round @param {number} step */
export function visibleCount({ nodes }, step) {
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (/** @type {Node} */ (nodes[middle]).from <= step) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True if a game tree is too large to be shown as a whole. @param {Trace} trace @param {number} step */
export function isPart(trace, step) {
  const round = trace.roundAt(step);
  return trace instanceof VisitTrace && round !== null && visibleCount(round, step) > WHOLE;
}

/** The nodes of a game tree after a step. In a large tree, those on the paths to the current and the selected node, and all moves from there. @param {VisitTrace} trace @param {number} step @param {Node | null} picked @returns {Node[]} */
function part(trace, step, picked) {
  const round = trace.roundAt(step);
  if (!round) return [];
  if (!isPart(trace, step)) return round.nodes.slice(0, visibleCount(round, step));
  const ends = [trace.visits[step - 1], picked].filter((node) => node instanceof Visit);
  const open = new Set(ends.flatMap((node) => pathTo(node, step)));
  const below = [...open].flatMap((node) => (node instanceof Visit ? node.below.filter(({ from }) => from <= step) : []));
  return [...new Set([...round.nodes.slice(0, 1), ...below])];
}

export class Tree {
  /** @param {{onPick: (node: Node | null) => void, onPoint: (node: Node | null) => void, onGo: (node: Node) => void}} listener */
  constructor({ onPick, onPoint, onGo }) {
    this.onPick = onPick;
    this.onPoint = onPoint;
    this.onGo = onGo;
    this.canvas = h('canvas', { class: 'drawing' });
    const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ act) => h('button', { type: 'button', 'aria-label': label, title: label, onclick: act }, text);
    this.tools = h('div', { class: 'controls zoom' }, button('+', 'Larger', () => this.scale(1.5)), button('−', 'Smaller', () => this.scale(1 / 1.5)), button('Fit', 'Fit the whole tree', () => this.fit()));
    this.field = h('div', { class: 'field-of-tree', tabindex: '0', role: 'application', 'aria-label': 'Search tree: arrow keys move between nodes, Enter jumps to the node’s step, Escape clears the selection', 'aria-roledescription': 'tree on a canvas' }, this.canvas);
    this.element = h('div', { class: 'tree' }, this.field, this.tools);
    /** True while an animation is running. */
    this.isGliding = false;
    /** True if nodes show their moves. */
    this.hasNames = false;
    /** True if nodes show their values. */
    this.hasNumbers = false;
    /** @type {Node[]} The part of a game tree that is shown. */
    this.some = [];
    /** Lines of text that fit between two levels of a game tree. */
    this.lines = Infinity;
    /** Space to the right of the tree, for windows. */
    this.side = 0;
    /** Font size in pixels. */
    this.size = 11;
    /** The text drawn so far, which later text must not cover. */
    this.labels = new Labels();
    /** Size of the canvas when it was last drawn. */
    this.width = 1;
    this.height = 1;
    this.zoom = 1;
    this.left = 0;
    this.top = 0;
    /** @type {Layout} */
    this.layout = { places: new Map(), below: new Map(), levels: 1, leaves: 1 };
    this.key = '';
    /** @type {Trace | null} */
    this.trace = null;
    this.step = 0;
    /** @type {Node | null} */
    this.picked = null;
    /** @type {Set<Node>} */
    this.plan = new Set();
    /** The visible part of the tree: fractions of its width, levels, and the smallest distance between two nodes of a level. */
    this.seen = { left: 0, right: 1, top: 0, bottom: 1, gap: 1, gaps: /** @type {Map<number, number>} */ (new Map()) };
    /** The previous step, and the elapsed fraction of the animation from there. */
    this.stepBefore = 0;
    this.part = 1;
    this.listen();
  }

  listen() {
    const { field } = this;
    /** @type {{x: number, y: number, left: number, top: number, isDrag: boolean} | null} */
    let held = null;
    field.addEventListener('pointerdown', (event) => {
      held = { x: event.clientX, y: event.clientY, left: this.left, top: this.top, isDrag: false };
      field.setPointerCapture(event.pointerId);
    });
    field.addEventListener('pointerleave', () => this.onPoint(null));
    field.addEventListener('pointermove', (event) => {
      if (!held && event.pointerType === 'mouse') {
        const box = field.getBoundingClientRect();
        this.onPoint(this.nearest(event.clientX - box.left, event.clientY - box.top));
      }
      if (!held) return;
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      held.isDrag ||= Math.hypot(dx, dy) > 4;
      if (!held.isDrag) return;
      [this.left, this.top] = [held.left + dx, held.top + dy];
      this.draw();
    });
    field.addEventListener('pointerup', (event) => {
      const box = field.getBoundingClientRect();
      if (held && !held.isDrag) this.onPick(this.nearest(event.clientX - box.left, event.clientY - box.top));
      held = null;
    });
    field.addEventListener('pointercancel', () => (held = null));
    field.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        const box = field.getBoundingClientRect();
        this.scale(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.clientX - box.left, event.clientY - box.top);
      },
      { passive: false }
    );
    field.addEventListener('keydown', (event) => this.keyed(event));
  }

  /** @param {number} factor @param {number} [x] the point that stays where it is @param {number} [y] */
  scale(factor, x = this.field.clientWidth / 2, y = this.field.clientHeight / 2) {
    const zoom = Math.max(1, Math.min(MOST_ZOOM, this.zoom * factor));
    const by = zoom / this.zoom;
    [this.left, this.top, this.zoom] = [x - (x - this.left) * by, y - (y - this.top) * by, zoom];
    if (zoom === 1) [this.left, this.top] = [0, 0];
    this.draw();
  }

  fit() {
    [this.zoom, this.left, this.top] = [1, 0, 0];
    this.draw();
  }

  /** @param {Trace} trace @param {number} step @param {Node | null} picked @param {Set<Node>} plan the nodes of the plan, which are marked */
  show(trace, step, picked, plan) {
    const moved = this.step !== step;
    if (moved) this.begin(step);
    [this.trace, this.step, this.picked, this.plan] = [trace, step, picked, plan];
    const round = trace.roundAt(step);
    const nodes = trace instanceof VisitTrace ? (this.some = part(trace, step, picked)) : (round?.nodes ?? []);
    // Parents change while lines arrive. A tree with the maximum number of nodes is laid out again only at the end.
    const version = nodes.length < MOST_NODES || trace.ending ? trace.steps : 0;
    const key = `${round?.number} ${Math.min(nodes.length, MOST_NODES)} ${version}`;
    // A game tree is laid out at each step, so that it always fills the canvas.
    if (this.key !== key || trace instanceof VisitTrace) {
      this.key = key;
      this.layout = layOut(nodes.slice(0, MOST_NODES));
    }
    const current = trace.nodes[step - 1];
    if (moved && current) this.follow(current);
    this.draw();
  }

  /** Starts the animation: nodes with a new parent glide to their level, unless steps are skipped or the user prefers reduced motion. @param {number} step */
  begin(step) {
    const isOne = Math.abs(step - this.step) === 1 && !matchMedia('(prefers-reduced-motion: reduce)').matches;
    [this.stepBefore, this.part] = [this.step, isOne ? 0 : 1];
    if (!isOne || this.isGliding) return;
    this.isGliding = true;
    const from = performance.now();
    const glide = (/** @type {number} */ now) => {
      this.part = Math.min(1, Math.max(0, now - from) / GLIDE);
      this.isGliding = this.part < 1;
      if (this.visible.some((node) => node.before !== null)) this.draw();
      else [this.part, this.isGliding] = [1, false];
      if (this.isGliding) requestAnimationFrame(glide);
    };
    requestAnimationFrame(glide);
  }

  /** The margin above and below the tree, which is smaller if the canvas is not high. */
  get air() {
    return Math.min(MARGIN, this.height / 10);
  }

  /** The point at which a node is drawn. @param {Node} node @returns {[number, number] | null} */
  at(node) {
    const place = this.layout.places.get(node);
    if (!place) return null;
    const { width, height, seen } = this;
    const x = (place.x - seen.left) / (seen.right - seen.left);
    const y = (this.levelOf(node) - seen.top + 0.5) / (seen.bottom - seen.top + 1);
    return [this.left + this.zoom * (MARGIN + x * (width - 2 * MARGIN - this.side)), this.top + this.zoom * (this.air + y * (height - 2 * this.air))];
  }

  /** The level at which a node is drawn, between two levels while it glides. @param {Node} node */
  levelOf(node) {
    const level = (/** @type {number} */ step) => {
      const { depth } = node.wayAt(step);
      return node.isBackward ? this.layout.levels - 1 - depth : depth;
    };
    const now = level(this.step);
    if (this.part >= 1 || node.before === null) return now;
    return now + (level(this.stepBefore) - now) * (1 - this.part) ** 2;
  }

  /** The part of the tree that exists after this step, which is scaled to fill the canvas, and the smallest distance between two nodes of a level. */
  frame() {
    const seen = { left: 1, right: 0, top: Infinity, bottom: 0 };
    /** @type {Map<number, number[]>} */
    const rows = new Map();
    for (const node of this.visible) {
      const place = this.layout.places.get(node);
      if (!place) continue;
      const level = this.levelOf(node);
      if (!rows.get(level)?.push(place.x)) rows.set(level, [place.x]);
      [seen.left, seen.right] = [Math.min(seen.left, place.x), Math.max(seen.right, place.x)];
      [seen.top, seen.bottom] = [Math.min(seen.top, level), Math.max(seen.bottom, level)];
    }
    // Add a margin, so that the width is never 0.
    const air = Math.max(0.5 / this.layout.leaves, 0.02, 0.15 - (seen.right - seen.left));
    /** @type {Map<number, number>} By level. */
    const gaps = new Map();
    for (const [level, row] of rows) {
      row.sort((a, b) => a - b);
      const apart = row.slice(1).map((x, at) => Math.max(1 / this.layout.leaves, x - (row[at] ?? 0)));
      gaps.set(level, Math.min(1, ...apart));
    }
    const gap = Math.min(1, ...gaps.values());
    if (seen.right < seen.left) return { left: 0, right: 1, top: 0, bottom: 1, gap, gaps };
    return { left: seen.left - air, right: seen.right + air, top: seen.top, bottom: Math.max(seen.bottom, seen.top + 1), gap, gaps };
  }

  /** Brings a node into view. @param {Node} node */
  follow(node) {
    const at = this.zoom > 1 ? this.at(node) : null;
    if (!at) return;
    const { width, height } = this;
    if (at[0] < MARGIN || at[0] > width - MARGIN) this.left += width / 2 - at[0];
    if (at[1] < MARGIN || at[1] > height - MARGIN) this.top += height / 2 - at[1];
  }

  /** The nodes after this step. @returns {Node[]} */
  get visible() {
    const round = this.trace?.roundAt(this.step);
    if (this.trace instanceof VisitTrace) return this.some;
    return round ? round.nodes.slice(0, Math.min(MOST_NODES, visibleCount(round, this.step))) : [];
  }

  /** @param {number} x @param {number} y */
  nearest(x, y) {
    let [best, least] = [/** @type {Node | null} */ (null), NEAR];
    for (const node of this.visible) {
      const at = this.at(node);
      const away = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
      if (away < least) [best, least] = [node, away];
    }
    return best;
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { picked, step } = this;
    if (event.key === 'Escape' && !picked) return;
    const isThere = (/** @type {Node | null | undefined} */ node) => (node && node.from <= step && this.layout.places.has(node) ? node : null);
    const beside = (/** @type {number} */ by) => {
      const all = picked?.parent ? (this.layout.below.get(picked.parent) ?? []) : [];
      const row = all.filter((node) => isThere(node));
      return picked ? (row[row.indexOf(picked) + by] ?? picked) : null;
    };
    /** @type {Record<string, () => Node | null>} */
    const ways = {
      ArrowUp: () => isThere(picked?.wayAt(step).parent) ?? picked,
      ArrowDown: () => (picked ? (this.layout.below.get(picked)?.find((node) => isThere(node)) ?? picked) : null),
      ArrowLeft: () => beside(-1),
      ArrowRight: () => beside(1),
      Escape: () => null,
    };
    const way = Object.hasOwn(ways, event.key) ? ways[event.key] : undefined;
    if (event.key === 'Enter' && picked?.expanded) this.onGo(picked);
    else if (!way) return;
    else this.onPick(way() ?? (event.key === 'Escape' ? null : (isThere(this.trace?.nodes[step - 1]) ?? this.visible[0] ?? null)));
    event.preventDefault();
    event.stopPropagation();
    if (this.picked) this.follow(this.picked);
    this.draw();
  }

  draw() {
    const [context, { trace }] = [prepare(this.canvas), this];
    if (!context || !trace) return;
    const current = trace.nodes[this.step - 1];
    const nodes = this.visible;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    [this.width, this.height] = [width, height];
    this.size = textSize(this.canvas) * 0.69;
    this.seen = this.frame();
    const frames = current ? pathTo(current, this.step).filter((node) => trace.frameAt(node, this.step) !== '') : [];
    this.side = Math.min(width / 4, frames.length > 0 ? 4 * this.size : 0);
    const apart = (this.zoom * (width - 2 * MARGIN - this.side) * this.seen.gap) / (this.seen.right - this.seen.left);
    const tall = (this.zoom * (height - 2 * this.air)) / (this.seen.bottom - this.seen.top + 1);
    const radius = Math.max(nodes.length > MANY ? 1.6 : 2.4, Math.min(1.1 * this.size, apart * 0.45, tall / 3.2));
    // A game tree has many levels, so text must fit between two of them.
    this.lines = trace instanceof VisitTrace ? (tall - 2 * radius) / this.size : Infinity;
    this.hasNames = nodes.length <= FEW && this.lines > 1;
    this.labels = new Labels();
    this.hasNumbers = radius >= ROOM * this.size || (apart > 1.2 * this.size && this.lines > (this.hasNames ? 2 : 1));
    this.drawEdges(context, nodes);
    /** @type {[Node, [number, number]][]} */
    const shaped = [];
    for (const node of nodes) {
      const at = this.at(node);
      if (!at || at[0] < -20 || at[1] < -20 || at[0] > width + 20 || at[1] > height + 20) continue;
      if (radius < TINY && nodes.length > MANY) {
        this.drawDot(context, node, at, radius);
        continue;
      }
      this.drawNode(context, node, at, radius);
      this.labels.block(at[0], at[1], 2 * radius, 2 * radius);
      shaped.push([node, at]);
    }
    // If there is not enough room for all, the current node and those of the plan come first.
    const rank = (/** @type {Node} */ node) => (node === current || node === this.picked ? 0 : this.plan.has(node) ? 1 : 2);
    shaped.sort(([a], [b]) => rank(a) - rank(b));
    for (const [node, at] of shaped) this.label(context, node, at, radius, trace instanceof VisitTrace ? (apart * (this.seen.gaps.get(this.levelOf(node)) ?? this.seen.gap)) / this.seen.gap : apart);
    for (const node of nodes.length <= FEW ? frames : frames.slice(-1)) this.drawFrame(context, node, trace.frameAt(node, this.step), radius);
    if (current) this.ring(context, current, radius + 4, color('focus'), []);
    if (this.picked) this.ring(context, this.picked, radius + 7, color('ink'), [4, 3]);
  }

  /** @param {CanvasRenderingContext2D} context @param {Node[]} nodes */
  drawEdges(context, nodes) {
    const [plan, pruned] = [new Path2D(), new Path2D()];
    context.lineWidth = 1;
    context.globalAlpha = 0.45;
    context.strokeStyle = color('soft');
    // One path for all edges would be slow, since they cross each other.
    let [path, count] = [new Path2D(), 0];
    for (const node of nodes) {
      const { parent } = node.wayAt(this.step);
      if (!parent || parent.from > this.step) continue;
      const [from, to] = [this.at(parent), this.at(node)];
      if (!from || !to) continue;
      const isPlan = this.plan.has(node) && this.plan.has(parent);
      const line = isPlan ? plan : node.isPruned ? pruned : path;
      line.moveTo(from[0], from[1]);
      line.lineTo(to[0], to[1]);
      if (++count % TOGETHER !== 0) continue;
      context.stroke(path);
      path = new Path2D();
    }
    context.stroke(path);
    context.setLineDash([3, 4]);
    context.stroke(pruned);
    context.setLineDash([]);
    context.globalAlpha = 1;
    context.lineWidth = 4;
    context.strokeStyle = color('good');
    context.stroke(plan);
  }

  /** Draws a node that is too small for its own shape. @param {CanvasRenderingContext2D} context @param {Node} node @param {[number, number]} at @param {number} radius */
  drawDot(context, node, [x, y], radius) {
    const isDone = node.expanded > 0 && node.expanded <= this.step;
    const [fill, stroke] = this.look(node, isDone);
    context.fillStyle = node.isGoal || this.plan.has(node) ? color('good') : stroke;
    // Nodes that would be drawn hollow at a larger size are drawn in a paler color instead.
    context.globalAlpha = isDone || radius >= 2 ? 1 : 0.4;
    context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
    context.globalAlpha = 1;
    if (isDone || radius < 2) return;
    context.fillStyle = fill;
    context.fillRect(x - radius + 1, y - radius + 1, 2 * radius - 2, 2 * radius - 2);
  }

  /** @param {CanvasRenderingContext2D} context @param {Node} node @param {[number, number]} at @param {number} radius */
  drawNode(context, node, [x, y], radius) {
    const isDone = node.expanded > 0 && node.expanded <= this.step;
    const [fill, stroke, shape] = this.look(node, isDone);
    context.beginPath();
    outline(context, shape, x, y, shape === 'cross' ? radius * (node.isDead ? 0.7 : 0.5) : radius);
    context.fillStyle = fill;
    context.fill();
    context.lineWidth = node.isGoal || this.plan.has(node) ? 3 : 1.4;
    context.strokeStyle = node.isGoal || this.plan.has(node) ? color('good') : stroke;
    context.stroke();
  }

  /** Writes a node's value and its move, if there is room. @param {CanvasRenderingContext2D} context @param {Node} node @param {[number, number]} at @param {number} radius @param {number} apart */
  label(context, node, [x, y], radius, apart) {
    const isDone = node.expanded > 0 && node.expanded <= this.step;
    const { labels, size } = this;
    /** Writes text in the first of these places in which it fits. @param {string} text @param {number} high @param {[number, number][]} places */
    const put = (text, high, places) => {
      context.font = `${high}px system-ui, sans-serif`;
      const wide = context.measureText(text).width;
      const free = places.map(([side, y]) => /** @type {const} */ ([x + (side * wide) / 2 + Math.sign(side) * (radius + 4), y])).find(([x, y]) => labels.isFree(x, y, wide, 0.8 * high));
      if (!free) return;
      labels.block(free[0], free[1], wide, 0.8 * high);
      write(context, text, free[0], free[1], high, color('soft'), color('paper'));
    };
    const text = this.trace?.textAt(node, this.step) ?? '';
    if (radius >= ROOM * this.size && !text.includes('/')) write(context, text, x, y, this.size, isDone && !this.trace?.isDuel ? color('accent-ink') : color('ink'));
    else if ((this.hasNumbers || (text.includes('/') && this.lines > 1)) && text.length * size * 0.6 + 2 < apart) put(text, size * 0.9, [[0, y + radius + size * 0.7], [-1, y]]);
    const move = node.wayAt(this.step).move;
    if (move && (this.hasNames || radius >= ROOM * this.size) && move.length * size * 0.52 + 2 < apart) put(move, size * 0.95, [[0, y - radius - size * 0.7], [1, y]]);
  }

  /** The fill, outline and shape of a node. @param {Node} node @param {boolean} isDone @returns {[string, string, string]} */
  look(node, isDone) {
    if (node.isDead || node.isPruned) return [color('sheet'), color(node.isDead ? 'bad' : 'soft'), 'cross'];
    if (!this.trace?.isDuel) return [color(isDone ? 'accent' : 'sheet'), color(node.isBeyond && !isDone ? 'soft' : 'accent'), 'circle'];
    const outcome = this.trace.outcomeAt(node, this.step);
    if (outcome === null) return this.trace.isOpen(node, this.step) ? [color('accent-pale'), color('accent'), 'circle'] : [color('sheet'), color('soft'), 'circle'];
    if (outcome === 'N') return [color('win-fill'), color('win-stroke'), 'circle'];
    return outcome === 'P' ? [color('lose-fill'), color('lose-stroke'), 'square'] : [color('draw-fill'), color('draw-stroke'), 'diamond'];
  }

  /** Draws the window of a position to the right of its node. @param {CanvasRenderingContext2D} context @param {Node} node @param {string} text @param {number} radius */
  drawFrame(context, node, text, radius) {
    const at = this.at(node);
    if (!at) return;
    const wide = text.length * this.size * 0.56;
    const left = Math.min(at[0] + radius + 7, this.width - wide - 2);
    write(context, text, left + wide / 2, at[1], this.size, color('ink'), color('paper'));
  }

  /** @param {CanvasRenderingContext2D} context @param {Node} node @param {number} radius @param {string} stroke @param {number[]} dashes */
  ring(context, node, radius, stroke, dashes) {
    const at = this.at(node);
    if (!at) return;
    context.beginPath();
    context.arc(at[0], at[1], radius, 0, 7);
    context.lineWidth = 3;
    context.strokeStyle = stroke;
    context.setLineDash(dashes);
    context.stroke();
    context.setLineDash([]);
  }
}

/** The boxes that text must not cover. */
class Labels {
  constructor() {
    /** @type {Map<number, [left: number, top: number, right: number, bottom: number][]>} By row. */
    this.rows = new Map();
  }

  /** The rows that a box touches. @param {number} y @param {number} high */
  near(y, high) {
    const [first, last] = [Math.floor((y - high / 2) / ROW), Math.floor((y + high / 2) / ROW)];
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  }

  /** @param {number} x the middle @param {number} y @param {number} wide @param {number} high */
  block(x, y, wide, high) {
    for (const row of this.near(y, high)) {
      const boxes = this.rows.get(row) ?? [];
      boxes.push([x - wide / 2, y - high / 2, x + wide / 2, y + high / 2]);
      this.rows.set(row, boxes);
    }
  }

  /** @param {number} x the middle @param {number} y @param {number} wide @param {number} high */
  isFree(x, y, wide, high) {
    const [left, top, right, bottom] = [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
    return this.near(y, high).every((row) => (this.rows.get(row) ?? []).every((box) => box[2] <= left || box[0] >= right || box[3] <= top || box[1] >= bottom));
  }
}

/** @param {CanvasRenderingContext2D} context @param {string} shape @param {number} x @param {number} y @param {number} r */
function outline(context, shape, x, y, r) {
  if (shape === 'circle') {
    context.arc(x, y, r, 0, 7);
  } else if (shape === 'square') {
    context.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8);
  } else if (shape === 'diamond') {
    context.moveTo(x, y - r * 1.2);
    for (const [dx, dy] of [[1.2, 0], [0, 1.2], [-1.2, 0]]) context.lineTo(x + r * /** @type {number} */ (dx), y + r * /** @type {number} */ (dy));
    context.closePath();
  } else {
    context.moveTo(x - r, y - r);
    context.lineTo(x + r, y + r);
    context.moveTo(x - r, y + r);
    context.lineTo(x + r, y - r);
  }
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {number} x @param {number} y @param {number} size @param {string} fill @param {string} [halo] the color around the text, over lines */
function write(context, text, x, y, size, fill, halo) {
  context.font = `${size}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  if (halo) {
    context.lineWidth = 3;
    context.lineJoin = 'round';
    context.strokeStyle = halo;
    context.strokeText(text, x, y);
  }
  context.fillStyle = fill;
  context.fillText(text, x, y);
}
