// The state of one game: the board, the moves made on it, and derived values. It draws nothing.

/** @import { About, Board, Position, Random, Scene } from '../engine/api.js' */

/**
 * @typedef {{level: string, seed: string, daily: string | null, least: number | null}} LevelBoard the level and seed of a board, or its date
 * @typedef {{text: string | null, options?: Record<string, string>, random?: Random | null, level?: LevelBoard | null}} Start
 *   a board: its text (null is the sample), and the seed or level it came from
 */

export class GameState {
  /** @param {About} about */
  constructor(about) {
    this.about = about;
    this.game = about.name;
    /** @type {string | null} The start; null for the sample. */
    this.text = null;
    /** @type {Random | null} The seed and options of the start, if it is random. */
    this.random = null;
    /** @type {LevelBoard | null} The level and seed of the start, if it belongs to a level. */
    this.level = null;
    /** @type {string[] | null} The moves that led to the position shown; null until this board is shown. */
    this.shownMoves = null;
    /** @type {Set<string>} Moves that came from hints or a solver, each with the moves before it. */
    this.aided = new Set();
    /** True if a solution of this board was shown. */
    this.watched = false;
    /** True while an address is opened or another board is loaded; the address is written at the end. */
    this.isOpening = false;
    this.isLoading = false;
    /** True once the user has left; work still in progress must not change the address. */
    this.left = false;
    /** @type {string[]} */
    this.moves = [];
    /** @type {string[]} */
    this.undone = [];
    /** @type {string[]} Places clicked for the last move. */
    this.lastClicks = [];
    /** @type {Position | null} */
    this.position = null;
    /** True while a preview is shown instead of the player's own position. */
    this.replaying = false;
  }

  /** The board in the form of a request. @param {string[]} [moves] @returns {Board} */
  where(moves = this.moves) {
    return { instance: this.text ?? this.about.sample, options: {}, moves };
  }

  /** The number of moves that led to the position shown. */
  get shown() {
    return this.shownMoves?.length ?? 0;
  }

  /** Counts the last move in `moves` as a hint. @param {string[]} moves */
  help(moves) {
    this.aided.add(moves.join('\n'));
  }

  /** The number of moves that came from hints or a solver. */
  get helped() {
    return this.moves.filter((_, at) => this.aided.has(this.moves.slice(0, at + 1).join('\n'))).length;
  }

  /** True if the moves made solve the board. */
  get isSolved() {
    return this.position !== null && this.position.turn === null && this.position.goal && this.moves.length > 0;
  }

  /** The moves that can be clicked now: none on a solved board. */
  get gestures() {
    return this.isSolved ? [] : (this.position?.scene.moves ?? []);
  }

  /** The places to click for a move. @param {string} text @returns {string[]} */
  gesture(text) {
    return this.position?.scene.moves.find((gesture) => gesture.text === text)?.clicks ?? [];
  }
}

/** The clicks of the move that leads from one position to another, forward or back; empty if they are not one move apart. @param {Scene} before @param {string[]} was @param {Scene} after @param {string[]} is */
export function between(before, was, after, is) {
  const [longer, shorter, start] = is.length > was.length ? [is, was, before] : [was, is, after];
  if (longer.length !== shorter.length + 1 || !shorter.every((move, at) => move === longer[at])) return [];
  return start.moves.find(({ text }) => text === longer.at(-1))?.clicks ?? [];
}
