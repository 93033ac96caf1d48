// The boards that the player has solved. Results are stored only in the browser. If storage is denied (a private window, a frame),
// they last until the page is closed.
//
// Each result belongs to a named board: one identified by level and number, a daily board, or a board from the list. The best result is the
// cheapest one. A day counts toward the streak only if its board was solved on that day.

import { Refusal } from '../engine/api.js';

/**
 * @typedef {{cost: number | null, least: number | null, hints: number, on: string, opponent?: string}} Result the best result on a board: its cost, the least cost, the number of moves from hints, the date, and how well Kibitzer played
 * @typedef {{boards: Record<string, Result>}} GameRecord
 * @typedef {{version: 1, games: Record<string, GameRecord>, days: string[]}} Data
 */

/** The library's names of the levels. */
export const LEVELS = ['easy', 'medium', 'hard', 'expert'];

/** The storage key, which includes the format version. */
const KEY = 'kibitzer-results-1';
/** Maximum number of results read from a file. */
const MOST_BOARDS = 20_000;

/** @returns {Data} */
const empty = () => ({ version: 1, games: {}, days: [] });

/** @type {Data} Used if storage is denied. */
let kept = empty();

/** The current date in UTC, so that daily boards change everywhere at the same moment. */
export const today = () => new Date().toISOString().slice(0, 10);

/** @param {string} date @param {number} days */
function later(date, days) {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

/** @param {unknown} value */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** @param {unknown} value */
const isDate = (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
/** @param {unknown} value */
const isSkill = (value) => typeof value === 'string' && /^(perfect|random|\d{1,3})$/.test(value);
/** @param {unknown} value */
const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/** Validates imported results. Only entries in the expected form are kept. @param {any} value @returns {Data | null} */
function checked(value) {
  if (!isObject(value) || value.version !== 1 || !isObject(value.games) || !Array.isArray(value.days)) return null;
  const data = empty();
  let left = MOST_BOARDS;
  for (const [game, record] of Object.entries(value.games)) {
    if (!isObject(record?.boards) || !/^[a-z0-9]{1,40}$/.test(game)) continue;
    /** @type {[string, Result][]} */
    const boards = [];
    for (const [name, result] of Object.entries(/** @type {Record<string, any>} */ (record.boards))) {
      if (!isObject(result) || name.length > 80 || left === 0) continue;
      const number = (/** @type {unknown} */ value) => (isCount(value) ? Number(value) : null);
      const opponent = isSkill(result.opponent) ? { opponent: result.opponent } : {};
      boards.push([name, { cost: number(result.cost), least: number(result.least), hints: number(result.hints) ?? 0, on: isDate(result.on) ? result.on : '', ...opponent }]);
      left -= 1;
    }
    data.games[game] = { boards: Object.fromEntries(boards) };
  }
  data.days = [.../** @type {Set<string>} */ (new Set(value.days.filter(isDate)))].sort();
  return data;
}

/** @returns {Data} */
function read() {
  try {
    const text = localStorage.getItem(KEY);
    if (text !== null) kept = checked(JSON.parse(text)) ?? kept;
  } catch {
    // Storage denied, or invalid data: keep the results in memory.
  }
  return kept;
}

/** @param {Data} data */
function write(data) {
  kept = data;
  try {
    localStorage.setItem(KEY, JSON.stringify(data));
  } catch {
    // Storage denied or full: the results last until the page is closed.
  }
}

/** How well the opponent of a result played. @param {Result} result */
const strength = ({ opponent = 'perfect' }) => (opponent === 'perfect' ? Infinity : opponent === 'random' ? 0 : Number(opponent));

/** The better of two results on a board. @param {Result | undefined} old @param {Result} next @returns {Result} */
function better(old, next) {
  if (!old) return next;
  const isCheaper = old.cost === null || (next.cost !== null && next.cost < old.cost);
  const [was, is] = [strength(old), strength(next)];
  const best = isCheaper || (next.cost === old.cost && (is > was || (is === was && next.hints < old.hints))) ? next : old;
  return { ...best, least: next.least ?? old.least };
}

/** The best result on a board. @param {string} game @param {string} board @returns {Result | undefined} */
export const resultOn = (game, board) => read().games[game]?.boards[board];

/** Records that a board was solved. @param {string} game @param {string} board @param {Omit<Result, 'on'>} result */
export function solved(game, board, result) {
  const data = read();
  const boards = (data.games[game] ??= { boards: {} }).boards;
  boards[board] = better(boards[board], { ...result, on: today() });
  if (board === `daily-${today()}` && !data.days.includes(today())) data.days = [...data.days, today()].sort();
  write(data);
}

/** The number of solved boards whose names start with `start`. @param {string} game @param {string} [start] */
export const count = (game, start = '') => Object.keys(read().games[game]?.boards ?? {}).filter((name) => name.startsWith(start)).length;

/** The number of solved boards whose least cost is known, and how many of them were solved at that cost. */
export function perfect() {
  const results = Object.values(read().games).flatMap(({ boards }) => Object.values(boards)).filter(({ cost, least }) => cost !== null && least !== null);
  return { all: results.length, best: results.filter(({ cost, least }) => cost === least).length };
}

/** The number of consecutive days with a solved daily board, up to today or, if today's is not solved yet, yesterday. */
export function streak() {
  const days = new Set(read().days);
  let day = days.has(today()) ? today() : later(today(), -1);
  let length = 0;
  for (; days.has(day); day = later(day, -1)) length += 1;
  return length;
}

/** A short summary of a game's results; empty if there are none. @param {string} game */
export function summary(game) {
  const parts = [count(game) > 0 && `${count(game)} solved`, resultOn(game, `daily-${today()}`) && 'daily ✓'];
  return parts.filter(Boolean).join(' · ');
}

/** All results as the contents of a file. */
export const exported = () => `${JSON.stringify(read(), null, 1)}\n`;

/** Adds the results in a file. If a board has two results, the better one is kept. @param {string} text */
export function imported(text) {
  let value = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Reported below.
  }
  const more = checked(value);
  if (!more) throw new Refusal({ error: 'this file does not contain results', help: 'choose a file that this page saved' }, 0);
  const data = read();
  for (const [game, { boards }] of Object.entries(more.games)) {
    const mine = (data.games[game] ??= { boards: {} }).boards;
    for (const [name, result] of Object.entries(boards)) mine[name] = better(mine[name], result);
  }
  data.days = [...new Set([...data.days, ...more.days])].sort();
  write(data);
}

export const clear = () => write(empty());
