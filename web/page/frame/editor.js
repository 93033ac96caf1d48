// The board editor. The game provides the brushes and draws the board.

/** @typedef {Pick<import('./view.js').GameView, 'about' | 'attempt' | 'board' | 'drag' | 'draw' | 'game' | 'holder' | 'keepFocus' | 'load' | 'messages' | 'picker' | 'section' | 'tabs' | 'turnTo' | 'where'>} Host the members of the view that this module uses */
import * as api from '../engine/api.js';
import { h, fill, capital } from '../dom.js';
import { Strokes } from './strokes.js';

export class Editor {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    this.brushes = h('div', { class: 'controls', role: 'group', 'aria-label': 'Brushes' });
    this.acts = h('div', { class: 'controls', role: 'group', 'aria-label': 'Whole board' });
    this.taker = h('button', { type: 'button', onclick: () => this.undo() }, 'Undo');
    this.about = h('p', { class: 'soft' });
    this.element = h(
      'div',
      { class: 'panel editor', hidden: true },
      h('h2', null, 'Edit the board'),
      h('div', { class: 'controls ends' }, h('button', { type: 'button', class: 'primary', onclick: () => view.picker.toggleEditor() }, 'Play this board'), this.taker, h('button', { type: 'button', onclick: () => this.cancel() }, 'Cancel')),
      h('h3', null, 'Brushes'),
      this.brushes,
      this.about,
      h('h3', null, 'Whole board'),
      this.acts
    );
    /** @type {Map<string, HTMLElement>} The brush buttons, by name. */
    this.tools = new Map();
    /** The brushes shown, serialized. */
    this.offered = '';
    this.active = false;
    /** @type {api.Canvas | null} */
    this.now = null;
    this.strokes = new Strokes(this);
    /** @type {string[]} Earlier boards as text, for Undo. */
    this.before = [];
    this.brush = '';
    /** @type {string[]} */
    this.picked = [];
    view.holder.addEventListener('click', (event) => this.ground(event));
  }

  async toggle() {
    if (this.active) {
      const text = this.now?.instance ?? '';
      const changed = this.before.length > 0;
      this.close();
      if (changed) await this.view.load({ text });
      else this.view.draw();
      return;
    }
    this.now = await api.canvas(this.view.game, this.view.where());
    this.setActive(true);
    this.before = [];
    this.brush = this.now.brushes.find((brush) => brush.clicks > 0)?.name ?? '';
    this.view.turnTo('play');
    this.view.messages.say(`Choose a brush, then click the board${this.now.grips ? ' or drag across it' : ''}. Undo reverts any change.`);
    this.show();
    this.strokes.search();
    this.tools.get(this.brush)?.focus({ preventScroll: true });
  }

  close() {
    if (!this.active) return;
    this.setActive(false);
    this.strokes.forget();
    this.view.holder.classList.remove('pointed');
    this.view.messages.say(null);
  }

  /** Leaves the editor and discards the changes. */
  cancel() {
    return this.view.attempt(async () => {
      this.close();
      this.view.keepFocus(() => this.view.draw());
    });
  }

  /** Opens or closes the editor, which replaces the controls and the workspaces. @param {boolean} active */
  setActive(active) {
    const { picker, section, tabs } = this.view;
    this.active = active;
    this.element.hidden = !active;
    section.classList.toggle('editing', active);
    tabs.bar.inert = active;
    // The Edit button is hidden but not removed, so that the other buttons stay in place and a double click does not hit one of them.
    picker.edit.classList.toggle('gone', active);
  }

  show() {
    const { now, view } = this;
    if (!now) return;
    view.board.show(now.scene);
    view.board.mark('picked', this.picked);
    view.board.mark('grip', now.grips?.map(({ shape }) => shape) ?? view.drag.grips);
    this.strokes.repaint();
    view.holder.classList.toggle('pointed', this.chosen?.point === true);
    this.offer(now.brushes);
    for (const [name, button] of this.tools) button.setAttribute('aria-pressed', String(name === this.brush));
    fill(this.about, this.chosen ? `${capital(this.chosen.about)}.` : '');
    this.taker.disabled = this.before.length === 0;
  }

  /** Shows the brushes, unless they are already shown: a click on a button that is being replaced would be lost. @param {api.Brush[]} brushes */
  offer(brushes) {
    const offered = JSON.stringify(brushes);
    if (offered === this.offered) return;
    this.offered = offered;
    const tools = brushes.filter((brush) => brush.clicks > 0 || brush.point);
    const acts = brushes.filter((brush) => brush.clicks === 0 && !brush.point);
    const tool = (/** @type {api.Brush} */ brush) =>
      h('button', { type: 'button', title: brush.about, onclick: () => this.choose(brush) }, capital(brush.name));
    const act = (/** @type {api.Brush} */ brush) => h('button', { type: 'button', title: brush.about, onclick: () => this.use(brush.name, []) }, capital(brush.name));
    this.tools = new Map(tools.map((brush) => [brush.name, tool(brush)]));
    const focused = document.activeElement?.closest('.editor') ? document.activeElement.textContent : null;
    fill(this.brushes, ...this.tools.values());
    fill(this.acts, ...acts.map(act));
    for (const button of this.element.querySelectorAll('button')) if (focused !== null && button.textContent === focused) button.focus();
  }

  get chosen() {
    return this.now?.brushes.find((brush) => brush.name === this.brush) ?? null;
  }

  /** @param {api.Brush} brush */
  choose(brush) {
    // A point cannot be clicked with the keyboard, so pressing the button again uses the brush at a place that the game chooses.
    if (brush.point && brush.name === this.brush) return this.use(brush.name, []);
    this.brush = brush.name;
    this.picked = [];
    this.show();
    const where = brush.point ? ' Click the board to place it, or press this button again to place it anywhere.' : '';
    this.view.messages.say(`${capital(brush.name)}: ${brush.about}.${where}`);
  }

  /** Handles a click outside all places. @param {MouseEvent} event */
  ground(event) {
    const { board } = this.view;
    const isOn = event.target instanceof Node && (event.target === this.view.holder || board.svg.contains(event.target));
    if (!this.active || !isOn || board.nameAt(event.target) !== null) return;
    // A touch near a place counts as a touch on it.
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
    if (!this.chosen?.point || (isTouch && board.near(event, 24) !== null)) return;
    this.use(this.brush, [], board.point(event));
  }

  /** Moves a place; returns a function that shows the result. @param {string} name @param {number} x @param {number} y */
  async moved(name, x, y) {
    const { start } = await api.place(this.view.game, { instance: this.now?.instance ?? '', name, x, y });
    const now = await api.canvas(this.view.game, { instance: start });
    return () => {
      if (this.now && now.instance !== this.now.instance) this.before.push(this.now.instance);
      this.now = now;
      this.show();
    };
  }

  /** @param {string} name */
  pick(name) {
    const brush = this.chosen;
    if (!brush) return;
    if (brush.clicks === 0) return this.view.messages.say('Click an empty spot.');
    this.picked.push(name);
    if (this.picked.length < brush.clicks) return this.view.board.mark('picked', this.picked);
    const picked = this.picked;
    this.picked = [];
    this.use(brush.name, picked);
  }

  /** @param {string} brush @param {string[]} shapes @param {[number, number]} [at] */
  use(brush, shapes, at) {
    this.view.attempt(async () => {
      if (!this.now) return;
      try {
        const now = await api.paint(this.view.game, { instance: this.now.instance, brush, shapes, at });
        if (now.instance !== this.now.instance) this.before.push(this.now.instance);
        this.now = now;
        this.view.messages.say(null);
      } finally {
        this.show();
        this.strokes.search();
      }
    });
  }

  undo() {
    const text = this.before.pop();
    if (text === undefined) return;
    this.view.attempt(async () => {
      this.now = await api.canvas(this.view.game, { instance: text });
      this.show();
      this.strokes.search();
    });
  }
}
