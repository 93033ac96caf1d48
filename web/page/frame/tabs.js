// The workspaces of a game, one visible at a time, and the bar that switches between them.

import { h, s, capital } from '../dom.js';

/** Icons as SVG paths in a 24 x 24 square, by tab name. @type {Record<string, string>} */
const ICONS = {
  play: 'M8 5.500v13l10.500-6.500z',
  solve: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900V16h7v-2.100A6 6 0 0 0 12 3z',
  search: 'M12 6.500V11M12 11 6 15.500M12 11l6 4.500M12 3.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zM5 15.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zM19 15.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3z',
  compare: 'M4 6h14M4 12h8M4 18h11',
  graph: 'M6 7.500 17 6M6.500 8.500 11 17M16.500 7.500 12.500 17M5.500 6a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zM18 4.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zM12 16.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3z',
};

/** @param {string} name */
const icon = (name) => s('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true', class: 'sign' }, s('path', { d: ICONS[name] ?? '' }));

export class Tabs {
  /** @param {{name: string, wide?: boolean}[]} tabs a wide tab leaves only a narrow column for the board @param {(name: string) => void} onChoose */
  constructor(tabs, onChoose) {
    const names = tabs.map(({ name }) => name);
    this.wides = new Set(tabs.filter(({ wide }) => wide).map(({ name }) => name));
    this.current = names[0] ?? '';
    this.panels = new Map(names.map((name) => [name, h('div', { class: 'panel', role: 'tabpanel', id: `panel-${name}`, 'aria-labelledby': `tab-${name}` })]));
    this.buttons = names.map((name) =>
      h('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, onclick: () => onChoose(name) }, icon(name), h('span', null, capital(name)))
    );
    this.bar = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Workspaces', onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event) }, this.buttons);
    this.element = h('div', { class: 'right' }, [...this.panels.values()]);
  }

  /** @param {string} name */
  has(name) {
    return this.panels.has(name);
  }

  /** True if the visible workspace is wide. */
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

  /** Arrow keys move between tabs, whether the bar is horizontal or vertical. @param {KeyboardEvent} event */
  key(event) {
    const step = ['ArrowRight', 'ArrowDown'].includes(event.key) ? 1 : ['ArrowLeft', 'ArrowUp'].includes(event.key) ? -1 : 0;
    if (step === 0) return;
    const at = this.buttons.findIndex((button) => button === document.activeElement);
    const button = this.buttons[(at + step + this.buttons.length) % this.buttons.length];
    button?.focus();
    button?.click();
    event.preventDefault();
  }
}
