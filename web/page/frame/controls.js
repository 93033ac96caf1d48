// The buttons below the board and their keys.

/** @typedef {Pick<import('./view.js').GameView, 'advice' | 'board' | 'clicks' | 'editor' | 'moves' | 'position' | 'redo' | 'restart' | 'undo' | 'undone'>} Host the members of the view that this module uses */
import { h } from '../dom.js';

export class Controls {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    /** @type {Record<string, () => void>} */
    this.keys = {};
    this.undo = this.button('Undo', 'u', () => view.undo(), '', 'Control+Z');
    this.redo = this.button('Redo', 'r', () => view.redo(), '', 'Control+Y');
    this.restart = this.button('Restart', '', () => view.restart());
    this.hint = this.button('Hint', 'h', () => view.advice.hint(), 'primary');
    this.why = this.button('Why?', 'w', () => view.advice.why());
    this.element = h('div', { class: 'controls', role: 'group', 'aria-label': 'Play' }, this.undo, this.redo, this.restart, this.hint, this.why);
  }

  /** @param {string} label @param {string} key @param {() => void} act @param {string} [kind] @param {string} [chord] another key for the same action */
  button(label, key, act, kind = '', chord = '') {
    if (key) this.keys[key] = act;
    const keys = [key, chord].filter(Boolean);
    const title = keys.length > 0 ? `Key: ${keys.join(' or ').replace('Control', 'Ctrl')}` : null;
    return h('button', { type: 'button', class: kind, title, 'aria-keyshortcuts': keys.length > 0 ? keys.join(' ') : null, onclick: act }, label);
  }

  /** Enables the buttons that can be used now. */
  refresh() {
    const { moves, undone, position } = this.view;
    this.enable(this.undo, moves.length > 0);
    this.enable(this.redo, undone.length > 0);
    this.enable(this.restart, moves.length > 0);
    this.enable(this.hint, !position?.goal);
  }

  /** Enables or disables a button. A disabled button loses the focus, so the board takes it. @param {HTMLButtonElement} button @param {boolean} on */
  enable(button, on) {
    const { board } = this.view;
    if (!on && document.activeElement === button) board.stand(board.current, true);
    button.disabled = !on;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || event.altKey || target.closest('input:not([type=checkbox], [type=range]), textarea, select, dialog') || document.querySelector('dialog[open]')) return;
    const act = event.ctrlKey || event.metaKey ? this.chord(event) : this.single(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** The action of a key without modifiers. @param {string} key */
  single(key) {
    const { clicks, editor } = this.view;
    if (editor.active) return undefined;
    if (key === 'Escape') {
      clicks.clear();
      clicks.refresh();
      return undefined;
    }
    return Object.hasOwn(this.keys, key) ? this.keys[key] : undefined;
  }

  /** The action of a key with Ctrl or Command: undo and redo. @param {KeyboardEvent} event */
  chord({ key, shiftKey }) {
    const { editor } = this.view;
    const letter = key.toLowerCase();
    const isUndo = letter === 'z' && !shiftKey;
    const isRedo = (letter === 'y' && !shiftKey) || (letter === 'z' && shiftKey);
    if (editor.active) return isUndo ? () => editor.undo() : undefined;
    if (isUndo) return () => this.view.undo();
    return isRedo ? () => this.view.redo() : undefined;
  }
}
