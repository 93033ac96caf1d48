// How many states there are of each depth and of each value, after any step: running counts, with a copy kept now and then, and
// what every step changed in between. The more there is to copy, the rarer a copy is taken.

/** States of one bin, in up to three kinds: expanded and open, or won, lost and drawn. */
const KINDS = 3;
/** Least changes between two copies. */
const APART = 2000;

/** @typedef {Map<number, number[]>} Counts by depth or value, the number of states of each kind */

/** @param {Counts} counts @param {number} bin @param {number} kind @param {number} by */
function bump(counts, bin, kind, by) {
  let row = counts.get(bin);
  if (!row) counts.set(bin, (row = new Array(KINDS).fill(0)));
  row[kind] = (row[kind] ?? 0) + by;
}

/** @param {Counts} counts @returns {Counts} */
const copy = (counts) => new Map([...counts].map(([bin, row]) => [bin, [...row]]));

/** @typedef {{depths: Counts, values: Counts}} Tallied */

export class Tally {
  constructor() {
    /** @type {Tallied} */
    this.now = { depths: new Map(), values: new Map() };
    /** @type {{step: number, end: number, counts: Tallied}[]} */
    this.copies = [];
    /** @type {{step: number, end: number, counts: Tallied} | null} What was asked for last. */
    this.asked = null;
    /** @type {number[]} Changes, four numbers each: depth, value, kind, by how many. A depth of -1 clears everything. */
    this.changes = [];
    /** @type {number[]} Where the changes of each step end. */
    this.ends = [];
  }

  /** @param {number} depth @param {number} value @param {number} kind @param {number} by */
  count(depth, value, kind, by) {
    this.changes.push(depth, value, kind, by);
    this.apply(this.now, this.changes.length - 4);
  }

  /** A new round counts from zero. */
  restart() {
    this.count(-1, 0, 0, 0);
  }

  /** @param {Tallied} counts @param {number} at */
  apply({ depths, values }, at) {
    const { changes } = this;
    const depth = changes[at] ?? 0;
    if (depth < 0) {
      depths.clear();
      values.clear();
      return;
    }
    const [kind, by] = [changes[at + 2] ?? 0, changes[at + 3] ?? 0];
    bump(depths, depth, kind, by);
    bump(values, changes[at + 1] ?? 0, kind, by);
  }

  /** A step is complete. */
  close() {
    const end = this.changes.length;
    const step = this.ends.push(end) - 1;
    const { depths, values } = this.now;
    const apart = Math.max(APART, 2 * (depths.size + values.size));
    if (end - (this.copies.at(-1)?.end ?? -Infinity) >= 4 * apart) this.copies.push({ step, end, counts: { depths: copy(depths), values: copy(values) } });
  }

  /** The counts after a step. They change when the next ones are asked for. @param {number} step @returns {Tallied} */
  at(step) {
    const near = this.copies.findLast((copy) => copy.step <= step);
    if (!near) return { depths: new Map(), values: new Map() };
    // On from the last step that was asked for, if that is nearer.
    const isOn = this.asked !== null && this.asked.step <= step && this.asked.end >= near.end;
    const from = isOn && this.asked ? this.asked : { end: near.end, counts: { depths: copy(near.counts.depths), values: copy(near.counts.values) } };
    const end = this.ends[step] ?? this.changes.length;
    for (let at = from.end; at < end; at += 4) this.apply(from.counts, at);
    this.asked = { step, end, counts: from.counts };
    return from.counts;
  }
}
