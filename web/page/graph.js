// The graph of positions of a two-player game, in layers: drag or scroll to move, zoom, click a position to go there.

/** @import { GameView } from './game.js' */
import * as api from './api.js';
import { Board } from './board.js';
import { h, fill, rich, counted } from './dom.js';

/** What the colors mean, those that are there. @param {api.Scene} scene */
function legend(scene) {
  const meanings = { win: 'Green, pointed: the player to move wins (N).', draw: 'Blue, slanted: a draw under best play (D).', lose: 'Red, square: the player to move loses (P).' };
  const paints = new Set(scene.shapes.map((shape) => shape.paint));
  return Object.entries(meanings).flatMap(([paint, meaning]) => (paints.has(paint) ? [meaning] : [])).join(' ');
}

export class GraphPanel {
  /** @param {GameView} view @param {HTMLElement} panel */
  constructor(view, panel) {
    this.view = view;
    this.shown = '';
    /** @type {string[]} */
    this.instances = [];
    this.zoom = 1;
    this.caption = h('p', { class: 'soft', role: 'status' });
    this.holder = h('div', { class: 'graph', tabindex: '0', role: 'region', 'aria-label': 'Graph of positions' });
    this.board = new Board(this.holder, (name) => this.go(name));
    const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {number} */ factor) =>
      h('button', { type: 'button', 'aria-label': label, onclick: () => this.scale(factor === 0 ? this.fit() : this.zoom * factor) }, text);
    this.controls = h('div', { class: 'controls' }, button('+', 'Larger', 1.4), button('−', 'Smaller', 1 / 1.4), button('Fit', 'Fit the width', 0));
    fill(panel, this.caption, this.controls, this.holder);
    this.holder.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        this.scale(this.zoom * (event.deltaY < 0 ? 1.15 : 1 / 1.15));
      },
      { passive: false }
    );
    this.drag();
  }

  /** Lets the mouse drag the graph. */
  drag() {
    /** @type {{x: number, y: number, left: number, top: number} | null} */
    let held = null;
    this.holder.addEventListener('pointerdown', (event) => {
      if (event.pointerType !== 'mouse') return;
      held = { x: event.clientX, y: event.clientY, left: this.holder.scrollLeft, top: this.holder.scrollTop };
    });
    addEventListener('pointermove', (event) => {
      if (!held) return;
      this.holder.scrollLeft = held.left - (event.clientX - held.x);
      this.holder.scrollTop = held.top - (event.clientY - held.y);
    });
    addEventListener('pointerup', () => (held = null));
  }

  /** Draws the positions that can be reached from here. */
  async show() {
    const here = this.view.position?.instance ?? '';
    if (this.shown === here) return;
    fill(this.caption, 'Finding all positions…');
    this.controls.hidden = true;
    this.holder.replaceChildren();
    try {
      const graph = await api.graph(this.view.game, this.view.where());
      this.shown = here;
      this.instances = graph.instances;
      this.board.show(graph.scene);
      this.controls.hidden = false;
      fill(this.caption, `${counted(graph.positions, 'position')} up to symmetry, in layers. ${legend(graph.scene)} Click one to go there.`);
      this.scale(Math.max(this.fit(), 0.55));
      this.holder.scrollLeft = (this.holder.scrollWidth - this.holder.clientWidth) / 2;
    } catch (error) {
      this.shown = here;
      const { message, help } = api.problem(error);
      fill(this.caption, ...rich(`${message}${help && `; ${help}`}.`));
    }
  }

  fit() {
    return this.holder.clientWidth / (this.board.scene?.width ?? 1);
  }

  /** @param {number} zoom */
  scale(zoom) {
    this.zoom = Math.min(3, Math.max(0.05, zoom));
    const width = (this.board.scene?.width ?? 0) * this.zoom;
    this.board.svg.style.setProperty('width', `${width}px`);
    this.board.svg.style.setProperty('max-width', 'none');
  }

  /** @param {string} name */
  go(name) {
    const text = this.instances[Number(name)];
    if (text === undefined) return;
    this.view.attempt(async () => {
      await this.view.load({ text });
      this.view.messages.say('This is the position that you clicked. The player to move is player 1 here.');
      if (this.view.tabs.current === 'graph') await this.show();
    });
  }
}
