// The library in this tab. Every question runs in a worker. To cancel a question, its worker is terminated, since nothing else can
// interrupt it. The module is compiled once and shared by all workers.

/** @import { Engine, Job } from './pick.js' */
import { Refusal } from './refusal.js';

/** Maximum number of concurrent solves. Other questions do not wait for them. */
const MOST_LONG = 4;
/** Time limits in seconds of a question and of a stream, and the extra time before the worker is terminated. */
const QUICK_SECONDS = 15;
const LONG_SECONDS = 300;
const GRACE = 3;
/** Milliseconds after which a question sends `thinking`. */
const THINKING = 300;
/** Maximum memory in bytes of a worker that is reused; a worker's memory never shrinks. */
const MOST_KEPT = 256e6;

/** Memory limit of a question, in bytes: an eighth of the device memory that the browser reports (at most 8 GB), or half a gigabyte if it reports none. */
const BYTES = ((/** @type {{deviceMemory?: number}} */ (navigator)).deviceMemory ?? 4) * 128e6;

/** @type {Record<string, {error: string, help: string}>} Errors by kind of fault. */
const FAULTS = {
  panic: { error: 'internal error', help: 'this is a bug in kibitzer; please report it and include the board' },
  memory: { error: 'the browser has run out of memory', help: 'try a smaller board, or use `kibitzer` on the command line' },
  stack: { error: 'this board is too deep for a browser', help: 'try a smaller board, or use `kibitzer` on the command line' },
  time: { error: 'the time limit was reached', help: 'try a smaller board, or use `kibitzer` on the command line' },
  load: { error: 'the engine could not be loaded', help: 'reload the page' },
};

/** @param {string} kind */
const fault = (kind) => new Refusal(FAULTS[kind] ?? { error: 'internal error', help: 'reload the page' }, 0);

/** @implements {Engine} */
export class WorkerEngine {
  kind = /** @type {const} */ ('worker');

  /** @param {string} path the module's path, relative to the page */
  constructor(path) {
    this.path = path;
    /** Memory limit of a question. */
    this.bytes = BYTES;
    this.grace = GRACE;
    /** @type {Worker[]} */
    this.idle = [];
    /** The number of streams in progress, and the callbacks of the streams that wait to start. */
    this.long = 0;
    /** @type {(() => void)[]} */
    this.waiting = [];
    /** @type {Promise<WebAssembly.Module>} */
    this.module = this.compile();
    this.module.catch(() => {});
  }

  async compile() {
    try {
      const response = await fetch(this.path);
      if (!response.ok) throw fault('load');
      // Some hosts send a different media type, which the streaming compiler rejects.
      if (response.headers.get('Content-Type') === 'application/wasm') return await WebAssembly.compileStreaming(response);
      return await WebAssembly.compile(await response.arrayBuffer());
    } catch {
      throw fault('load');
    }
  }

  /** @param {Job} job */
  async ask(job) {
    job.signal?.throwIfAborted();
    const module = await this.module.catch(() => (this.module = this.compile()));
    if (!job.streams) return this.run(job, module, QUICK_SECONDS);
    await this.turn(job.signal);
    try {
      const seconds = Number(JSON.parse(job.body ?? '{}').seconds ?? LONG_SECONDS);
      return await this.run(job, module, Math.min(Math.max(seconds, 0), LONG_SECONDS));
    } finally {
      this.long -= 1;
      this.waiting.shift()?.();
    }
  }

  /** Waits until another stream may start. @param {AbortSignal} [signal] */
  async turn(signal) {
    while (this.long >= MOST_LONG) await new Promise((resolve) => this.waiting.push(() => resolve(undefined)));
    this.long += 1;
    if (!signal?.aborted) return;
    this.long -= 1;
    this.waiting.shift()?.();
    signal.throwIfAborted();
  }

  /** @param {Job} job @param {WebAssembly.Module} module @param {number} seconds */
  run({ game, question, body, streams, onEvent, signal }, module, seconds) {
    return new Promise((resolve, reject) => {
      const worker = this.idle.pop() ?? new Worker('engine/worker.js');
      // Events are handled one after another, before the answer.
      let handled = Promise.resolve();
      let isOver = false;
      const thinking = streams || !onEvent ? 0 : setTimeout(() => onEvent('thinking', {}), THINKING);
      const end = (/** @type {() => void} */ settle) => {
        isOver = true;
        clearTimeout(thinking);
        clearTimeout(late);
        signal?.removeEventListener('abort', aborted);
        worker.onmessage = worker.onerror = null;
        settle();
      };
      const fail = (/** @type {unknown} */ error) => {
        worker.terminate();
        end(() => reject(error));
      };
      const aborted = () => fail(signal?.reason);
      const late = setTimeout(() => fail(fault('time')), 1000 * (seconds + this.grace));
      signal?.addEventListener('abort', aborted);
      worker.onerror = () => fail(fault('load'));
      worker.onmessage = ({ data: { kind, text, held } }) => {
        if (kind in FAULTS) return fail(fault(kind));
        if (kind !== 'answer' && kind !== 'refusal') {
          // Events still queued when the work stops are dropped.
          handled = handled.then(() => (isOver ? undefined : onEvent?.(kind, JSON.parse(text)))).catch(fail);
          return;
        }
        handled.then(() => {
          // A worker that was terminated in the meantime must not be reused.
          if (isOver) return;
          end(() => {
            if (held > MOST_KEPT) worker.terminate();
            else this.idle.push(worker);
            const value = JSON.parse(text);
            if (kind === 'answer') resolve(value);
            else reject(new Refusal(value, 0));
          });
        });
      };
      worker.postMessage({ module, seconds, bytes: this.bytes, text: `{"game":${JSON.stringify(game)},"question":${JSON.stringify(question)},"body":${body ?? 'null'}}` });
    });
  }
}
