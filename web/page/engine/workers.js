// The library in this tab. Every question runs in a worker; one that is canceled or late ends with its worker, since nothing else
// can interrupt it. The module is compiled once and shared by all workers.

/** @import { Engine, Job } from './pick.js' */
import { Refusal } from './refusal.js';

/** Maximum number of workers that solve at the same time. Other questions do not wait for them. */
const MOST_LONG = 4;
/** Time limit in seconds of a question, and of a stream; and how long after that its worker is ended. */
const QUICK_SECONDS = 15;
const LONG_SECONDS = 300;
const GRACE = 3;
/** Milliseconds after which a question sends `thinking`. */
const THINKING = 300;
/** Maximum number of bytes of a worker that is kept: its memory would never shrink. */
const MOST_KEPT = 256e6;

/** Bytes for one question: an eighth of the memory that the browser reports, which is at most 8 GB, or half a gigabyte. */
const BYTES = ((/** @type {{deviceMemory?: number}} */ (navigator)).deviceMemory ?? 4) * 128e6;

/** @type {Record<string, {error: string, help: string}>} By the kind of fault. */
const FAULTS = {
  panic: { error: 'internal error', help: 'this is a bug in kibitzer, not in the question; please report it with the board' },
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

  /** @param {string} path of the module, from the page */
  constructor(path) {
    this.path = path;
    /** For one question. */
    this.bytes = BYTES;
    this.grace = GRACE;
    /** @type {Worker[]} */
    this.idle = [];
    /** The number of streams in progress, and those that wait for one to end. */
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
      // The streaming compiler refuses other types, which some hosts send.
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

  /** Waits until there is room for one more stream. @param {AbortSignal} [signal] */
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
      // Events are handled one after another, and then the answer.
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
          // Those still waiting when the work is stopped are dropped.
          handled = handled.then(() => (isOver ? undefined : onEvent?.(kind, JSON.parse(text)))).catch(fail);
          return;
        }
        handled.then(() => {
          // A worker that was ended meanwhile must not be used again.
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
