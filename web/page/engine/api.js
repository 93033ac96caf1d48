// The page's requests to the engine, with their types. The page does not know the rules: boards arrive as scenes, moves as text.
// `pick.js` chooses the engine.

import { capital } from '../dom.js';
import { engine } from './pick.js';
import { Refusal } from './refusal.js';

export { Refusal };

/**
 * @typedef {{form: 'circle', x: number, y: number, r: number}
 *   | {form: 'rect', x: number, y: number, width: number, height: number}
 *   | {form: 'polygon', points: [number, number][]}
 *   | {form: 'line', from: [number, number], to: [number, number]}
 *   | {form: 'text', x: number, y: number, size: number, text: string}} Form
 * @typedef {Form & {paint: string, name?: string, label?: string, ends?: [string, string]}} Shape
 * @typedef {{text: string, clicks: string[]}} Gesture
 * @typedef {{title: string, width: number, height: number, shapes: Shape[], moves: Gesture[], movable?: string[]}} Scene
 * @typedef {{name: string, paint: string, strength: number, note?: string}} Tint
 * @typedef {{move: string, text: string, paint: string, good: boolean}} MoveLabel
 * @typedef {{text: string, tints: Tint[], shapes: Shape[], labels: MoveLabel[]}} Explanation
 * @typedef {{kind: 'invariant' | 'potential', text: string, value: string, goal: string}} Measure
 * @typedef {{measures: (Measure | null)[], explanation: Explanation}} Measured
 * @typedef {{name: string, about: string, clicks: number, point?: boolean}} Brush
 * @typedef {{instance: string, scene: Scene, brushes: Brush[], grips?: {shape: string, brush: string}[]}} Canvas
 * @typedef {{name: string, about: string, players: number, scene: Scene}} GameRow
 * @typedef {{name: string, about: string, default: string}} OptionSpec
 * @typedef {{name: string, title: string, for: 'players' | 'teachers', text: string, options: Record<string, string>,
 *   source: string | null, answer: string | null}} Instance
 * @typedef {{name: string, about: string, players: number, rules: string, sample: string, paints: boolean, options: OptionSpec[],
 *   generate_options: OptionSpec[], instances: Instance[]}} About
 * @typedef {{name: string, about: string, optimal: boolean, promise: string | null, memory: string | null, course: boolean,
 *   orders: string[]}} Method a method; `orders` are the orders in which it can try moves, the usual one first
 * @typedef {{game: string, start: string, instance: string, made: number, cost: number, goal: boolean, scene: Scene,
 *   legal: {text: string, cost: number}[], methods: Method[], editable: boolean, turn: number | null}} Position
 * @typedef {{topic: string, sentence: string, pictures: Scene[], price: number | null, instance: string, move: string | null}} PrimerCard
 * @typedef {{expanded: number, generated: number, open: number, bytes: number, lower: number, upper: number | null,
 *   seconds: number}} Progress
 * @typedef {{report: any, plan: string[], best: string[], explanation: Explanation | null}} Solved
 * @typedef {{move: string | null, outcome: 'N' | 'P' | 'D' | null, winner: number | null, length: number | null}} Replied an opponent's move, and what it knows of it
 * @typedef {Solved & {moment: string, places: string[], html?: string}} Traced
 * @typedef {{instance: string, options?: Record<string, string>, moves?: string[]}} Board
 * @typedef {{seed: string, options: Record<string, string>}} Random the seed and options of a random board
 * @typedef {{instance: string, level: string, seed: number, daily: string | null, difficulty: {least: number | null, moves: number,
 *   guesses: number, choices: number, dead_ends: number, states: number}}} Leveled
 */

/** Converts an error to a message and a remedy, which may be empty. @param {unknown} error */
export function problem(error) {
  return { message: capital(error instanceof Error ? error.message : String(error)), help: error instanceof Refusal ? error.help : '' };
}

/** The answer to a question about one game. @param {string} game @param {string} question @param {unknown} [body] */
const asked = async (game, question, body) => (await engine).ask({ game, question, body: written(body) });

/** A string is sent unchanged, everything else as JSON. @param {unknown} body */
const written = (body) => (body === undefined || typeof body === 'string' ? body : JSON.stringify(body));

/** @returns {Promise<GameRow[]>} */
export const games = async () => (await engine).ask({ game: null, question: 'games' });
/** @param {string} game @returns {Promise<About>} */
export const about = (game) => asked(game, 'about');
/** @param {string} game @param {Board} board @returns {Promise<Position>} */
export const position = (game, board) => asked(game, 'position', board);
/** Explains the rules of a board in small pictures. @param {string} game @param {Board} board @returns {Promise<{cards: PrimerCard[]}>} */
export const primer = (game, board) => asked(game, 'primer', board);
/**
 * Generates a random board. A seed has up to 64 bits, more than a JavaScript number can hold, so its digits are sent unchanged.
 * @param {string} game @param {Random} random @returns {Promise<{instance: string}>}
 */
export const generate = (game, { seed, options }) => asked(game, 'generate', `{"seed":${BigInt(seed)},"options":${JSON.stringify(options)}}`);
/** Converts a graph to a board. @param {string} game @param {string} graph @returns {Promise<{instance: string}>} */
export const onGraph = (game, graph) => asked(game, 'on_graph', { graph });
/** Generates a board at a given level, or the daily board. @param {string} game @param {{level: string, seed: string} | {daily: string}} wanted @returns {Promise<Leveled>} */
export const level = (game, wanted) => asked(game, 'level', 'daily' in wanted ? wanted : `{"level":${JSON.stringify(wanted.level)},"seed":${BigInt(wanted.seed)}}`);
/** Converts a plan to a film, which is a standalone page. @param {string} game @param {Board & {plan: string[]}} task @returns {Promise<{html: string}>} */
export const film = (game, task) => asked(game, 'film', task);
/** Follows the invariant behind a proof, in every position from the one after `proved` moves on. @param {string} game @param {Board & {why: any, proved: number}} task @returns {Promise<Measured>} */
export const measure = (game, task) => asked(game, 'measure', task);
/** @param {string} game @param {Board} board @returns {Promise<{positions: number, scene: Scene, instances: string[]}>} */
export const graph = (game, board) => asked(game, 'graph', board);
/** @param {string} game @param {Board} board @returns {Promise<Canvas>} */
export const canvas = (game, board) => asked(game, 'canvas', board);
/** Moves a shape in the drawing. @param {string} game @param {Board & {name: string, x: number, y: number}} task @returns {Promise<Position>} */
export const place = (game, task) => asked(game, 'place', task);
/** @param {string} game @param {{instance: string, brush: string, shapes: string[], at?: [number, number]}} stroke
 * @returns {Promise<Canvas>} */
export const paint = (game, stroke) => asked(game, 'paint', stroke);

/** @type {Promise<string[]> | undefined} */
let paths;

/** True if the engine supports this question. @param {string} question */
export async function offers(question) {
  paths ??= fetch('openapi.json').then(async (response) => Object.keys((await response.json()).paths));
  /** @type {string[]} */
  const listed = await paths.catch(() => []);
  return listed.includes(`/api/{game}/${question}`);
}

/** True if the server does not let other sites show this page in a frame. */
export async function refusesFrames() {
  const response = await fetch(location.pathname, { method: 'HEAD' }).catch(() => null);
  return response?.headers.get('Content-Security-Policy')?.includes("frame-ancestors 'none'") ?? false;
}

/**
 * Solves and reports progress. Aborting `signal` also stops the search.
 * @param {string} game
 * @param {Board & {method?: string, seconds?: number}} task
 * @param {(progress: Progress) => void} onProgress
 * @param {AbortSignal} signal
 * @returns {Promise<Solved>}
 */
export async function solve(game, task, onProgress, signal) {
  const onEvent = (/** @type {string} */ name, /** @type {any} */ data) => {
    if (name === 'progress') onProgress(data);
  };
  return (await engine).ask({ game, question: 'solve', body: written(task), streams: true, onEvent, signal });
}

/**
 * Chooses a move for an opponent. Aborting `signal` also stops the search.
 * @param {string} game
 * @param {Board & {opponent?: string, seed?: number, seconds?: number}} task the opponent is `perfect`, `random`, or a number of moves to look ahead
 * @param {AbortSignal} signal
 * @returns {Promise<Replied>}
 */
export async function reply(game, { opponent = 'perfect', ...task }, signal) {
  const body = written({ ...task, opponent: /^\d+$/.test(opponent) ? Number(opponent) : opponent });
  return (await engine).ask({ game, question: 'reply', body, streams: true, onEvent: () => {}, signal });
}

/**
 * Explains a position. `onThinking` is called if that takes a long time.
 * @param {string} game
 * @param {Board} board
 * @param {() => void} onThinking
 * @returns {Promise<{explanation: Explanation | null}>}
 */
export async function explain(game, board, onThinking) {
  return (await engine).ask({ game, question: 'explain', body: written(board), onEvent: onThinking });
}

/**
 * Solves a board and passes every expanded state to `onLines`, which is awaited.
 * @param {string} game
 * @param {Board & {method?: string, order?: string, nodes?: number, states?: boolean, html?: boolean}} task
 * @param {(lines: any[]) => void | Promise<void>} onLines
 * @param {AbortSignal} signal
 * @returns {Promise<Traced>}
 */
export async function trace(game, task, onLines, signal) {
  const onEvent = (/** @type {string} */ name, /** @type {any} */ data) => (name === 'lines' ? onLines(data.lines) : undefined);
  return (await engine).ask({ game, question: 'trace', body: written(task), streams: true, onEvent, signal });
}
