// Chooses the engine that answers the page's questions: the server or, on a static site, the library in a worker in this
// tab. `engine.json` names the engine; a server and a static site serve different versions of it.

import { keep } from './keep.js';
import { ServerEngine } from './server.js';
import { WorkerEngine } from './workers.js';

/**
 * @typedef {object} Job a question for an engine
 * @property {string | null} game
 * @property {string} question
 * @property {string} [body] JSON
 * @property {boolean} [streams] true if it sends events while it works
 * @property {(name: string, data: any) => void | Promise<void>} [onEvent] receives all `progress` and `lines` events of a stream, or `thinking` events if any other question takes a long time
 * @property {AbortSignal} [signal] aborts the question and its work
 *
 * @typedef {{kind: 'server' | 'worker', ask: (job: Job) => Promise<any>}} Engine
 */

/** @returns {Promise<Engine>} */
async function pick() {
  const found = await fetch('engine.json').then((response) => response.json()).catch(() => ({ engine: 'server' }));
  if (found.engine !== 'worker') return new ServerEngine();
  keep();
  return new WorkerEngine(found.module);
}

/** @type {Promise<Engine>} */
export const engine = pick();
