// The data of a search of the tree of a two-player game, in which each line is a visit of a position. A depth-first search enters a
// position in one step and leaves it in another, when its value is backed up; if the game is over there, one step does both. The line
// of a visit comes when the position is left. Until then the position is in progress, and its move and its window may be unknown.
// A best-first search visits one position in each step and backs up proof numbers.

/** @import { Line, Outcome, Score } from './trace.js' */
import { Node, Trace } from './trace.js';

/** The methods that search the tree. */
const METHODS = ['minimax', 'alphabeta', 'alphabeta-table', 'scout', 'pns', 'dfpn'];

/** From worst to best. @type {Score[]} */
const SCORES = ['loss', 'draw', 'win'];

/** @type {Record<Score, Outcome>} */
const OUTCOMES = { loss: 'P', draw: 'D', win: 'N' };

/** @typedef {{alpha: Score | null, beta: Score | null}} Window scores for the player to move; null if the window is open on that side */
/** @typedef {{from: number, proof: number, disproof: number}} Numbers proof and disproof numbers from a step on */

/** The score for the other player. @param {Score} score @returns {Score} */
export const reversed = (score) => /** @type {Score} */ (SCORES[2 - SCORES.indexOf(score)]);

/** @param {Score | null} score */
const grade = (score) => (score === null ? -1 : SCORES.indexOf(score));

/** @param {number | null | undefined} number null is infinity */
const finite = (number) => number ?? Infinity;

/** A visit of a position, or a move to a position that was not visited. */
export class Visit extends Node {
  /** @param {Visit | null} parent @param {string | null} move @param {number} depth @param {number} from @param {string} fate `new`, `known` or `pruned` */
  constructor(parent, move, depth, from, fate) {
    super(parent, move, depth, from);
    this.above = parent;
    this.fate = fate;
    this.isPruned = fate === 'pruned';
    /** True if the position is visited at some step. */
    this.isVisit = false;
    /** @type {Line | null} */
    this.line = null;
    /** @type {Visit[]} Visits of positions after its moves or, in a best-first search, all of these positions. */
    this.below = [];
    /** @type {Numbers[]} Its proof numbers over time. */
    this.numbers = [];
  }

  /** True if a search is in this position after a step. @param {number} step */
  isOpen(step) {
    return this.isVisit && this.from <= step && (this.expanded === 0 || step < this.expanded);
  }

  /** @param {number} step @returns {Numbers | null} */
  numbersAt(step) {
    return this.numbers.findLast(({ from }) => from <= step) ?? null;
  }

  /** Records new proof numbers. Returns false if they are the same. @param {number} from @param {number} proof @param {number} disproof */
  prove(from, proof, disproof) {
    const last = this.numbers.at(-1);
    if (last?.proof === proof && last.disproof === disproof) return false;
    this.numbers.push({ from, proof, disproof });
    return true;
  }

  /** The value after the visit: a score, and `≥` or `≤` if it is only a bound. Null if there is none. @returns {{sign: string, score: Score} | null} */
  get value() {
    const { line } = this;
    if (!line?.value) return null;
    const isLower = line.beta !== undefined && line.beta !== null && grade(line.value) >= grade(line.beta);
    const isExact = line.outcome || line.value === (isLower ? 'win' : 'loss');
    return { sign: isExact ? '' : isLower ? '≥' : '≤', score: line.value };
  }

  /** The window after a step. Alpha rises with the values of the moves. @param {number} step @returns {Window | null} */
  windowAt(step) {
    const { line, below } = this;
    if (line?.alpha === undefined) return null;
    const { alpha, beta = null } = line;
    const last = this.isOpen(step) ? below.findLast((visit) => visit.from <= step) : undefined;
    if (!last?.line) return { alpha, beta };
    // A move is searched with the window of this position, as the other player sees it.
    const before = last.line.beta ? reversed(last.line.beta) : null;
    const after = last.expanded <= step && last.line.value ? reversed(last.line.value) : null;
    return { alpha: grade(after) > grade(before) ? after : before, beta };
  }
}

export class VisitTrace extends Trace {
  /** @param {string} method @param {boolean} [isWhole] @param {string} [order] */
  constructor(method, isWhole, order) {
    super(method, isWhole, order);
    this.isDuel = true;
    this.isBestFirst = method === 'pns';
    /** True for proof numbers instead of values. */
    this.isProof = method === 'pns' || method === 'dfpn';
    /** @type {Visit[]} The visit of each step. */
    this.visits = [];
    /** @type {Map<number, Visit>} */
    this.numbered = new Map();
    /** @type {Visit[]} Positions entered and not left, the start first. */
    this.path = [];
    /** The number of the next position to be entered. */
    this.next = 0;
    /** @type {number[]} Number of visits up to each step, from step 0. */
    this.visited = [0];
    /** @type {number[]} Number of cutoffs up to each step, from step 0. */
    this.cutoffs = [0];
    /** @type {number[]} Number of moves generated in each step. */
    this.made = [];
    /** The number of lines when `generated` was computed. */
    this.summed = 0;
  }

  /** @param {Line} line */
  add(line) {
    this.lines.push(line);
    if (this.isBestFirst) return this.visit(line);
    for (; this.next <= line.id; this.next++) this.arrive(this.next === line.id && line.children.length === 0);
    this.backUp(line);
  }

  /** @param {boolean} isOver true if the position is left in the same step */
  arrive(isOver) {
    const visit = this.put(this.path.at(-1) ?? null, null);
    visit.isVisit = true;
    this.path.push(visit);
    if (!isOver) this.end(visit, this.next + 1, 0);
  }

  /** @param {Line} line */
  backUp(line) {
    const visit = this.path.pop();
    if (!visit) return;
    this.know(visit, line);
    for (const [rank, { move, fate, outcome }] of line.children.entries()) {
      const visits = visit.below.filter((below) => below.move === move);
      for (const below of visits) below.rank = rank;
      if (visits.length > 0) continue;
      const leaf = this.put(visit, move, fate);
      leaf.rank = rank;
      leaf.outcome = outcome ?? null;
      if (outcome) leaf.expanded = this.steps + 1;
    }
    this.end(visit, this.next, line.cutoff ? 1 : 0);
  }

  /** A visit in a best-first search. Its children are generated, and the numbers above it change. @param {Line} line */
  visit(line) {
    const visit = (line.parent === null ? undefined : this.numbered.get(line.id)) ?? this.put(null, null);
    const step = this.steps + 1;
    this.know(visit, line);
    for (const { id, move } of line.children) {
      const child = this.put(visit, move);
      child.prove(step, 1, 1);
      if (id !== null) this.numbered.set(id, child);
    }
    for (let at = visit.above; at; at = at.above) {
      const [own, other] = at.depth % 2 === 0 ? /** @type {const} */ (['proof', 'disproof']) : /** @type {const} */ (['disproof', 'proof']);
      const after = at.below.map(({ numbers }) => /** @type {Numbers} */ (numbers.at(-1)));
      const found = { proof: 0, disproof: 0, [own]: Math.min(...after.map((numbers) => numbers[own])), [other]: after.reduce((sum, numbers) => sum + numbers[other], 0) };
      if (!at.prove(step, found.proof, found.disproof)) break;
    }
    this.end(visit, this.lines.length, 0);
  }

  /** Stores the line of a visit. @param {Visit} visit @param {Line} line */
  know(visit, line) {
    const step = this.steps + 1;
    visit.line = line;
    visit.isVisit = true;
    visit.move = line.move;
    visit.expanded = step;
    visit.outcome = line.value ? OUTCOMES[line.value] : (line.outcome ?? null);
    const isKnown = line.proof !== null || line.disproof !== null;
    if (line.question !== undefined && isKnown) visit.prove(step, finite(line.proof), finite(line.disproof));
    const entered = this.isBestFirst ? step : Math.max(1, visit.from);
    this.made[entered] = line.children.length;
    const round = this.rounds.at(-1);
    if (round) round.question = line.question;
  }

  /** Adds a node below another one, or a new tree. @param {Visit | null} parent @param {string | null} move @param {string} [fate] @returns {Visit} */
  put(parent, move, fate = 'new') {
    const from = this.steps === 0 && !parent ? 0 : this.steps + 1;
    if (!parent) this.rounds.push({ number: this.rounds.length + 1, start: this.steps + 1, bound: undefined, nodes: [] });
    const visit = new Visit(parent, move, parent ? parent.depth + 1 : 0, from, fate);
    parent?.below.push(visit);
    this.rounds.at(-1)?.nodes.push(visit);
    return visit;
  }

  /** Ends a step. @param {Visit} visit @param {number} visited @param {number} cutoffs */
  end(visit, visited, cutoffs) {
    this.visits.push(visit);
    this.nodes.push(visit);
    this.roundOf.push(this.rounds.length - 1);
    this.visited.push(visited);
    this.cutoffs.push(cutoffs + (this.cutoffs.at(-1) ?? 0));
  }

  /** @param {Node} node */
  lineOf(node) {
    return node instanceof Visit ? node.line : null;
  }

  /** @param {number} step */
  generatedAt(step) {
    if (this.summed !== this.lines.length) {
      this.summed = this.lines.length;
      let sum = 0;
      this.generated = Array.from({ length: this.steps + 1 }, (_, step) => (sum += this.made[step] ?? 0));
    }
    return super.generatedAt(step);
  }

  /** For proof numbers, N and P mean proved and disproved. @param {Node} node @param {number} step */
  outcomeAt(node, step) {
    const numbers = node instanceof Visit ? node.numbersAt(step) : null;
    if (numbers) return numbers.proof === 0 ? 'N' : numbers.disproof === 0 ? 'P' : null;
    return super.outcomeAt(node, step);
  }

  /** @param {Node} node @param {number} step */
  textAt(node, step) {
    if (!(node instanceof Visit) || node.isPruned) return '';
    const numbers = node.numbersAt(step);
    if (numbers) return [numbers.proof, numbers.disproof].map((number) => (number === Infinity ? '∞' : number)).join('/');
    if (!node.line) return letter(node.expanded > 0 && node.expanded <= step ? node.outcome : null);
    return node.value && node.expanded <= step ? `${node.value.sign}${letter(OUTCOMES[node.value.score])}` : '';
  }

  /** @param {Node} node @param {number} step */
  frameAt(node, step) {
    const window = node instanceof Visit && node.isOpen(step) ? node.windowAt(step) : null;
    return window ? `(${window.alpha ? letter(OUTCOMES[window.alpha]) : '−∞'}, ${window.beta ? letter(OUTCOMES[window.beta]) : '∞'})` : '';
  }

  /** @param {Node} node @param {number} step */
  isOpen(node, step) {
    return node instanceof Visit && (this.isBestFirst ? node.expanded > 0 && node.expanded <= step : node.isOpen(step));
  }
}

/** The first letter of win, draw or loss. @param {string | null} outcome */
const letter = (outcome) => (outcome === 'N' ? 'W' : outcome === 'D' ? 'D' : outcome === 'P' ? 'L' : '');

/** An empty trace of a method. @param {string} method @param {boolean} isWhole @param {string} [order] @returns {Trace} */
export const begin = (method, isWhole, order) => (METHODS.includes(method) ? new VisitTrace(method, isWhole, order) : new Trace(method, isWhole));
