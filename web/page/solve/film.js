// A plan as a film: every position is shown on the board, by itself or step by step.

/** @typedef {Pick<import('../frame/view.js').GameView, 'attempt' | 'back' | 'boardName' | 'copyLink' | 'game' | 'go' | 'help' | 'moves' | 'preview' | 'watched' | 'where' | 'writeAddress'>} Host what this part is handed */
import * as api from '../engine/api.js';
import { h, fill } from '../dom.js';
import { save } from '../download.js';

const SPEEDS = [0.5, 1, 2, 4, 8];
/** Milliseconds per move at speed 1. */
const BEAT = 700;

export class Film {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    /** @type {string[]} */
    this.plan = [];
    /** @type {string[]} The moves before the plan. */
    this.before = [];
    this.step = 0;
    this.timer = 0;
    this.playing = false;
    this.caption = h('p', { class: 'caption' });
    this.slider = h('input', { type: 'range', min: '0', max: '0', value: '0', 'aria-label': 'Step of the plan', oninput: () => this.seek(Number(this.slider.value)) });
    this.playButton = h('button', { type: 'button', class: 'primary', onclick: () => (this.playing ? this.pause() : this.play()) }, 'Play');
    this.speed = h('select', { 'aria-label': 'Speed' }, SPEEDS.map((speed) => h('option', { value: String(speed), selected: speed === 1 }, `${speed} ×`)));
    this.saveButton = h('button', { type: 'button', class: 'gone', onclick: () => this.save() }, 'Download film');
    this.element = h('div', { class: 'film', hidden: true }, this.caption, this.slider, this.transport(), this.exits());
    this.list = h('ol', { class: 'made plan' });
  }

  transport() {
    const button = (/** @type {string} */ symbol, /** @type {string} */ label, /** @type {() => number} */ step) =>
      h('button', { type: 'button', 'aria-label': label, onclick: () => this.seek(step()) }, symbol);
    return h(
      'div',
      { class: 'controls' },
      button('|◀', 'First step', () => 0),
      button('◀', 'Previous step', () => this.step - 1),
      this.playButton,
      button('▶', 'Next step', () => this.step + 1),
      button('▶|', 'Last step', () => this.plan.length),
      this.speed
    );
  }

  exits() {
    const button = (/** @type {string} */ label, /** @type {() => void} */ act) => h('button', { type: 'button', onclick: act }, label);
    return h('div', { class: 'controls' }, button('Continue from here', () => this.take()), button('Back to my game', () => this.drop()), button('Copy link to this step', () => this.view.copyLink()), this.saveButton);
  }

  /** Shows a plan from its start, or still at a step. @param {string[]} before @param {string[]} plan @param {number | null} [step] */
  open(before, plan, step = null) {
    this.before = before;
    this.plan = plan;
    this.element.hidden = plan.length === 0;
    if (plan.length === 0) return;
    this.view.watched = true;
    this.slider.max = String(plan.length);
    api.offers('film').then((offered) => this.saveButton.classList.toggle('gone', !offered));
    fill(this.list, ...plan.map((text, at) => h('li', null, h('button', { type: 'button', class: 'quiet', onclick: () => this.seek(at + 1) }, text))));
    this.show(step ?? 0);
    if (step === null && !matchMedia('(prefers-reduced-motion: reduce)').matches) this.play();
  }

  close() {
    this.pause();
    this.plan = [];
    this.element.hidden = true;
    fill(this.list);
  }

  /** Is the plan about the position that the player is at? */
  get current() {
    return this.plan.length === 0 || this.before.join('\n') === this.view.moves.join('\n');
  }

  /** Goes to a step by hand, which pauses the film. @param {number} step */
  seek(step) {
    this.pause();
    return this.show(step);
  }

  /** @param {number} step */
  async show(step) {
    if (this.plan.length === 0) return;
    const at = Math.max(0, Math.min(step, this.plan.length));
    this.step = at;
    this.slider.value = String(at);
    const text = at === 0 ? 'Start' : `${at} of ${this.plan.length}: ${this.plan[at - 1]}`;
    fill(this.caption, text);
    this.slider.setAttribute('aria-valuetext', text);
    for (const [number, row] of [...this.list.children].entries()) row.classList.toggle('now', number === at - 1);
    this.view.writeAddress();
    const clicks = await this.clicks(at - 1);
    if (this.step === at && this.plan.length > 0) await this.view.preview([...this.before, ...this.plan.slice(0, at)], clicks);
  }

  /** The names to click for a move of the plan. @param {number} at */
  async clicks(at) {
    if (at < 0) return [];
    const position = await api.position(this.view.game, this.view.where([...this.before, ...this.plan.slice(0, at)]));
    return position.scene.moves.find((gesture) => gesture.text === this.plan[at])?.clicks ?? [];
  }

  play() {
    if (this.step >= this.plan.length) this.show(0);
    this.playing = true;
    this.playButton.textContent = 'Pause';
    this.wait();
  }

  wait() {
    this.timer = setTimeout(() => this.tick(), BEAT / Number(this.speed.value));
  }

  async tick() {
    if (!this.playing) return;
    await this.show(this.step + 1).catch(() => this.pause());
    if (this.step >= this.plan.length) this.pause();
    if (this.playing) this.wait();
  }

  pause() {
    clearTimeout(this.timer);
    this.playing = false;
    this.playButton.textContent = 'Play';
  }

  /** Makes the moves up to the step that is shown. */
  take() {
    this.pause();
    const moves = [...this.before, ...this.plan.slice(0, this.step)];
    for (let made = this.before.length + 1; made <= moves.length; made++) this.view.help(moves.slice(0, made));
    this.view.go(moves, this.plan.slice(this.step));
  }

  /** Saves the whole plan as one page that plays without a server. */
  save() {
    const { view, before, plan } = this;
    return view.attempt(async () => {
      const { html } = await api.film(view.game, { ...view.where(before), plan });
      save(`${view.boardName}-film.html`, html, 'text/html');
    });
  }

  drop() {
    this.pause();
    this.view.back();
  }
}
