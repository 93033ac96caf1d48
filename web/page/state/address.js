// The address contains the game, board and moves, so it can be shared, and reloading the page loses nothing. A random board is written as
// its seed and the generator's options, such as `#/GAME?seed=7&OPTION=8`; a level's board as `#/GAME?level=hard&seed=7`; a daily board as
// `#/GAME?daily=2026-11-16`; every other board as its text. A workspace adds its state, such as `view=search&method=bfs&step=12`. In a
// two-player game, an opponent other than the usual one is added, such as `opponent=random&luck=7`.

/** @import { Random } from '../engine/api.js' */
import { Refusal } from '../engine/api.js';

/** @typedef {{level: string, seed: string} | {daily: string}} Wanted a level's board, or a daily board */
/** @typedef {Record<string, string | undefined>} Sight the state of a workspace, by the names in `SIGHTS` */
/** @typedef {{opponent: string, side?: string, luck?: number}} Rival an opponent: a friend, or how well Kibitzer plays, its side, and the seed of its random moves */
/** @typedef {{game: string, board: string | null, random: Random | null, level: Wanted | null, moves: string[], rival: Rival | null, view: string, sight: Sight}} Place */

/** Parameters that are not generator options. */
const OWN = ['board', 'seed', 'level', 'daily', 'moves', 'view', 'opponent', 'side', 'luck', 'method', 'order', 'second', 'second_order', 'limit', 'step', 'projector', 'look', 'methods', 'seconds', 'zoom'];
/** Parameters for the state of a workspace. */
const SIGHTS = OWN.slice(9);
const MOST_SEED = 2n ** 64n - 1n;

/** @param {string} error @param {string} help */
const refusal = (error, help) => new Refusal({ error, help }, 0);

/** @param {string} text */
const shortened = (text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Reads a seed as a string of digits. @param {string} text */
export function readSeed(text) {
  if (/^\d{1,40}$/.test(text) && BigInt(text) <= MOST_SEED) return String(BigInt(text));
  const shown = shortened(text);
  throw refusal(shown === '' ? 'the seed is missing' : `\`${shown}\` is not a seed`, `a seed is a whole number from 0 to ${MOST_SEED}, as in \`seed=7\``);
}

/** The game in the address, and the query. */
function parts() {
  const [path = '', ...query] = location.hash.replace(/^#\/?/, '').split('?');
  return { path, values: new URLSearchParams(query.join('?')) };
}

/** The game in the address, even if the rest is invalid. */
export function readGame() {
  const { path } = parts();
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Reads the address, or throws a refusal if it contradicts itself. @returns {Place} */
export function read() {
  const { values } = parts();
  const twice = [...values.keys()].find((name, at, names) => names.indexOf(name) !== at);
  if (twice !== undefined) throw refusal(`the address contains \`${twice}\` twice`, 'keep one of them');
  const [board, seed, moves] = [values.get('board'), values.get('seed'), values.get('moves')];
  const options = Object.fromEntries([...values].filter(([name]) => !OWN.includes(name)));
  const [option] = Object.keys(options);
  const level = readLevel(values.get('level'), seed, values.get('daily'));
  if (board !== null && level) throw refusal(`the address contains both a board and a ${'daily' in level ? 'date' : 'level'}`, 'keep one of them');
  if (level && option !== undefined) throw refusal(`the address contains both \`${option}\` and a level`, 'options are for random boards; remove one of them');
  if (board !== null && seed !== null) throw refusal('the address contains both a board and a seed', 'keep one of them; a seed generates a random board');
  if (!level && seed === null && option !== undefined) {
    throw refusal(`the address has \`${option}\` without a seed`, `options are for random boards; add \`seed=7\`, or remove \`${option}\``);
  }
  const random = seed === null || level ? null : { seed: readSeed(seed), options };
  const sight = Object.fromEntries([...values].filter(([name]) => SIGHTS.includes(name)));
  return { game: readGame(), board, random, level, moves: moves ? moves.split('\n') : [], rival: readRival(values), view: values.get('view') ?? 'play', sight };
}

/**
 * The level or date in the address. The library checks its value.
 * @param {string | null} level @param {string | null} seed @param {string | null} daily @returns {Wanted | null}
 */
function readLevel(level, seed, daily) {
  if (daily !== null) {
    if (level !== null || seed !== null) throw refusal(`the address contains both a date and a ${level === null ? 'seed' : 'level'}`, 'remove one of them');
    return { daily };
  }
  if (level === null) return null;
  // A level without a seed starts with its first board.
  return { level, seed: readSeed(seed ?? '1') };
}

/** The opponent in the address. @param {URLSearchParams} values @returns {Rival | null} */
function readRival(values) {
  const [opponent, side, luck] = [values.get('opponent'), values.get('side'), values.get('luck')];
  if (opponent === null) return null;
  if (!/^(friend|perfect|random|[1-9]\d?|100)$/.test(opponent)) throw refusal(`\`${shortened(opponent)}\` is not an opponent`, 'use `friend`, `perfect`, `random`, or the number of moves that Kibitzer looks ahead, as in `opponent=2`');
  if (side !== null && !/^[12]$/.test(side)) throw refusal(`\`${shortened(side)}\` is not a side`, 'use `side=1` or `side=2`');
  return { opponent, ...(side === null ? {} : { side }), ...(luck === null ? {} : { luck: Number(luck) >>> 0 }) };
}

/** The address of a place, from `#` on. @param {Place} place */
function hash(place) {
  const values = new URLSearchParams();
  if (place.level) {
    for (const [name, value] of Object.entries(place.level)) values.set(name, value);
  } else if (place.random) {
    values.set('seed', place.random.seed);
    for (const [name, value] of Object.entries(place.random.options)) values.set(name, value);
  } else if (place.board !== null) values.set('board', place.board);
  if (place.moves.length > 0) values.set('moves', place.moves.join('\n'));
  const { opponent, side, luck } = place.rival ?? {};
  if (opponent !== undefined) values.set('opponent', opponent);
  if (side !== undefined && side !== '2') values.set('side', side);
  if (luck !== undefined) values.set('luck', String(luck));
  if (place.view !== 'play') values.set('view', place.view);
  for (const name of SIGHTS) if (place.sight[name] !== undefined) values.set(name, place.sight[name] ?? '');
  const query = values.toString();
  return `#/${place.game}${query ? `?${query}` : ''}`;
}

/** The whole address of a place. @param {Place} place */
export const link = (place) => new URL(hash(place), location.href).href;

/** The rate limit of browsers: average milliseconds per change, and the number of changes allowed in a burst. */
const APART = 160;
const AT_ONCE = 30;

/** The time from which the changes made so far no longer count toward the rate limit. */
let paid = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/**
 * Writes the address of the current view. A new board is a new entry in the browser's history. The reader's own actions are written
 * at once, so a reload loses nothing; only automatic playback, such as that of a search, changes the address often enough to be
 * delayed.
 * @param {Place} place @param {boolean} isNew
 */
export function write(place, isNew) {
  clearTimeout(waiting);
  const address = hash(place);
  if (address === location.hash) return;
  const now = performance.now();
  const wait = paid - now - AT_ONCE * APART;
  if (!isNew && wait > 0) {
    waiting = setTimeout(() => write(place, false), wait);
    return;
  }
  paid = Math.max(paid, now) + APART;
  if (isNew) history.pushState(null, '', address);
  else history.replaceState(null, '', address);
}

/** Cancels a delayed write. */
export const forget = () => clearTimeout(waiting);
