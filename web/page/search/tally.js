// The number of states of each depth and of each value, after any step: running counts, with a copy now and then, and the changes
// of every step in between. A search may be thousands of levels deep, so counts are in one flat array.

/** Kinds of states in one bin: expanded and open, or won, lost and drawn. */
export const KINDS = 3;
/** Minimum number of changes between two copies; more if there is more to copy. */
const APART = 8000;

/** Bins in the order in which they appeared, with counts of each kind. */
export class Bins {
  constructor() {
    /** @type {number[]} */
    this.names = [];
    /** @type {Map<number, number>} */
    this.places = new Map();
    this.counts = new Int32Array(KINDS * 64);
  }

  /** Where the counts of a bin begin. @param {number} name */
  place(name) {
    const known = this.places.get(name);
    if (known !== undefined) return known;
    const place = KINDS * (this.names.push(name) - 1);
    this.places.set(name, place);
    if (place >= this.counts.length) {
      const grown = new Int32Array(2 * this.counts.length);
      grown.set(this.counts);
      this.counts = grown;
    }
    return place;
  }
}

/** @typedef {{depths: Int32Array, values: Int32Array}} Counts in the order of the bins */

export class Tally {
  constructor() {
    this.depths = new Bins();
    this.values = new Bins();
    /** @type {{step: number, end: number, counts: Counts}[]} */
    this.copies = [];
    /** @type {number[]} Changes, three numbers each: two places, and by how many. A place of -1 clears everything. */
    this.changes = [];
    /** @type {number[]} Where the changes of each step end. */
    this.ends = [];
  }

  /** The counts after the last step. @returns {Counts} */
  get now() {
    return { depths: this.depths.counts, values: this.values.counts };
  }

  /** @param {number} depth @param {number} value @param {number} kind @param {number} by */
  count(depth, value, kind, by) {
    this.changes.push(this.depths.place(depth) + kind, this.values.place(value) + kind, by);
    this.apply(this.now, this.changes.length - 3);
  }

  /** A new round counts from zero. */
  restart() {
    this.changes.push(-1, -1, 0);
    this.apply(this.now, this.changes.length - 3);
  }

  /** @param {Counts} counts @param {number} at */
  apply({ depths, values }, at) {
    const [depth, value, by] = [this.changes[at] ?? 0, this.changes[at + 1] ?? 0, this.changes[at + 2] ?? 0];
    if (depth < 0) {
      depths.fill(0);
      values.fill(0);
      return;
    }
    depths[depth] = (depths[depth] ?? 0) + by;
    values[value] = (values[value] ?? 0) + by;
  }

  /** A step is complete. */
  close() {
    const end = this.changes.length;
    const step = this.ends.push(end) - 1;
    const last = this.copies.at(-1);
    const apart = Math.max(APART, this.depths.counts.length + this.values.counts.length);
    if (!last || end - last.end >= apart) this.copies.push({ step, end, counts: this.copy(this.now) });
  }

  /** A copy with room for all bins so far. @param {Counts} counts @returns {Counts} */
  copy(counts) {
    const [depths, values] = [new Int32Array(this.depths.counts.length), new Int32Array(this.values.counts.length)];
    depths.set(counts.depths);
    values.set(counts.values);
    return { depths, values };
  }

  /** @param {number} step @returns {Counts} */
  at(step) {
    const near = this.copies.findLast((copy) => copy.step <= step);
    const counts = near ? this.copy(near.counts) : this.copy({ depths: new Int32Array(), values: new Int32Array() });
    const end = this.ends[step] ?? this.changes.length;
    for (let at = near?.end ?? 0; at < end; at += 3) this.apply(counts, at);
    return counts;
  }
}
