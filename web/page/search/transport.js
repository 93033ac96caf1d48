// Step, play, speed and scrub: one number, the step that is shown. It may play while more steps are still arriving.

import { grouped, h } from '../dom.js';

/** Steps per second. */
const SPEEDS = [0.5, 1, 2, 5, 10, 30, 100, 500, 2000];
const USUAL = 2;

export class Transport {
  /** @param {{change: (step: number) => void, state: (isPlaying: boolean) => void}} listener */
  constructor({ change, state }) {
    this.change = change;
    this.state = state;
    this.step = 0;
    this.count = 0;
    /** Are more steps to come? */
    this.isGrowing = false;
    this.isPlaying = false;
    /** Parts of a step that have passed. */
    this.part = 0;
    this.then = 0;
    this.frame = 0;
    this.slider = h('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': 'Step', oninput: () => this.seek(Number(this.slider.value)) });
    this.speed = h('select', { 'aria-label': 'Speed' }, SPEEDS.map((speed) => h('option', { value: String(speed) }, `${speed === 0.5 ? '½' : grouped(speed)} per second`)));
    this.speed.value = String(USUAL);
    const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ act) => h('button', { type: 'button', 'aria-label': label, title: label, onclick: act }, text);
    this.first = button('|◀', 'First step', () => this.seek(0));
    this.back = button('◀', 'Step back', () => this.seek(this.step - 1));
    this.play = h('button', { type: 'button', class: 'primary play', onclick: () => this.toggle() }, 'Play');
    this.next = button('▶', 'Step forward', () => this.seek(this.step + 1));
    this.last = button('▶|', 'Last step', () => this.seek(this.count));
    for (const end of [this.first, this.last]) end.className = 'end';
    this.counter = h('output', { class: 'counter' });
    this.element = h('div', { class: 'transport' }, this.slider, h('div', { class: 'controls', role: 'group', 'aria-label': 'Steps' }, this.first, this.back, this.play, this.next, this.last, this.speed, this.counter));
    this.show(0);
  }

  /** There are this many steps now. @param {number} count @param {boolean} isGrowing */
  resize(count, isGrowing) {
    this.count = count;
    this.isGrowing = isGrowing;
    this.slider.max = String(count);
    this.show(Math.min(this.step, count));
    if (this.isPlaying && !isGrowing && this.step >= count) this.pause();
  }

  /** Goes to a step by hand, which pauses. @param {number} step */
  seek(step) {
    this.pause();
    this.show(step);
  }

  /** @param {number} step */
  show(step) {
    this.step = Math.max(0, Math.min(step, this.count));
    this.slider.value = String(this.step);
    const text = `Step ${grouped(this.step)} of ${grouped(this.count)}${this.isGrowing ? ' so far' : ''}`;
    this.slider.setAttribute('aria-valuetext', text);
    this.counter.textContent = text;
    // Not `disabled`, which would take the focus away from whoever has just pressed the button.
    for (const button of [this.first, this.back]) button.setAttribute('aria-disabled', String(this.step === 0));
    for (const button of [this.next, this.last]) button.setAttribute('aria-disabled', String(this.step === this.count));
    this.change(this.step);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.start();
  }

  /** Plays from here, or from the start if this is the end. */
  start() {
    if (this.isPlaying || (this.count === 0 && !this.isGrowing)) return;
    if (this.step === this.count && !this.isGrowing) this.show(0);
    this.isPlaying = true;
    this.play.textContent = 'Pause';
    this.part = 0;
    this.then = performance.now();
    this.state(true);
    this.wait();
  }

  wait() {
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  /** @param {number} now */
  tick(now) {
    if (!this.isPlaying) return;
    // A page in the background gets no frames: it goes on where it was.
    this.part += (Math.min(250, Math.max(0, now - this.then)) / 1000) * Number(this.speed.value);
    this.then = now;
    const steps = Math.floor(this.part);
    this.part -= steps;
    if (steps > 0 && this.step < this.count) this.show(this.step + steps);
    if (this.step >= this.count && !this.isGrowing) this.pause();
    else this.wait();
  }

  pause() {
    cancelAnimationFrame(this.frame);
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.play.textContent = 'Play';
    this.state(false);
  }

  /** Faster or slower. @param {number} by */
  shift(by) {
    this.speed.selectedIndex = Math.max(0, Math.min(this.speed.selectedIndex + by, SPEEDS.length - 1));
  }

  /** What a key does; false if it does nothing here. @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    // Those have keys of their own.
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
