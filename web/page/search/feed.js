// Adds lines to a trace, pausing so that the browser can draw.

/** @import { Line, Trace } from './trace.js' */

/** Milliseconds of work before a pause. */
const BUDGET = 10;

let rested = 0;

/** Adds all lines, or stops once `isOver` returns true. @param {Trace} trace @param {Line[]} lines @param {() => boolean} [isOver] */
export async function feed(trace, lines, isOver = () => false) {
  for (const line of lines) {
    trace.add(line);
    if (performance.now() - rested < BUDGET) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (isOver()) return;
    rested = performance.now();
  }
}
