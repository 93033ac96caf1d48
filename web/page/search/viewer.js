// Shows one search after any step: the board, the numbers, the tree or the bars, the open list, and the selection.

/** @import { Scene } from '../engine/api.js' */
/** @import { Ending, Node, Trace } from './trace.js' */
import { Painted, paintsAt } from '../board/painting.js';
import { miniature } from '../board/scene.js';
import { fill, grouped, h } from '../dom.js';
import { Bars } from './bars.js';
import { List } from './list.js';
import { pathTo } from './trace.js';
import { MOST_NODES, Tree, isPart, visibleCount } from './tree.js';
import { VisitTrace } from './visits.js';
import { figures, meaning, nodeWords, number, roundWords, sentence } from './words.js';

/**
 * The scene of a node, or null if it is not available.
 * @typedef {(trace: Trace, node: Node) => Promise<Scene | null>} BoardOf
 */

/** Maximum number of moves listed for a path. */
const MOST_MOVES = 60;

export class Viewer {
  /** @param {Trace} trace @param {BoardOf} boardOf @param {(step: number) => void} onGo */
  constructor(trace, boardOf, onGo) {
    this.trace = trace;
    this.boardOf = boardOf;
    this.step = 0;
    /** @type {Node | null} */
    this.picked = null;
    /** @type {Node | null} The node under the pointer. */
    this.pointed = null;
    /** @type {Node | null} The node whose board is shown or being fetched. */
    this.shown = null;
    this.isFetching = false;
    /** @type {Painted | null} The board, if the search is painted on it. */
    this.painted = null;
    /** @type {Set<Node> | null} */
    this.plan = null;
    /** @type {Node | null} The end of the plan. */
    this.goal = null;
    this.note = h('span', { class: 'note' });
    this.head = h('h2', null, trace.title, this.note);
    this.board = h('div', { class: 'board-of-step', role: 'img', 'aria-label': 'Board' });
    this.board.addEventListener('pointermove', (event) => this.pointAt(event.target));
    this.board.addEventListener('pointerleave', () => this.painted && this.point(null));
    this.board.addEventListener('click', (event) => this.painted && this.pick(this.nodeAt(event.target)));
    this.caption = h('p', { class: 'soft small', 'data-method': trace.title });
    this.counters = h('dl', { class: 'counters' });
    this.tree = new Tree({ onPick: (node) => this.pick(node), onPoint: (node) => this.point(node), onGo: (node) => onGo(node.expanded) });
    this.bars = new Bars();
    this.list = new List((node) => this.pick(node));
    this.words = h('p', { class: 'step-words', 'aria-live': 'polite' });
    this.round = h('p', { class: 'round' });
    this.legend = h('p', { class: 'legend soft small' });
    this.selection = h('div', { class: 'selection', role: 'status' });
    this.moment = h('p', { class: 'moment' });
    /** The board of the current step, which may be elsewhere on the page. */
    this.figure = h('div', { class: 'figure' }, this.board, this.caption);
    this.side = h('div', { class: 'side' }, this.figure, this.counters);
    const middle = h('div', { class: 'middle' }, this.round, this.tree.element, this.bars.element, this.legend, this.selection);
    this.element = h('section', { class: 'viewer', 'aria-label': trace.title }, this.head, this.words, h('div', { class: 'parts' }, this.side, middle, this.list.element), this.moment);
  }

  /** Called when more lines have arrived, or the search has ended. */
  grown() {
    this.plan = null;
    // A board may be known only now.
    if (this.trace.ending) this.shown = null;
    if (this.trace.ending && this.trace.steps === 0) this.showNothing();
  }

  /** Shows a message if the method expanded no states. */
  showNothing() {
    const { plan, report } = /** @type {Ending} */ (this.trace.ending);
    const what = plan.length > 0 ? ` It finds ${plan.length === 1 ? 'the move' : 'the moves'} ${plan.slice(0, MOST_MOVES).join(', ')}${plan.length > MOST_MOVES ? ', …' : ''}${report.cost === undefined ? '' : ` (cost ${grouped(report.cost)})`} directly.` : '';
    const calculates = report.verdict === 'solved' && plan.length > 0;
    fill(this.words, calculates ? `${this.trace.method} expands no states: it calculates the answer instead of searching for it.${what}` : `${this.trace.method} expanded no states.`);
    fill(this.moment, this.trace.ending?.moment ?? '');
    this.element.classList.add('nothing');
  }

  /** @param {number} step may exceed the number of steps if the other search is longer */
  show(step) {
    const { trace } = this;
    this.step = Math.min(step, trace.steps);
    if (trace.steps === 0) return;
    const round = trace.roundAt(this.step);
    if (this.picked && (this.picked.from > this.step || this.picked.round !== round?.number)) this.picked = null;
    const isAtEnd = trace.ending !== null && this.step === trace.steps;
    if (isAtEnd && !this.plan) {
      this.plan = trace.planNodes();
      this.goal = trace.isDuel ? null : trace.goal();
    }
    this.showWords(step, isAtEnd);
    this.showCounters();
    this.showTree(isAtEnd);
    this.list.show(trace, this.step);
    this.showSelection();
    this.showBoard();
  }

  /** @param {number} step @param {boolean} isAtEnd */
  showWords(step, isAtEnd) {
    const { trace } = this;
    const report = trace.ending?.report;
    const isAnswered = report?.stats !== undefined && report.limit === undefined;
    put(this.words, sentence(trace, this.step));
    this.words.title = this.words.textContent ?? '';
    put(this.round, roundWords(trace, this.step));
    put(this.note, isAtEnd ? ` ${isAnswered ? 'finished' : 'stopped'}${step > trace.steps ? ` after ${grouped(trace.steps)}` : ''}` : '');
    put(this.moment, isAtEnd ? (trace.ending?.moment ?? '') : '');
    this.moment.title = this.moment.textContent ?? '';
    this.moment.classList.toggle('good', isAnswered && report.optimal !== false);
  }

  showCounters() {
    const { trace, step } = this;
    if (trace instanceof VisitTrace) return this.count(figures(trace, step));
    const line = trace.lines[step - 1];
    const report = trace.ending && step === trace.steps ? trace.ending.report : null;
    /** @type {[string, string][]} */
    const rows = [
      [trace.isDuel ? 'decided' : 'expanded', grouped(step)],
      ['generated', grouped(trace.generatedAt(step))],
      [trace.isDuel ? 'on the stack' : 'open', line ? number(line.open) : number(trace.waiting[0])],
    ];
    if (!trace.isDuel) rows.push(['at least', number(line?.lower)], ['at most', number(line?.upper ?? report?.cost)]);
    if (report?.cost !== undefined) rows.push([report.optimal ? 'least cost' : 'cost', grouped(report.cost)]);
    if (report?.outcome) rows.push(['result', `${report.outcome}: ${meaning(report.outcome)}`]);
    this.count(rows);
  }

  /** Shows numbers with their names. @param {[string, string][]} rows */
  count(rows) {
    if (this.counters.children.length !== 2 * rows.length) fill(this.counters, ...rows.flatMap(() => [h('dt', null), h('dd', null)]));
    for (const [at, [name, value]] of rows.entries()) {
      put(/** @type {Element} */ (this.counters.children[2 * at]), name);
      put(/** @type {Element} */ (this.counters.children[2 * at + 1]), value);
    }
  }

  /** @param {boolean} isAtEnd */
  showTree(isAtEnd) {
    const { trace, step } = this;
    const round = trace.roundAt(step);
    const count = round ? visibleCount(round, step) : 0;
    const isLarge = count > MOST_NODES && !(trace instanceof VisitTrace);
    this.tree.element.hidden = isLarge;
    this.bars.element.hidden = !isLarge;
    if (isLarge) this.bars.show(trace, step);
    else this.tree.show(trace, step, this.picked, isAtEnd ? (this.plan ?? new Set()) : new Set());
    put(this.legend, (isPart(trace, step) ? `The path and its moves, of ${grouped(count)} nodes. ` : '') + legend(trace, isLarge ? count : 0, this.tree.hasNumbers, isAtEnd && (this.plan?.size ?? 0) > 0));
  }

  /** @param {Node | null} node */
  pick(node) {
    this.picked = node;
    this.showTree(this.trace.ending !== null && this.step === this.trace.steps);
    this.showSelection();
    this.showBoard();
  }

  /** Shows the board and values of the node under the pointer. @param {Node | null} node */
  point(node) {
    if (node === this.pointed) return;
    this.pointed = node;
    this.showSelection();
    this.showBoard();
  }

  showSelection() {
    const node = this.pointed ?? this.picked;
    this.selection.hidden = node === null;
    if (!node) return put(this.selection, '');
    const moves = pathTo(node, this.step).slice(1).map((step) => step.wayAt(this.step).move ?? '?');
    const way = moves.length === 0 ? 'the start' : `after ${moves.length > MOST_MOVES ? '… ' : ''}${moves.slice(-MOST_MOVES).join(', ')}`;
    const when = node.expanded && node.expanded <= this.step ? `expanded at step ${grouped(node.expanded)}` : node.isDead ? 'dead: no goal can be reached from it' : node.isBeyond ? 'beyond the bound' : 'open';
    const values = this.trace.isDuel ? nodeWords(this.trace, node, this.step) : [`g ${number(node.g)} + h ${number(node.h)} = f ${number(node.f)}`, when];
    put(this.selection, [`${node === this.picked ? 'Selected: ' : ''}${node.isBackward ? 'from the goal, ' : ''}${way}`, ...values].filter(Boolean).join(' · '));
  }

  /** Shows the board of the selected node, or of the step. Boards skipped in the meantime are not fetched. */
  async showBoard() {
    // In a two-player game the start may be decided last.
    const first = this.trace.isDuel && this.step === 0 ? this.trace.nodes.findIndex((node) => node.depth === 0) : 0;
    const isAtEnd = this.trace.ending !== null && this.step === this.trace.steps;
    const goal = isAtEnd ? this.goal : null;
    const current = this.pointed ?? this.picked ?? goal ?? this.trace.nodes[Math.max(first, this.step - 1)] ?? null;
    this.paint(current, isAtEnd && !this.pointed && !this.picked);
    const node = this.trace.isWhole ? (this.trace.nodes[0] ?? null) : current;
    if (!node || node === this.shown || this.isFetching) return;
    this.isFetching = true;
    this.shown = node;
    const scene = await this.boardOf(this.trace, node).catch(() => null);
    this.isFetching = false;
    if (this.shown === node) {
      this.board.setAttribute('aria-label', scene?.title ?? 'No board');
      this.painted = scene && this.trace.hasPlaces ? new Painted(scene) : null;
      fill(this.board, this.painted ? withRatio(this.painted.svg, scene) : scene ? withRatio(miniature(scene), scene) : h('p', { class: 'soft' }, 'This board is not part of the trace.'));
      if (this.trace.isWhole) put(this.caption, 'Blue: expanded, stronger if later. Yellow: open. Orange: path.');
      else put(this.caption, this.pointed ? 'The state under the pointer' : this.picked ? 'The selected state' : node === goal ? 'The goal' : this.step === 0 ? 'The start' : 'The state at this step');
    }
    this.showBoard();
  }

  /** Paints the search on the board. @param {Node | null} node the node to whose place the path leads @param {boolean} isPlan true if the path is the plan */
  paint(node, isPlan) {
    if (!this.painted) return;
    const { trace, step } = this;
    const plan = isPlan ? (trace.ending?.places ?? []) : [];
    const path = plan.length > 0 || !node ? plan : pathTo(node, step).flatMap(({ place }) => place ?? []);
    this.painted.show(paintsAt(trace.lines, step), path, isPlan ? undefined : node?.place);
  }

  /** The node at the place under the pointer. @param {EventTarget | null} target */
  nodeAt(target) {
    const name = this.painted?.nameAt(target) ?? null;
    return name === null ? null : this.trace.nodeAt(name, this.step);
  }

  /** Shows the values of the state at the place under the pointer. @param {EventTarget | null} target */
  pointAt(target) {
    if (this.painted && this.trace.isWhole) this.point(this.nodeAt(target));
  }

  /** Redraws in a new size or new colors. */
  redraw() {
    this.tree.draw();
    if (!this.bars.element.hidden) this.bars.draw();
  }
}

/** Fixes the aspect ratio of a drawing, so that it fits any container. @param {SVGElement} drawing @param {Scene | null} scene */
function withRatio(drawing, scene) {
  if (scene) drawing.style.setProperty('--ratio', `${scene.width / scene.height}`);
  return drawing;
}

/** The legend of the drawing. @param {Trace} trace @param {number} count the number of nodes if they are too many for a tree, or 0 @param {boolean} hasNumbers @param {boolean} hasPlan */
function legend(trace, count, hasNumbers, hasPlan) {
  const kinds = trace instanceof VisitTrace ? visitLegend(trace) : trace.isDuel ? 'N (green, round): the player to move wins. P (red, square): the player to move loses.' : count > 0 ? 'Dark: expanded. Pale: open.' : `Filled: expanded. Hollow: open${trace.isDeepening ? ', or gray: beyond the bound' : ''}. Ring: this step.`;
  if (count > 0) return `${grouped(count)} nodes are too many for a tree, so bars count them. ${kinds}`;
  const sides = trace.word === 'bidirectional' ? ' Top: from the start. Bottom: from the goal.' : '';
  return `${kinds}${hasNumbers && !(trace instanceof VisitTrace) ? (trace.isDuel ? ' Numbers: Grundy values.' : ' Numbers: f.') : ''}${sides}${hasPlan ? ' Green line: the plan.' : ''}`;
}

/** @param {VisitTrace} trace */
function visitLegend({ isProof, word }) {
  if (isProof) return 'Numbers: proof/disproof. Green circle: proved. Red square: disproved.';
  const value = 'Circle: the player to move wins. Diamond: a draw. Square: loses.';
  return word === 'minimax' ? value : `${value} ×: pruned. (alpha, beta): window.`;
}

/** @param {Element} element @param {string} text */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
