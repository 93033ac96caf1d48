// The buttons below the board and their keys.

/** @import { GameView } from './game.js' */
import { h } from './dom.js';

export class Controls {
  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    /** @type {Record<string, () => void>} */
    this.keys = {};
    this.undo = this.button('Undo', 'u', () => view.undo());
    this.redo = this.button('Redo', 'r', () => view.redo());
    this.restart = this.button('Restart', '', () => view.restart());
    this.hint = this.button('Hint', 'h', () => view.advice.hint(), 'primary');
    this.why = this.button('Why?', 'w', () => view.advice.why());
    this.element = h('div', { class: 'controls', role: 'group', 'aria-label': 'Play' }, this.undo, this.redo, this.restart, this.hint, this.why);
  }

  /** @param {string} label @param {string} key @param {() => void} act @param {string} [kind] */
  button(label, key, act, kind = '') {
    if (key) this.keys[key] = act;
    return h('button', { type: 'button', class: kind, title: key ? `Key: ${key}` : null, onclick: act }, label);
  }

  /** Enables what can be done now. */
  refresh() {
    const { moves, undone, position } = this.view;
    this.enable(this.undo, moves.length > 0);
    this.enable(this.redo, undone.length > 0);
    this.enable(this.restart, moves.length > 0);
    this.enable(this.hint, !position?.goal);
  }

  /** A disabled button would lose the focus: the board takes it. @param {HTMLButtonElement} button @param {boolean} on */
  enable(button, on) {
    const { board } = this.view;
    if (!on && document.activeElement === button) board.stand(board.current, true);
    button.disabled = !on;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, select, dialog')) return;
    if (this.view.editor.active) return;
    if (event.key === 'Escape') {
      this.view.clicks.clear();
      this.view.clicks.refresh();
      return;
    }
    const act = Object.hasOwn(this.keys, event.key) ? this.keys[event.key] : undefined;
    if (!act) return;
    event.preventDefault();
    act();
  }
}
