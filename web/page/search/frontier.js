// The open list, in the order in which the method takes states from it. As in the program, states with the same key share a bucket. A
// bucket is a list of pages; each records when it contains open states, so that the other pages can be skipped.

/** @import { Entry } from './trace.js' */

/**
 * @typedef {{entries: Entry[], from: number, to: number, open: number}} Page
 * @typedef {{keys: [number, number], pages: Page[]}} Bucket
 * @typedef {{about: string, keys: (entry: Entry) => [number, number], isStack: boolean}} Order
 */

const PAGE = 256;

const byKey = (/** @type {Entry} */ entry) => /** @type {[number, number]} */ ([entry.key, entry.h]);

/** An order by one key. States with equal keys are first in, first out or, for a stack, last in, first out. @param {string} about @param {(entry: Entry) => number} key @param {boolean} [isStack] @returns {Order} */
const one = (about, key, isStack = false) => ({ about, keys: (entry) => [key(entry), 0], isStack });

const DEEPEST = one('deepest first, children in order', (entry) => -entry.node.depth);
const CHEAPEST = { about: 'least g first', keys: byKey, isStack: true };

/** Orders by method name or the word before its colon; all other methods order states by f. @type {Record<string, Order>} */
const ORDERS = {
  bfs: one('first in, first out', () => 0),
  dfs: DEEPEST,
  iddfs: DEEPEST,
  idastar: DEEPEST,
  rbfs: { about: 'least value first, then the deepest', keys: (entry) => [entry.key, -entry.node.depth], isStack: false },
  ucs: CHEAPEST,
  greedy: { ...CHEAPEST, about: 'least h first' },
  wastar: { ...CHEAPEST, about: 'least g + weighted h first' },
  layered: one('layer by layer', () => 0),
  bidirectional: one('from both sides, least g first', (entry) => entry.g),
  'course:BFS': one('first in, first out', () => 0),
  'course:DFS': one('last in, first out', () => 0, true),
  'course:UCS': one('least g first', (entry) => entry.g),
  'course:GS': one('least h first', (entry) => entry.key),
};

const BEST = { about: 'least f first, then least h', keys: byKey, isStack: true };

export class Frontier {
  /** @param {string} method */
  constructor(method) {
    const word = method.split(':')[0] ?? '';
    this.order = ORDERS[method] ?? ORDERS[word] ?? (word === 'course' ? one('least f first', (entry) => entry.key) : BEST);
    /** @type {Bucket[]} Sorted by keys. */
    this.buckets = [];
    /** @type {Map<string, Bucket>} */
    this.byKeys = new Map();
  }

  /** @param {Entry} entry */
  add(entry) {
    const bucket = this.bucket(this.order.keys(entry));
    let page = bucket.pages.at(-1);
    if (!page || page.entries.length === PAGE) bucket.pages.push((page = { entries: [], from: entry.from, to: 0, open: 0 }));
    page.entries.push(entry);
    page.open++;
    entry.page = page;
  }

  /** Called when an entry has left the open list. @param {Entry} entry */
  close({ page, to }) {
    if (!page) return;
    page.open--;
    page.to = Math.max(page.to, to);
  }

  /** @param {[number, number]} keys */
  bucket(keys) {
    const name = keys.join();
    const found = this.byKeys.get(name);
    if (found) return found;
    /** @type {Bucket} */
    const bucket = { keys, pages: [] };
    const isAfter = (/** @type {Bucket} */ { keys: [first, second] }) => first > keys[0] || (first === keys[0] && second > keys[1]);
    let [low, high] = [0, this.buckets.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isAfter(/** @type {Bucket} */ (this.buckets[middle]))) high = middle;
      else low = middle + 1;
    }
    this.buckets.splice(low, 0, bucket);
    this.byKeys.set(name, bucket);
    return bucket;
  }

  /** The first `most` entries after a step. @param {number} step @param {number} most @returns {Entry[]} */
  first(step, most) {
    /** @type {Entry[]} */
    const found = [];
    const { isStack } = this.order;
    for (const { pages } of this.buckets) {
      for (let at = 0; at < pages.length; at++) {
        const page = /** @type {Page} */ (pages[isStack ? pages.length - 1 - at : at]);
        if (page.from > step || (page.open === 0 && page.to <= step)) continue;
        for (let place = 0; place < page.entries.length; place++) {
          const entry = /** @type {Entry} */ (page.entries[isStack ? page.entries.length - 1 - place : place]);
          if (entry.from <= step && step < entry.to && found.push(entry) === most) return found;
        }
      }
    }
    return found;
  }
}
