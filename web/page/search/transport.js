// Playback controls for anything shown step by step: first, back, play, forward, last, a slider, a speed, and keys. They can play
// while more steps are still arriving.

import { grouped, h } from '../dom.js';

/** @typedef {{list: number[], usual: number, text: (speed: number) => string}} Speeds speeds in steps per `beat` */

/** @type {Speeds} */
const PER_SECOND = { list: [0.5, 1, 2, 5, 10, 30, 100, 500, 2000], usual: 2, text: (speed) => `${speed === 0.5 ? '½' : grouped(speed)}/s` };

/**
 * @typedef {object} TransportOptions
 * @property {(step: number) => void | Promise<void>} change shows a step; playback waits for it
 * @property {(isPlaying: boolean) => void} [state] called when playback starts and stops
 * @property {(step: number) => string} [words] describes a step
 * @property {string} [label] the label of the slider
 * @property {string} [again] the label of the play button after the last step
 * @property {Speeds} [speeds]
 * @property {number} [beat] milliseconds per step at speed 1
 */

export class Transport {
  /** @param {TransportOptions} options */
  constructor({ change, state = () => {}, words, label = 'Step', again = 'Play', speeds = PER_SECOND, beat = 1000 }) {
    this.change = change;
    this.state = state;
    this.words = words ?? ((step) => `Step ${grouped(step)} of ${grouped(this.count)}${this.isGrowing ? ' so far' : ''}`);
    this.again = again;
    this.beat = beat;
    this.step = 0;
    this.count = 0;
    /** True if more steps will arrive. */
    this.isGrowing = false;
    this.isPlaying = false;
    /** The elapsed fraction of the current step. */
    this.part = 0;
    this.then = 0;
    this.frame = 0;
    this.slider = h('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': label, oninput: () => this.seek(Number(this.slider.value)) });
    this.speed = h('select', { 'aria-label': 'Speed', title: 'Speed' }, speeds.list.map((speed) => h('option', { value: String(speed) }, speeds.text(speed))));
    this.speed.value = String(speeds.usual);
    const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ act) => h('button', { type: 'button', 'aria-label': label, title: label, onclick: act }, text);
    this.first = button('|◀', 'First step', () => this.seek(0));
    this.back = button('◀', 'Previous step', () => this.seek(this.step - 1));
    this.play = h('button', { type: 'button', class: 'primary play', onclick: () => this.toggle() });
    this.next = button('▶', 'Next step', () => this.seek(this.step + 1));
    this.last = button('▶|', 'Last step', () => this.seek(this.count));
    for (const end of [this.first, this.last]) end.className = 'end';
    this.counter = h('output', { class: 'counter' });
    this.element = h('div', { class: 'transport' }, this.slider, h('div', { class: 'controls', role: 'group', 'aria-label': 'Steps' }, this.first, this.back, this.play, this.next, this.last, this.speed, this.counter));
    /** @type {void | Promise<void>} Resolves when the step is shown. */
    this.shown = undefined;
  }

  /** Sets the number of steps. @param {number} count @param {boolean} [isGrowing] */
  resize(count, isGrowing = false) {
    this.count = count;
    this.isGrowing = isGrowing;
    this.slider.max = String(count);
    this.show(this.step);
    if (this.isPlaying && !isGrowing && this.step >= count) this.pause();
  }

  /** Pauses and shows a step. @param {number} step */
  seek(step) {
    this.pause();
    this.show(step);
  }

  /** @param {number} step */
  show(step) {
    this.step = Math.max(0, Math.min(step, this.count));
    this.slider.value = String(this.step);
    const text = this.words(this.step);
    this.slider.setAttribute('aria-valuetext', text);
    this.counter.textContent = text;
    // Not `disabled`, which would take the focus from a button that was just pressed.
    for (const button of [this.first, this.back]) button.setAttribute('aria-disabled', String(this.step === 0));
    for (const button of [this.next, this.last]) button.setAttribute('aria-disabled', String(this.step === this.count));
    this.name();
    this.shown = this.change(this.step);
  }

  /** Updates the label of the play button. */
  name() {
    const isAtEnd = this.step === this.count && this.count > 0 && !this.isGrowing;
    this.play.textContent = this.isPlaying ? 'Pause' : isAtEnd ? this.again : 'Play';
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.start();
  }

  /** Plays from the current step, or from the start if this is the last one. */
  start() {
    if (this.isPlaying || (this.count === 0 && !this.isGrowing)) return;
    if (this.step === this.count && !this.isGrowing) this.show(0);
    this.isPlaying = true;
    this.name();
    this.part = 0;
    this.then = performance.now();
    this.state(true);
    this.wait();
  }

  wait() {
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  /** @param {number} now */
  async tick(now) {
    // A page in the background gets no frames, so playback resumes where it was.
    this.part += (Math.min(250, Math.max(0, now - this.then)) / this.beat) * Number(this.speed.value);
    this.then = now;
    const steps = Math.floor(this.part);
    this.part -= steps;
    if (steps > 0 && this.step < this.count) {
      this.show(this.step + steps);
      if (this.shown) await this.shown.catch(() => this.pause());
    }
    if (!this.isPlaying) return;
    if (this.step >= this.count && !this.isGrowing) this.pause();
    else this.wait();
  }

  pause() {
    cancelAnimationFrame(this.frame);
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.name();
    this.state(false);
  }

  /** Plays faster or slower. @param {number} by */
  shift(by) {
    this.speed.selectedIndex = Math.max(0, Math.min(this.speed.selectedIndex + by, this.speed.options.length - 1));
  }

  /** Handles a key. Returns false if the key has no effect here. @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    // These elements handle the keys themselves.
    if (target.closest('select, textarea') || (event.key === ' ' && target.closest('button'))) return false;
    const isRange = target instanceof HTMLInputElement;
    /** @type {Record<string, () => void>} */
    const keys = { ' ': () => this.toggle(), '+': () => this.shift(1), '=': () => this.shift(1), '-': () => this.shift(-1) };
    if (!isRange) Object.assign(keys, { ArrowRight: () => this.seek(this.step + 1), ArrowLeft: () => this.seek(this.step - 1), Home: () => this.seek(0), End: () => this.seek(this.count) });
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    act?.();
    return act !== undefined;
  }
}
