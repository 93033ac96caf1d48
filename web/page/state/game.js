// The state of one game: the board, the moves made on it, and what follows from them. It draws nothing.

/** @import { About, Board, Position, Random, Scene } from '../engine/api.js' */

/**
 * @typedef {{level: string, seed: string, daily: string | null, least: number | null}} LevelBoard which board of a level this is, or of which day
 * @typedef {{text: string | null, options?: Record<string, string>, random?: Random | null, level?: LevelBoard | null}} Start
 *   a board: its text (null is the sample), and the seed or level it came from
 */

export class GameState {
  /** @param {About} about */
  constructor(about) {
    this.about = about;
    this.game = about.name;
    /** @type {string | null} The start, if it is not the sample. */
    this.text = null;
    /** @type {Random | null} The seed and options of the start, if it is random. */
    this.random = null;
    /** @type {LevelBoard | null} Which board of a level the start is. */
    this.level = null;
    /** @type {string[] | null} The moves that led to the position that is shown; null before there is one of this board. */
    this.shownMoves = null;
    /** @type {Set<string>} Moves that were hints or a solver's, each with those before it. */
    this.aided = new Set();
    /** Was a solution of this board shown? */
    this.watched = false;
    /** Is an address being opened, or another board loaded? Then the address is written at the end. */
    this.isOpening = false;
    this.isLoading = false;
    /** The reader has left: work still in progress must not change the address. */
    this.left = false;
    /** @type {string[]} */
    this.moves = [];
    /** @type {string[]} */
    this.undone = [];
    /** @type {string[]} Names clicked for the last move. */
    this.lastClicks = [];
    /** @type {Position | null} */
    this.position = null;
    /** A plan is shown; the board is not where the player left it. */
    this.replaying = false;
  }

  /** The board of a request. @param {string[]} [moves] @returns {Board} */
  where(moves = this.moves) {
    return { instance: this.text ?? this.about.sample, options: {}, moves };
  }

  /** How many moves led to the position that is shown. */
  get shown() {
    return this.shownMoves?.length ?? 0;
  }

  /** Counts the last of these moves as a hint. @param {string[]} moves */
  help(moves) {
    this.aided.add(moves.join('\n'));
  }

  /** How many of the moves were hints or a solver's. */
  get helped() {
    return this.moves.filter((_, at) => this.aided.has(this.moves.slice(0, at + 1).join('\n'))).length;
  }

  /** Was the board solved by the moves made? */
  get isSolved() {
    return this.position !== null && this.position.turn === null && this.position.goal && this.moves.length > 0;
  }

  /** The moves that can be clicked now: none on a solved board. */
  get gestures() {
    return this.isSolved ? [] : (this.position?.scene.moves ?? []);
  }

  /** The names to click for a move. @param {string} text @returns {string[]} */
  gesture(text) {
    return this.position?.scene.moves.find((gesture) => gesture.text === text)?.clicks ?? [];
  }
}

/** The clicks of the move that leads from one position to another, forward or back; none where it is not one move. @param {Scene} before @param {string[]} was @param {Scene} after @param {string[]} is */
export function between(before, was, after, is) {
  const [longer, shorter, start] = is.length > was.length ? [is, was, before] : [was, is, after];
  if (longer.length !== shorter.length + 1 || !shorter.every((move, at) => move === longer[at])) return [];
  return start.moves.find(({ text }) => text === longer.at(-1))?.clicks ?? [];
}
