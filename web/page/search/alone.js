// The script of a search exported as a standalone document with all lines and boards. `kibitzer trace --format html` bundles this
// module and its imports.

/** @import { Scene, Shape } from '../engine/api.js' */
/** @import { Ending, Line, Node, Trace } from './trace.js' */
import { capital, fill, grouped, h } from '../dom.js';
import { feed } from './feed.js';
import { Stage } from './stage.js';
import { begin } from './visits.js';

/**
 * @typedef {{header: {game: string, method: string, order?: string}, lines: Line[], ending: Ending,
 *   boards: {shapes: Shape[], scenes: {title: string, width: number, height: number, shapes: number[]}[], all: boolean, whole: boolean}}} Stored
 */

/** @type {Stored} */
const stored = JSON.parse(document.getElementById('trace')?.textContent ?? '');
const { header, boards, ending } = stored;

/** @param {Trace} trace @param {Node} node @returns {Promise<Scene | null>} */
async function boardOf(trace, node) {
  const scene = boards.scenes[trace.lineOf(node)?.board ?? -1];
  return scene ? { ...scene, shapes: scene.shapes.flatMap((at) => boards.shapes[at] ?? []), moves: [] } : null;
}

const trace = begin(header.method, boards.whole, header.order);
const stage = new Stage();
const few = boards.all ? '' : ` Boards are stored for the first ${grouped(boards.scenes.length)} states.`;
fill(
  /** @type {HTMLElement} */ (document.getElementById('main')),
  h('h1', null, `${capital(header.game)}: ${trace.title}`),
  h('p', { class: 'lead' }, `${grouped(stored.lines.length)} ${trace.isDuel ? 'positions' : 'states'}, step by step.${few}`),
  stage.place
);
stage.open([trace], boardOf);
// Keys work wherever the focus is.
document.addEventListener('keydown', (event) => stage.key(event));
feed(trace, stored.lines).then(() => {
  trace.ending = ending;
  stage.grown();
});
