// Chooses the engine that answers the page's questions: the server or, on a static site, the library in a worker of this tab.
// `engine.json` names it: a server has its own, and `./site` writes another.

import { keep } from './keep.js';
import { ServerEngine } from './server.js';
import { WorkerEngine } from './workers.js';

/**
 * @typedef {object} Job a question on its way to an engine
 * @property {string | null} game
 * @property {string} question
 * @property {string} [body] JSON
 * @property {boolean} [streams] does it send events while it works?
 * @property {(name: string, data: any) => void | Promise<void>} [onEvent] for `progress` and `lines`, none of which is lost, or `thinking` if another question takes long
 * @property {AbortSignal} [signal] also ends the work
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
