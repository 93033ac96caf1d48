// Requests to the server. The page knows no rules: boards come as scenes, moves as text.

import { capital } from './dom.js';

/**
 * @typedef {{form: 'circle', x: number, y: number, r: number}
 *   | {form: 'rect', x: number, y: number, width: number, height: number}
 *   | {form: 'polygon', points: [number, number][]}
 *   | {form: 'line', from: [number, number], to: [number, number]}
 *   | {form: 'text', x: number, y: number, size: number, text: string}} Form
 * @typedef {Form & {paint: string, name?: string, label?: string}} Shape
 * @typedef {{text: string, clicks: string[]}} Gesture
 * @typedef {{title: string, width: number, height: number, shapes: Shape[], moves: Gesture[]}} Scene
 * @typedef {{name: string, paint: string, strength: number, note?: string}} Tint
 * @typedef {{move: string, text: string, paint: string, good: boolean}} MoveLabel
 * @typedef {{text: string, tints: Tint[], shapes: Shape[], labels: MoveLabel[]}} Explanation
 * @typedef {{name: string, about: string, clicks: number}} Brush
 * @typedef {{name: string, about: string, players: number, scene: Scene}} GameRow
 * @typedef {{name: string, about: string, default: string}} OptionSpec
 * @typedef {{name: string, title: string, for: 'players' | 'teachers', text: string, options: Record<string, string>,
 *   source: string | null, answer: string | null}} Instance
 * @typedef {{name: string, about: string, players: number, rules: string, sample: string, options: OptionSpec[],
 *   generate_options: OptionSpec[], instances: Instance[]}} About
 * @typedef {{name: string, about: string, optimal: boolean, promise: string | null, memory: string | null, course: boolean}} Method
 * @typedef {{game: string, start: string, instance: string, made: number, cost: number, goal: boolean, scene: Scene,
 *   legal: {text: string, cost: number}[], methods: Method[], editable: boolean, turn: number | null}} Position
 * @typedef {{expanded: number, generated: number, open: number, bytes: number, lower: number, upper: number | null,
 *   seconds: number}} Progress
 * @typedef {{report: any, plan: string[], best: string[], explanation: Explanation | null}} Solved
 * @typedef {Solved & {moment: string, html?: string}} Traced
 * @typedef {{instance: string, options?: Record<string, string>, moves?: string[]}} Board
 * @typedef {{seed: string, options: Record<string, string>}} Random what a random board is made from
 * @typedef {{instance: string, level: string, seed: number, daily: string | null, difficulty: {least: number | null, moves: number,
 *   guesses: number, choices: number, dead_ends: number, states: number}}} Leveled
 */

/** An error that the server reports. */
export class Refusal extends Error {
  /** @param {{error: string, help?: string, line?: number, column?: number}} body @param {number} status */
  constructor(body, status) {
    super(body.error);
    this.help = body.help ?? '';
    this.line = body.line;
    this.column = body.column;
    this.status = status;
  }
}

/** An error as a message and a remedy, which may be empty. @param {unknown} error */
export function problem(error) {
  return { message: capital(error instanceof Error ? error.message : String(error)), help: error instanceof Refusal ? error.help : '' };
}

/** @param {Response} response */
async function refused(response) {
  let body = { error: `the server replied with status ${response.status}`, help: 'try again' };
  try {
    body = await response.json();
  } catch {
    // Not one of our own errors: it has no JSON body.
  }
  return new Refusal(body, response.status);
}

/** A string is sent as it is, everything else as JSON. @param {string} path @param {unknown} [body] @param {AbortSignal} [signal] @param {string} [accept] */
async function fetched(path, body, signal, accept = '*/*') {
  const headers = { 'Content-Type': 'application/json', Accept: accept };
  /** @type {RequestInit} */
  const request = body === undefined ? { signal } : { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body), signal };
  let response;
  try {
    response = await fetch(path, request);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal({ error: 'the server is not responding', help: 'is `kibitzer serve` still running?' }, 0);
  }
  if (!response.ok) throw await refused(response);
  return response;
}

/** The answer to a question about one game. @param {string} game @param {string} question @param {unknown} [body] */
const asked = async (game, question, body) => (await fetched(`api/${encodeURIComponent(game)}/${question}`, body)).json();

/** @returns {Promise<GameRow[]>} */
export const games = async () => (await fetched('api/games')).json();
/** @param {string} game @returns {Promise<About>} */
export const about = (game) => asked(game, 'about');
/** @param {string} game @param {Board} board @returns {Promise<Position>} */
export const position = (game, board) => asked(game, 'position', board);
/**
 * Makes a random board. A seed has up to 64 bits, more than a number here can hold: its digits are sent as they are.
 * @param {string} game @param {Random} random @returns {Promise<{instance: string}>}
 */
export const generate = (game, { seed, options }) => asked(game, 'generate', `{"seed":${BigInt(seed)},"options":${JSON.stringify(options)}}`);
/** Makes a board of a level, or that of a day. @param {string} game @param {{level: string, seed: string} | {daily: string}} wanted @returns {Promise<Leveled>} */
export const level = (game, wanted) => asked(game, 'level', 'daily' in wanted ? wanted : `{"level":${JSON.stringify(wanted.level)},"seed":${BigInt(wanted.seed)}}`);
/** A plan as a film, a page of its own. @param {string} game @param {Board & {plan: string[]}} task @returns {Promise<{html: string}>} */
export const film = (game, task) => asked(game, 'film', task);
/** @param {string} game @param {Board} board @returns {Promise<{positions: number, scene: Scene, instances: string[]}>} */
export const graph = (game, board) => asked(game, 'graph', board);
/** @param {string} game @param {Board} board @returns {Promise<{instance: string, scene: Scene, brushes: Brush[]}>} */
export const canvas = (game, board) => asked(game, 'canvas', board);
/** @param {string} game @param {{instance: string, brush: string, shapes: string[]}} stroke
 * @returns {Promise<{instance: string, scene: Scene, brushes: Brush[]}>} */
export const paint = (game, stroke) => asked(game, 'paint', stroke);

/** @type {Promise<string[]> | undefined} */
let paths;

/** Does the server answer this question about a game? @param {string} question */
export async function offers(question) {
  paths ??= fetched('openapi.json').then(async (response) => Object.keys((await response.json()).paths));
  /** @type {string[]} */
  const listed = await paths.catch(() => []);
  return listed.includes(`/api/{game}/${question}`);
}

/**
 * Reads events until the answer. What comes before it goes to `onEvent`, which may ask to be waited for.
 * @param {Response} response
 * @param {(name: string, data: any) => void | Promise<void>} onEvent
 */
async function answered(response, onEvent) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Refusal({ error: 'the connection was lost before the answer was complete', help: 'try again' }, 0);
    text += decoder.decode(value, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const field = (/** @type {string} */ name) => lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trim()).join('\n');
      const name = field('event');
      if (!name) continue;
      const data = JSON.parse(field('data'));
      if (name === 'report') return data;
      if (name === 'failure') throw new Refusal(data, 0);
      await onEvent(name, data);
    }
  }
}

/**
 * Solves and reports progress. Aborting `signal` also stops the search on the server.
 * @param {string} game
 * @param {Board & {method?: string, seconds?: number}} task
 * @param {(progress: Progress) => void} onProgress
 * @param {AbortSignal} signal
 * @returns {Promise<Solved>}
 */
export async function solve(game, task, onProgress, signal) {
  const response = await fetched(`api/${game}/solve`, task, signal);
  return answered(response, (name, data) => {
    if (name === 'progress') onProgress(data);
  });
}

/**
 * Explains a position. `onThinking` is called if that takes longer.
 * @param {string} game
 * @param {Board} board
 * @param {() => void} onThinking
 * @returns {Promise<{explanation: Explanation | null}>}
 */
export async function explain(game, board, onThinking) {
  const response = await fetched(`api/${game}/explain`, board, undefined, 'application/json, text/event-stream');
  if (response.headers.get('Content-Type')?.startsWith('application/json')) return response.json();
  return answered(response, onThinking);
}

/**
 * Solves and shows every state that is expanded. `onLines` is waited for.
 * @param {string} game
 * @param {Board & {method?: string, nodes?: number, states?: boolean, html?: boolean}} task
 * @param {(lines: any[]) => void | Promise<void>} onLines
 * @param {AbortSignal} signal
 * @returns {Promise<Traced>}
 */
export async function trace(game, task, onLines, signal) {
  const response = await fetched(`api/${game}/trace`, task, signal);
  return answered(response, (name, data) => (name === 'lines' ? onLines(data.lines) : undefined));
}
