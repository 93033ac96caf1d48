// The panels beside the board, one visible at a time.

import { h, capital } from './dom.js';

export class Tabs {
  /** @param {{name: string, wide?: boolean}[]} tabs wide ones take the whole width of the page @param {(name: string) => void} onChoose */
  constructor(tabs, onChoose) {
    const names = tabs.map(({ name }) => name);
    this.wides = new Set(tabs.filter(({ wide }) => wide).map(({ name }) => name));
    this.current = names[0] ?? '';
    this.panels = new Map(names.map((name) => [name, h('div', { class: 'panel', role: 'tabpanel', id: `panel-${name}`, 'aria-labelledby': `tab-${name}` })]));
    this.buttons = names.map((name) =>
      h('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, onclick: () => onChoose(name) }, capital(name))
    );
    const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Panels', onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event) }, this.buttons);
    this.element = h('div', { class: 'right' }, list, [...this.panels.values()]);
  }

  /** @param {string} name */
  has(name) {
    return this.panels.has(name);
  }

  /** Does the panel that is shown take the whole width? */
  get wide() {
    return this.wides.has(this.current);
  }

  /** @param {string} name @returns {HTMLElement} */
  panel(name) {
    return /** @type {HTMLElement} */ (this.panels.get(name));
  }

  /** @param {string} name */
  show(name) {
    this.current = name;
    for (const [key, panel] of this.panels) panel.hidden = key !== name;
    for (const button of this.buttons) {
      const on = button.id === `tab-${name}`;
      button.setAttribute('aria-selected', String(on));
      button.tabIndex = on ? 0 : -1;
    }
  }

  /** Arrow keys move between tabs. @param {KeyboardEvent} event */
  key(event) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = this.buttons.findIndex((button) => button === document.activeElement);
    const button = this.buttons[(at + step + this.buttons.length) % this.buttons.length];
    button?.focus();
    button?.click();
    event.preventDefault();
  }
}
