// The places of moves: pointing at a move in a list highlights its places on the board, and pointing at a place highlights its moves.

/** @import { Board } from './board.js' */
import * as api from '../engine/api.js';

/** The places to click for moves of other positions, such as those made so far and those of a plan. The places of each move are requested only once. */
export class Places {
  /** @param {string} game @param {(moves: string[]) => api.Board} where the board after some moves, as a request */
  constructor(game, where) {
    this.game = game;
    this.where = where;
    /** @type {Map<string, string[]>} */
    this.known = new Map();
  }

  /** Called when the board has changed. */
  reset() {
    this.known.clear();
  }

  /** Stores `clicks` as the places of the last move in `moves`. @param {string[]} moves @param {string[]} clicks */
  learn(moves, clicks) {
    if (clicks.length > 0) this.known.set(moves.join('\n'), clicks);
  }

  /** The places of a move if they are known. @param {string[]} before the moves before it @param {string} move */
  now(before, move) {
    return this.known.get([...before, move].join('\n')) ?? [];
  }

  /** The places of a move. @param {string[]} before the moves before it @param {string} move */
  async of(before, move) {
    const key = [...before, move].join('\n');
    const found = this.known.get(key);
    if (found) return found;
    const { scene } = await api.position(this.game, this.where(before));
    const clicks = scene.moves.find(({ text }) => text === move)?.clicks ?? [];
    this.learn([...before, move], clicks);
    return clicks;
  }
}

/** Highlights places of the board while an element is pointed at or focused. @param {Board} board @param {HTMLElement} element @param {() => string[] | Promise<string[]>} places */
export function lights(board, element, places) {
  let isOn = false;
  const show = async () => {
    isOn = true;
    const names = await Promise.resolve(places()).catch(() => []);
    if (isOn) board.mark('pointed', names);
  };
  const hide = () => {
    isOn = false;
    board.mark('pointed', []);
  };
  for (const [event, act] of Object.entries({ pointerenter: show, focus: show, pointerleave: hide, blur: hide })) element.addEventListener(event, act);
}
