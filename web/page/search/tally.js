// Counts the states by depth and by value after a step.

/** @import { Line, Trace } from './trace.js' */

/** Number of kinds of states in a bin: expanded and open, or won, lost and drawn. */
export const KINDS = 3;

/** @typedef {Map<number, number[]>} Bins the number of states of each kind, by depth or by value */

/** @param {Trace} trace @param {number} step @returns {{depths: Bins, values: Bins}} */
export function tally(trace, step) {
  /** @type {Bins} */
  const depths = new Map();
  /** @type {Bins} */
  const values = new Map();
  const count = (/** @type {number} */ depth, /** @type {number} */ value, /** @type {number} */ kind) => {
    for (const [bins, name] of /** @type {[Bins, number][]} */ ([[depths, depth], [values, value]])) {
      const counts = bins.get(name) ?? Array(KINDS).fill(0);
      counts[kind]++;
      bins.set(name, counts);
    }
  };
  for (let at = trace.roundAt(step)?.start ?? 1; at <= step; at++) {
    const { depth, g = 0, f, grundy = -1, outcome } = /** @type {Line} */ (trace.lines[at - 1]);
    if (trace.isDuel) count(depth, grundy, ['N', 'P', 'D'].indexOf(outcome ?? 'N'));
    else count(depth, f ?? g, 0);
  }
  for (const { node, f } of trace.frontier.first(step, Infinity)) count(node.wayAt(step).depth, f, 1);
  return { depths, values };
}
