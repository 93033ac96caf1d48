// A worker that runs the library: receives a question, and posts events and the answer. `wasm/src/lib.rs` describes the functions.
'use strict';
(() => {
  const KINDS = ['progress', 'lines', 'answer', 'refusal', 'panic'];
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** @type {WebAssembly.Instance | null} */
  let instance = null;
  const exported = () => /** @type {any} */ (instance?.exports);
  const held = () => exported().memory.buffer.byteLength;

  const host = {
    emit: (/** @type {number} */ kind, /** @type {number} */ at, /** @type {number} */ length) => {
      const text = decoder.decode(new Uint8Array(exported().memory.buffer, at >>> 0, length >>> 0));
      postMessage({ kind: KINDS[kind], text, held: held() });
    },
    now: () => performance.now(),
  };

  /** Classifies a failure of the module. @param {unknown} error */
  function fault(error) {
    // When out of memory, the library aborts silently; a panic has already been reported.
    return error instanceof RangeError ? 'stack' : 'memory';
  }

  addEventListener('message', async ({ data: { module, text, seconds, bytes } }) => {
    try {
      instance ??= await WebAssembly.instantiate(/** @type {WebAssembly.Module} */ (module), { host });
    } catch {
      return postMessage({ kind: 'memory' });
    }
    try {
      const question = encoder.encode(text);
      const at = exported().room(question.length) >>> 0;
      new Uint8Array(exported().memory.buffer, at, question.length).set(question);
      exported().answer(seconds, bytes);
    } catch (error) {
      postMessage({ kind: fault(error), held: held() });
    }
  });
})();
