// Runs the workload of `wasm/src/bench.rs` in a Chromium worker and prints the time in milliseconds. Called by
// `cargo bench -p kibitzer-wasm --features bench`.

import { readFileSync } from 'node:fs';
import { browse } from '../test/harness.js';

const [path, n, runs] = process.argv.slice(2);
const browser = await browse();
try {
  const page = await browser.newPage();
  const taken = await page.evaluate(
    ([bytes, n, runs]) => {
      const work = async ({ data: { bytes, n, runs } }) => {
        const binary = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
        let said = '';
        let memory;
        const emit = (_, at, length) => (said = new TextDecoder().decode(new Uint8Array(memory.buffer, at, length)));
        const { instance } = await WebAssembly.instantiate(binary, { host: { emit, now: () => performance.now() } });
        ({ memory } = instance.exports);
        try {
          postMessage({ peg_space: instance.exports.peg_space(), moles: instance.exports.moles(n, runs) });
        } catch (error) {
          postMessage({ error: `${error} ${said}` });
        }
      };
      const worker = new Worker(URL.createObjectURL(new Blob([`onmessage = ${work}`], { type: 'text/javascript' })));
      worker.postMessage({ bytes, n, runs });
      return new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
    },
    [readFileSync(path).toString('base64'), Number(n), Number(runs)]
  );
  console.log(JSON.stringify(taken));
} finally {
  await browser.close();
}
