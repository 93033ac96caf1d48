// The board editor: brushes that the game names, used on shapes that the game draws.

/** @import { GameView } from './game.js' */
import * as api from './api.js';
import { h, fill, capital } from './dom.js';

export class Editor {
  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    this.active = false;
    /** @type {{instance: string, scene: api.Scene, brushes: api.Brush[]} | null} */
    this.now = null;
    /** @type {string[]} Earlier texts. */
    this.before = [];
    this.brush = '';
    /** @type {string[]} */
    this.picked = [];
  }

  async toggle() {
    if (this.active) {
      const text = this.now?.instance ?? '';
      const changed = this.before.length > 0;
      this.close();
      if (changed) await this.view.load(text);
      else this.view.draw();
      return;
    }
    this.now = await api.canvas(this.view.game, this.view.where());
    this.active = true;
    this.before = [];
    this.brush = this.now.brushes.find((brush) => brush.clicks > 0)?.name ?? '';
    this.view.turnTo('play');
    this.view.say('Choose a brush and click the board. Nothing is lost: Undo goes back.');
    this.show();
  }

  close() {
    this.active = false;
    this.view.right.inert = false;
    this.view.editorHolder.hidden = true;
    this.view.controls.hidden = false;
    this.view.status.hidden = false;
    this.view.buttons.edit.textContent = 'Edit';
    this.view.say(null);
  }

  show() {
    const { now, view } = this;
    if (!now) return;
    view.board.show(now.scene);
    view.board.mark('picked', this.picked);
    view.controls.hidden = true;
    view.status.hidden = true;
    view.editorHolder.hidden = false;
    view.right.inert = true;
    view.buttons.edit.textContent = 'Done';
    const tools = now.brushes.filter((brush) => brush.clicks > 0);
    const acts = now.brushes.filter((brush) => brush.clicks === 0);
    const tool = (/** @type {api.Brush} */ brush) =>
      h(
        'button',
        {
          type: 'button',
          'aria-pressed': String(brush.name === this.brush),
          title: brush.about,
          onclick: () => {
            this.brush = brush.name;
            this.picked = [];
            this.show();
            view.say(`${capital(brush.name)}: ${brush.about}.`);
          },
        },
        capital(brush.name)
      );
    const act = (/** @type {api.Brush} */ brush) => h('button', { type: 'button', title: brush.about, onclick: () => this.use(brush.name, []) }, capital(brush.name));
    const focused = document.activeElement?.closest('.editor') ? document.activeElement.textContent : null;
    fill(
      view.editorHolder,
      h('div', { class: 'controls', role: 'group', 'aria-label': 'Brushes' }, tools.map(tool)),
      h(
        'div',
        { class: 'controls', role: 'group', 'aria-label': 'Board' },
        acts.map(act),
        h('button', { type: 'button', disabled: this.before.length === 0, onclick: () => this.undo() }, 'Undo'),
        h('button', { type: 'button', class: 'primary', onclick: () => view.edit() }, 'Play this board')
      )
    );
    for (const button of view.editorHolder.querySelectorAll('button')) if (focused !== null && button.textContent === focused) button.focus();
  }

  /** @param {string} name */
  pick(name) {
    const brush = this.now?.brushes.find((brush) => brush.name === this.brush);
    if (!brush) return;
    this.picked.push(name);
    if (this.picked.length < brush.clicks) return this.view.board.mark('picked', this.picked);
    const picked = this.picked;
    this.picked = [];
    this.use(brush.name, picked);
  }

  /** @param {string} brush @param {string[]} shapes */
  use(brush, shapes) {
    this.view.attempt(async () => {
      if (!this.now) return;
      try {
        const now = await api.paint(this.view.game, { instance: this.now.instance, brush, shapes });
        if (now.instance !== this.now.instance) this.before.push(this.now.instance);
        this.now = now;
        this.view.say(null);
      } finally {
        this.show();
      }
    });
  }

  undo() {
    const text = this.before.pop();
    if (text === undefined) return;
    this.view.attempt(async () => {
      this.now = await api.canvas(this.view.game, { instance: text });
      this.show();
    });
  }
}
