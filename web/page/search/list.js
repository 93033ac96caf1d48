// The open list as a table or, in a two-player game, the positions decided or visited most recently. Rows are reused, and only the cells
// that change are written.

/** @import { Node, Trace } from './trace.js' */
/** @import { Visit, Window } from './visits.js' */
import { fill, grouped, h } from '../dom.js';
import { pathTo } from './trace.js';
import { VisitTrace } from './visits.js';
import { meaning, number } from './words.js';

/** Maximum number of rows. */
const MOST = 100;
/** Number of characters of a move that is written in two lines. */
const LONG = 14;

/** @typedef {{node: Node, cells: string[], kind: string}} Row */

export class List {
  /** @param {(node: Node) => void} onPick */
  constructor(onPick) {
    this.onPick = onPick;
    this.title = h('h3', null);
    this.head = h('tr', null);
    this.body = h('tbody', null);
    /** @type {Row[]} The visible rows. */
    this.rows = [];
    this.heads = '';
    /** True if a move was too long for one line. */
    this.isLong = false;
    this.table = h('table', null, h('thead', null, this.head), this.body);
    /** The index of the selected row, if it is still shown. */
    this.at = -1;
    const region = h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'List of states; select one with the up and down arrow keys', onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event) }, this.table);
    this.element = h('div', { class: 'waiting' }, this.title, region);
    this.body.addEventListener('click', (event) => {
      const row = event.target instanceof Element ? event.target.closest('tr') : null;
      if (row) this.pick([...this.body.children].indexOf(row));
    });
  }

  /** @param {number} at */
  pick(at) {
    const row = this.rows[at];
    if (!row) return;
    this.onPick(row.node);
    this.body.children[this.at]?.removeAttribute('aria-current');
    this.at = at;
    this.body.children[at]?.setAttribute('aria-current', 'true');
    this.body.children[at]?.scrollIntoView({ block: 'nearest' });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    this.pick(Math.max(0, Math.min(this.at + (event.key === 'ArrowDown' ? 1 : -1), this.rows.length - 1)));
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {Trace} trace @param {number} step */
  show(trace, step) {
    if (trace instanceof VisitTrace) this.table.className = trace.isProof || trace.word === 'minimax' ? 'visits short' : 'visits';
    if (trace instanceof VisitTrace) this.showVisits(trace, step);
    else if (trace.isDuel) this.showDecided(trace, step);
    else this.showOpen(trace, step);
  }

  /** @param {Trace} trace @param {number} step */
  showOpen(trace, step) {
    const entries = trace.frontier.first(step, MOST);
    const total = trace.waiting[step] ?? 0;
    const both = trace.word === 'bidirectional';
    this.isLong ||= entries.some(({ node }) => (node.wayAt(step).move?.length ?? 0) > LONG);
    this.table.classList.toggle('long', this.isLong);
    const keyed = entries.some(({ key, f }) => key !== f);
    this.caption(`Open: ${entries.length < total ? `first ${MOST} of ${grouped(total)}` : grouped(total)}`, trace.frontier.order.about);
    this.heading(['move', 'g', 'h', 'f', ...(keyed ? ['priority'] : []), ...(both ? ['side'] : [])]);
    this.fill(
      entries.map(({ node, g, h: estimate, f, key }) => ({
        node,
        cells: [node.wayAt(step).move ?? 'start', number(g), number(estimate), number(f), ...(keyed ? [number(key)] : []), ...(both ? [node.isBackward ? 'goal' : 'start'] : [])],
        kind: node.isGoal ? 'goal' : '',
      }))
    );
  }

  /** @param {Trace} trace @param {number} step */
  showDecided(trace, step) {
    const from = Math.max(0, step - MOST);
    this.caption(`Decided: ${from > 0 ? `last ${MOST} of ${grouped(step)}` : grouped(step)}`, 'most recent first');
    this.heading(['step', 'move', 'value', 'Grundy']);
    const nodes = trace.nodes.slice(from, step).reverse();
    this.fill(nodes.map((node, at) => ({ node, cells: [grouped(step - at), node.move ?? 'start', node.outcome ?? '–', node.grundy === undefined ? '–' : String(node.grundy)], kind: `outcome-${node.outcome}`, title: meaning(node.outcome) })));
  }

  /** The positions in progress, then those left with their pruned moves, both most recent first. @param {VisitTrace} trace @param {number} step */
  showVisits(trace, step) {
    const current = trace.visits[step - 1];
    const path = current && !trace.isBestFirst ? /** @type {Visit[]} */ (pathTo(current, step)) : [];
    const shown = path.filter((visit) => visit.isOpen(step)).reverse();
    for (let at = step; at > 0 && shown.length < MOST; at--) {
      const visit = /** @type {Visit} */ (trace.visits[at - 1]);
      if (visit.expanded === at) shown.push(visit, ...visit.below.filter(({ isPruned }) => isPruned));
    }
    const total = trace.visited[step] ?? 0;
    this.caption(`Visited: ${grouped(total)}`, trace.isBestFirst ? 'most recent first' : 'in progress first');
    const [heads, cells] = columns(trace);
    this.heading(['move', 'depth', ...heads]);
    this.fill(shown.slice(0, MOST).map((node) => ({ node, cells: [node.move ?? (node.above ? '?' : 'start'), String(node.depth), ...cells(node, step)], kind: node.isPruned ? 'pruned' : node.isOpen(step) ? 'current' : `outcome-${trace.outcomeAt(node, step)}` })));
  }

  /** @param {string} title @param {string} about */
  caption(title, about) {
    const text = `${title} (${about})`;
    if (this.title.textContent !== text) fill(this.title, title, h('span', { class: 'soft' }, ` (${about})`));
  }

  /** @param {string[]} names */
  heading(names) {
    if (this.heads === names.join()) return;
    this.heads = names.join();
    fill(this.head, ...names.map((name) => h('th', { scope: 'col', class: name }, name)));
    this.body.replaceChildren();
  }

  /** @param {Row[]} rows */
  fill(rows) {
    this.rows = rows;
    this.body.children[this.at]?.removeAttribute('aria-current');
    this.at = -1;
    while (this.body.children.length > rows.length) this.body.lastElementChild?.remove();
    for (const [at, { cells, kind }] of rows.entries()) {
      const row = this.body.children[at] ?? this.body.appendChild(h('tr', null, cells.map(() => h('td', null))));
      if (row.className !== kind) row.className = kind;
      for (const [place, text] of cells.entries()) {
        const cell = row.children[place];
        if (cell && cell.textContent !== text) cell.textContent = text;
      }
    }
  }
}

/** The columns after the move and the depth. @param {VisitTrace} trace @returns {[heads: string[], cells: (visit: Visit, step: number) => string[]]} */
function columns({ word, isProof }) {
  if (isProof) {
    const text = (/** @type {number | undefined} */ count) => (count === Infinity ? '∞' : number(count));
    return [['proof', 'disproof'], (visit, step) => [text(visit.numbersAt(step)?.proof), text(visit.numbersAt(step)?.disproof)]];
  }
  const value = (/** @type {Visit} */ visit, /** @type {number} */ step) => (visit.isPruned ? 'pruned' : visit.expanded > step || !visit.value ? '–' : `${visit.value.sign} ${visit.value.score}`.trim());
  if (word === 'minimax') return [['value', 'length'], (visit, step) => [value(visit, step), visit.expanded > step ? '–' : number(visit.line?.length)]];
  const bounds = (/** @type {Window | null} */ window) => (window ? [window.alpha ?? '−∞', window.beta ?? '∞'] : ['', '']);
  return [['value', 'alpha', 'beta'], (visit, step) => [value(visit, step), ...bounds(visit.windowAt(step))]];
}
