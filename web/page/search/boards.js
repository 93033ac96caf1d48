// The boards of a search, fetched on demand and cached.

/** @import { Scene } from '../engine/api.js' */
/** @import { Node, Trace } from './trace.js' */
import * as api from '../engine/api.js';

/** Maximum number of cached boards. */
const KEPT = 400;

export class Boards {
  /** @param {string} game @param {api.Board} start the board at the root */
  constructor(game, start) {
    this.game = game;
    this.start = start;
    /** @type {Map<string, Promise<Scene>>} In order of last use. */
    this.kept = new Map();
  }

  /** @param {Trace} trace @param {Node} node @returns {Promise<Scene | null>} */
  async of(trace, node) {
    const state = trace.lineOf(node)?.state;
    if (state !== undefined) return this.fetch({ instance: state });
    if (node === trace.nodes[0]) return this.fetch(this.start);
    // The node was not expanded, so its board is its parent's board after one move. In a backward search, the move leads in the opposite
    // direction.
    const above = node.parent && trace.lineOf(node.parent)?.state;
    if (!above || node.move === null || node.isBackward) return null;
    return this.fetch({ instance: above, moves: [node.move] });
  }

  /** @param {api.Board} board @returns {Promise<Scene>} */
  fetch(board) {
    const key = JSON.stringify(board);
    const scene = this.kept.get(key) ?? api.position(this.game, board).then((position) => position.scene);
    this.kept.delete(key);
    this.kept.set(key, scene);
    scene.catch(() => this.kept.delete(key));
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value ?? '');
    return scene;
  }
}
