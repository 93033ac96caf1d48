// The data of a search, which can be shown after any step. Lines are added as they arrive. Every node of the search tree and every
// entry of the open list records its first and last step, so no step has to be replayed, and going back is as fast as going forward.

/** @import { Page } from './frontier.js' */
import { Frontier } from './frontier.js';

/** @typedef {'loss' | 'draw' | 'win'} Score */
/** @typedef {'P' | 'D' | 'N'} Outcome */
/**
 * @typedef {{id: number | null, move: string, g?: number, h?: number | null, f?: number | null, priority?: number, outcome?: string | null,
 *   grundy?: number, fate: string, goal?: boolean, place?: string}} Child
 * @typedef {{n: number, id: number, parent: number | null, move: string | null, depth: number, g?: number, h?: number | null, f?: number | null,
 *   priority?: number, outcome?: string | null, grundy?: number, length?: number, open?: number, lower?: number, upper?: number,
 *   bound?: number, side?: string, state?: string, place?: string, board?: number, alpha?: Score | null, beta?: Score | null, value?: Score | null,
 *   cutoff?: boolean, question?: Score, proof?: number | null, disproof?: number | null, children: Child[]}} Line
 * @typedef {{report: any, plan: string[], moment: string, places: string[]}} Ending
 * @typedef {{number: number, start: number, bound: number | undefined, question?: Score, nodes: Node[]}} Round
 *   a round of the search, which begins at step `start`; `question` is the score to be proved for the player to move at its root
 * @typedef {{node: Node, g: number, h: number, f: number, key: number, from: number, to: number, page: Page | null}} Entry
 *   an entry that is in the open list after the steps `from` to `to - 1`
 */

const DEEPENING = ['iddfs', 'idastar'];

/** A node of the search tree. */
export class Node {
  /** @param {Node | null} parent @param {string | null} move @param {number} depth @param {number} from the step that generated it */
  constructor(parent, move, depth, from) {
    this.parent = parent;
    this.move = move;
    this.depth = depth;
    this.from = from;
    /** The step that first expanded the node, or 0 if it was not expanded. */
    this.expanded = 0;
    /** The number of the round in which the node was generated. */
    this.round = 0;
    this.isDead = false;
    this.isPruned = false;
    /** True if the node is beyond the bound of its round. */
    this.isBeyond = false;
    /** Its place among the nodes below its parent, if they are not generated in order. */
    this.rank = 0;
    this.isGoal = false;
    this.isBackward = false;
    /** @type {string | undefined} The name of the shape that marks the state. */
    this.place = undefined;
    /** @type {string | null} N, P or D, in a two-player game. */
    this.outcome = null;
    /** @type {number | undefined} */
    this.grundy = undefined;
    /** @type {number | null} */
    this.f = null;
    this.g = 0;
    this.h = 0;
    /** @type {Entry | null} The node's entry in the open list after the last line, if any. */
    this.entry = null;
    /** @type {{until: number, parent: Node | null, move: string | null, depth: number}[] | null} Earlier parents, which were replaced by better ones. */
    this.before = null;
  }

  /** The node's parent, the move from the parent, and the node's depth, as of a step. @param {number} step @returns {{parent: Node | null, move: string | null, depth: number}} */
  wayAt(step) {
    return this.before?.find(({ until }) => step < until) ?? this;
  }
}

/** The path from the root to a node as of a step, root first. @param {Node} node @param {number} step */
export function pathTo(node, step) {
  const nodes = [node];
  for (let at = node.wayAt(step).parent; at && nodes.length < 100_000; at = at.wayAt(step).parent) nodes.push(at);
  return nodes.reverse();
}

export class Trace {
  /** @param {string} method @param {boolean} [isWhole] true if one board shows the whole search @param {string} [order] the order in which moves are tried, if that is a setting */
  constructor(method, isWhole = false, order) {
    this.method = method;
    this.order = order;
    this.title = order === undefined ? method : `${method}, order ${order}`;
    this.isWhole = isWhole;
    this.word = method.split(':')[0] ?? '';
    /** @type {Line[]} */
    this.lines = [];
    /** @type {Node[]} The node of each line. */
    this.nodes = [];
    /** @type {Round[]} */
    this.rounds = [];
    /** @type {number[]} The round of each line. */
    this.roundOf = [];
    /** @type {number[]} Number of children generated up to each step, from step 0. */
    this.generated = [0];
    /** @type {number[]} Number of states in the open list after each step, from step 0. */
    this.waiting = [0];
    /** @type {Ending | null} */
    this.ending = null;
    /** True for a two-player game, whose lines are decided positions. */
    this.isDuel = false;
    this.frontier = new Frontier(method);
    /** The ranges of depths and values over all rounds. */
    this.depths = { least: Infinity, most: -Infinity };
    this.values = { least: Infinity, most: -Infinity };
    /** @type {Map<number, Node>} Nodes of the current round by id. */
    this.byId = new Map();
    /** @type {Set<Entry>} */
    this.open = new Set();
  }

  get steps() {
    return this.nodes.length;
  }

  /** Number of children generated up to a step. @param {number} step */
  generatedAt(step) {
    return this.generated[step] ?? 0;
  }

  /** The outcome of a node as of a step. @param {Node} node @param {number} step @returns {string | null} */
  outcomeAt(node, step) {
    return node.expanded > 0 && node.expanded <= step ? node.outcome : null;
  }

  /** The value that is drawn with a node. @param {Node} node @param {number} step */
  textAt(node, step) {
    const value = this.isDuel ? (node.expanded > 0 && node.expanded <= step ? (node.grundy ?? node.outcome) : null) : node.f;
    return value === null || value === undefined || node.isDead ? '' : String(value);
  }

  /** The window of a position in progress as text; empty if there is none. @param {Node} _node @param {number} _step */
  frameAt(_node, _step) {
    return '';
  }

  /** True if the search of a position is in progress. @param {Node} _node @param {number} _step */
  isOpen(_node, _step) {
    return false;
  }

  /** @param {Line} line */
  add(line) {
    this.isDuel ||= line.g === undefined;
    const step = this.lines.push(line);
    this.startRound(line, step);
    const node = this.isDuel ? this.decide(line, step) : this.expand(line, step);
    this.nodes.push(node);
    this.roundOf.push(this.rounds.length - 1);
    this.generated.push((this.generated[step - 1] ?? 0) + line.children.length);
    this.waiting.push(this.open.size);
  }

  /** Extends the ranges to include a depth and, if given, a value. @param {number} depth @param {number} [value] */
  reach(depth, value) {
    for (const [range, number] of /** @type {const} */ ([[this.depths, depth], [this.values, value]])) {
      if (number !== undefined) [range.least, range.most] = [Math.min(range.least, number), Math.max(range.most, number)];
    }
  }

  /** @param {Line} line @param {number} step */
  startRound(line, step) {
    const again = line.parent === null && line.bound !== undefined;
    if (this.rounds.length > 0 && !again) return;
    for (const entry of this.open) this.leave(entry, step);
    this.byId.clear();
    this.rounds.push({ number: this.rounds.length + 1, start: step, bound: line.bound, nodes: [] });
  }

  /** @param {Line} line @param {number} step */
  expand(line, step) {
    const node = this.known(line, step);
    const parent = line.parent === null ? null : (this.byId.get(line.parent) ?? null);
    if (parent !== node.parent) this.move(node, parent, line.move, line.depth, step);
    if (this.word === 'rbfs') this.forget(node, step);
    if (node.entry) this.leave(node.entry, step);
    node.expanded ||= step;
    this.value(node, line);
    node.place = line.place;
    node.isBackward = line.side === 'backward';
    this.reach(line.depth, line.f ?? line.g ?? 0);
    for (const child of line.children) this.meet(line, node, child, step);
    return node;
  }

  /** @param {Node} node @param {{g?: number, h?: number | null, f?: number | null}} values */
  value(node, { g = 0, h, f }) {
    node.g = g;
    node.h = h ?? 0;
    node.f = f ?? null;
  }

  /** The node of a line: one already generated as a child, or else a new root. @param {Line} line @param {number} step */
  known(line, step) {
    const found = this.byId.get(line.id);
    if (found) return found;
    const node = this.make(line.id, line.parent === null ? null : (this.byId.get(line.parent) ?? null), line.move, line.depth, step === 1 ? 0 : step);
    if (step === 1) {
      // The root was open from the start.
      this.enter(node, line, 0);
      this.waiting[0] = 1;
    }
    return node;
  }

  /** @param {Line} line @param {Node} node @param {Child} child @param {number} step */
  meet(line, node, child, step) {
    let met = child.id === null ? undefined : this.byId.get(child.id);
    // Depth-first search expands the most recently generated state next, even if it was already known.
    const isNext = this.word === 'dfs' && child.fate === 'known' && met?.entry && met.parent !== node;
    if (child.fate === 'known' && !isNext) return;
    if (met?.entry) this.leave(met.entry, step);
    if (met && child.fate !== 'new') this.move(met, node, child.move, line.depth + 1, step);
    met ??= this.make(child.id, node, child.move, line.depth + 1, step);
    this.value(met, child);
    met.place = child.place;
    met.isDead = child.fate === 'dead';
    met.isGoal ||= child.goal === true;
    met.isBackward = node.isBackward;
    met.isBeyond = !met.isDead && this.isBeyond(line, child);
    if (!met.isDead && child.id !== null && !met.isBeyond && !(this.isDeepening && child.goal)) this.enter(met, child, step);
  }

  /** Gives a node another parent. @param {Node} node @param {Node | null} parent @param {string | null} move @param {number} depth @param {number} step */
  move(node, parent, move, depth, step) {
    if (node.entry) this.leave(node.entry, step);
    (node.before ??= []).push({ until: step, parent: node.parent, move: node.move, depth: node.depth });
    [node.parent, node.move, node.depth] = [parent, move, depth];
  }

  /** True if the method searches in rounds with a growing bound, and stops at the first goal. */
  get isDeepening() {
    return DEEPENING.includes(this.word);
  }

  /** True if a child is beyond the bound of this round. @param {Line} line @param {Child} child */
  isBeyond({ bound, depth }, { f, goal }) {
    return this.isDeepening && bound !== undefined && goal !== true && (this.word === 'iddfs' ? depth + 1 : (f ?? 0)) > bound;
  }

  /** @param {number | null} id @param {Node | null} parent @param {string | null} move @param {number} depth @param {number} from */
  make(id, parent, move, depth, from) {
    const node = new Node(parent, move, depth, from);
    node.round = this.rounds.length;
    if (id !== null) this.byId.set(id, node);
    this.rounds.at(-1)?.nodes.push(node);
    return node;
  }

  /** @param {Node} node @param {{g?: number, h?: number | null, f?: number | null, priority?: number}} values @param {number} from */
  enter(node, { g = 0, h, f, priority }, from) {
    const sum = f ?? g;
    /** @type {Entry} */
    const entry = { node, g, h: h ?? 0, f: sum, key: priority ?? sum, from, to: Infinity, page: null };
    node.entry = entry;
    this.open.add(entry);
    this.frontier.add(entry);
    this.reach(node.depth, sum);
  }

  /** @param {Entry} entry @param {number} step */
  leave(entry, step) {
    entry.to = step;
    entry.node.entry = null;
    this.open.delete(entry);
    this.frontier.close(entry);
  }

  /**
   * Recursive best-first search forgets the nodes below the branch that it leaves; the branch stays open with their least value.
   * Only siblings of nodes on the path are open, so all open nodes deeper than the branch are below it.
   * @param {Node} node @param {number} step
   */
  forget(node, step) {
    const last = this.nodes.at(-1);
    if (!last || node.parent === last) return;
    /** @type {Node | null} The abandoned branch. */
    let left = last;
    while (left && left.parent !== node.parent) left = left.parent;
    if (!left) return;
    const { g, h, depth } = left;
    const below = [...this.open].filter((entry) => entry.node.depth > depth);
    for (const entry of below) this.leave(entry, step);
    if (left !== node && below.length > 0) this.enter(left, { g, h, f: g + h, priority: Math.min(...below.map(({ key }) => key)) }, step);
  }

  /** @param {Line} line @param {number} step */
  decide(line, step) {
    const node = this.byId.get(line.id) ?? this.make(line.id, null, line.move, line.depth, step);
    node.expanded ||= step;
    node.outcome = line.outcome ?? null;
    node.grundy = line.grundy;
    node.depth = line.depth;
    node.move = line.move;
    if (line.parent !== null) node.parent = this.byId.get(line.parent) ?? this.make(line.parent, null, null, line.depth - 1, step);
    // If positions arrive layer by layer, the parent of each is the first position that leads to it.
    for (const child of line.children) {
      const below = child.id === null ? undefined : this.byId.get(child.id);
      if (below && below.parent === null && below !== node && below.depth > node.depth) [below.parent, below.move] = [node, child.move];
    }
    this.reach(line.depth, line.grundy);
    return node;
  }

  /** True if states have places on the board. */
  get hasPlaces() {
    return this.lines[0]?.place !== undefined;
  }

  /** The last node so far whose state is at a place, as of a step. @param {string} place @param {number} step @returns {Node | null} */
  nodeAt(place, step) {
    return this.roundAt(step)?.nodes.findLast((node) => node.place === place && node.from <= step) ?? null;
  }

  /** The line of a node, if it was expanded. @param {Node} node @returns {Line | null} */
  lineOf(node) {
    return this.lines[node.expanded - 1] ?? null;
  }

  /** @param {number} step @returns {Round | null} */
  roundAt(step) {
    return this.rounds[this.roundOf[Math.max(0, step - 1)] ?? 0] ?? null;
  }

  /** The nodes on the plan that are in the tree of the last round. @returns {Set<Node>} */
  planNodes() {
    const goal = this.goal();
    return new Set(goal ? pathTo(goal, this.steps) : this.alongPlan());
  }

  /** The goal at the end of the plan. @returns {Node | null} */
  goal() {
    const plan = this.ending?.plan.join('\n') ?? '';
    const moves = (/** @type {Node} */ node) => pathTo(node, this.steps).slice(1).map(({ move }) => move).join('\n');
    const goals = this.rounds.at(-1)?.nodes.filter((node) => node.isGoal && !node.isBackward && node.g === this.ending?.report.cost) ?? [];
    return goals.find((node) => moves(node) === plan) ?? goals[0] ?? null;
  }

  /** The nodes along the plan, found from the roots: forward from its start, backward from its end. @returns {Node[]} */
  alongPlan() {
    const nodes = this.rounds.at(-1)?.nodes ?? [];
    /** @param {boolean} isBackward @param {string[]} moves */
    const along = (isBackward, moves) => {
      let at = nodes.find((node) => node.parent === null && node.isBackward === isBackward);
      const found = at ? [at] : [];
      for (const move of moves) {
        at = at && nodes.find((node) => node.parent === at && node.move === move);
        if (at) found.push(at);
      }
      return found;
    };
    const plan = this.ending?.plan ?? [];
    return plan.length === 0 || this.isDuel ? [] : [...along(false, plan), ...along(true, [...plan].reverse())];
  }
}
