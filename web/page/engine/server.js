// The engine behind `kibitzer serve`: questions are HTTP requests, and events are server-sent events.

/** @import { Engine, Job } from './pick.js' */
import { Refusal } from './refusal.js';

/** @param {Response} response */
async function refused(response) {
  let body = { error: `the server replied with status ${response.status}`, help: 'try again' };
  try {
    body = await response.json();
  } catch {
    // The response is not one of our own errors, which have a JSON body.
  }
  return new Refusal(body, response.status);
}

/** @param {Job} job @param {string} accept */
async function fetched({ game, question, body, signal }, accept) {
  const path = game === null ? `api/${question}` : `api/${encodeURIComponent(game)}/${question}`;
  const headers = { 'Content-Type': 'application/json', Accept: accept };
  let response;
  try {
    response = await fetch(path, body === undefined ? { signal } : { method: 'POST', headers, body, signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal({ error: 'the server is not responding', help: 'is `kibitzer serve` still running?' }, 0);
  }
  if (!response.ok) throw await refused(response);
  return response;
}

/**
 * Reads events until the answer arrives. Earlier events are passed to `onEvent`, which is awaited.
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

/** @implements {Engine} */
export class ServerEngine {
  kind = /** @type {const} */ ('server');

  /** @param {Job} job */
  async ask(job) {
    const response = await fetched(job, job.onEvent ? 'application/json, text/event-stream' : 'application/json');
    if (response.headers.get('Content-Type')?.startsWith('application/json')) return response.json();
    return answered(response, job.onEvent ?? (() => {}));
  }
}
