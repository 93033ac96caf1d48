// Explains, during long searches in the tab, how to install the command-line program, which is faster. Shown only without a server.

/** @typedef {Pick<import('../frame/view.js').GameView, 'boardName' | 'game' | 'position'>} Host the members of the view that this module uses */
import { h, rich } from '../dom.js';
import { save } from '../download.js';
import { engine } from '../engine/pick.js';

/** Seconds of search after which the offer is shown. */
const BIG = 5;

export class InstallOffer {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    this.element = h('div', { class: 'install-offer', hidden: true });
    engine.then(({ kind }) => (this.inTab = kind === 'worker'));
    this.inTab = false;
  }

  forget() {
    this.element.hidden = true;
  }

  /** Called when a search has taken `seconds`, or has ended without an answer. @param {string} method @param {number} [seconds] */
  offer(method, seconds = BIG) {
    if (!this.inTab || seconds < BIG || !this.element.hidden) return;
    const { game, boardName } = this.view;
    const file = `${boardName}.txt`;
    const board = this.view.position?.instance ?? '';
    this.element.hidden = false;
    this.element.replaceChildren(
      h('p', null, 'This runs in your browser. The command-line program is up to twice as fast and can use all available memory.'),
      h(
        'details',
        null,
        h('summary', null, 'How to install it'),
        h(
          'ol',
          null,
          h('li', null, rich('Install Rust from `rustup.rs`, then run `cargo install --path app` in the folder with the program’s source.')),
          h('li', null, h('button', { type: 'button', onclick: () => save(file, board, 'text/plain') }, 'Download this board')),
          h('li', null, rich(`Run \`kibitzer solve ${game} ${file}${method ? ` --method ${method}` : ''}\`, or run \`kibitzer serve\` to use this page with the program.`))
        )
      )
    );
  }
}
