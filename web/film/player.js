// Transport controls for anything that is shown step by step: first, back, play, forward, last, a slider, a speed, and keys.
// It knows nothing about what is shown: it calls `change` with the number of the step. Documents that stand on their own embed
// this file, so it imports nothing.

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

/**
 * @typedef {object} PlayerOptions
 * @property {number} count How many steps there are, at least 1.
 * @property {(at: number) => void} change Shows a step, counted from 0. Called once at the start.
 * @property {(at: number) => string} [words] The step in words, for those who hear the slider.
 * @property {(playing: boolean) => void} [state] Told when playing begins and ends.
 * @property {number} [beat] Milliseconds per step at speed 1.
 */

export class Player {
  /** @param {PlayerOptions} options */
  constructor({ count, change, words = (at) => `Step ${at + 1} of ${count}`, state = () => {}, beat = 900 }) {
    this.count = Math.max(1, count);
    this.at = 0;
    this.playing = false;
    this.timer = 0;
    this.change = change;
    this.words = words;
    this.state = state;
    this.beat = beat;
    this.slider = document.createElement('input');
    this.slider.type = 'range';
    this.slider.min = '0';
    this.slider.setAttribute('aria-label', 'Step');
    this.slider.addEventListener('input', () => this.seek(Number(this.slider.value)));
    this.playButton = this.button('', 'Play', () => this.toggle());
    this.playButton.className = 'play';
    this.speed = document.createElement('select');
    this.speed.setAttribute('aria-label', 'Speed');
    for (const speed of SPEEDS) this.speed.append(new Option(`${speed} ×`, String(speed), speed === 1, speed === 1));
    this.ends = [this.button('|◀', 'First step', () => this.seek(0)), this.button('◀', 'Previous step', () => this.seek(this.at - 1))];
    this.starts = [this.button('▶', 'Next step', () => this.seek(this.at + 1)), this.button('▶|', 'Last step', () => this.seek(this.count - 1))];
    const row = document.createElement('div');
    row.className = 'player-row';
    row.append(...this.ends, this.playButton, ...this.starts, this.speed);
    /** The controls, to be put into a page. */
    this.element = document.createElement('div');
    this.element.className = 'player';
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', 'Player');
    this.element.append(this.slider, row);
    this.show(0);
  }

  /** @param {string} symbol @param {string} label @param {() => void} act */
  button(symbol, label, act) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = symbol;
    button.title = label;
    button.setAttribute('aria-label', label);
    button.addEventListener('click', act);
    return button;
  }

  /** Goes to a step by hand, which pauses. @param {number} at */
  seek(at) {
    this.pause();
    this.show(at);
  }

  /** Shows a step. @param {number} at */
  show(at) {
    this.at = Math.max(0, Math.min(at, this.count - 1));
    this.slider.max = String(this.count - 1);
    this.slider.value = String(this.at);
    this.slider.setAttribute('aria-valuetext', this.words(this.at));
    // Not `disabled`, which would take the focus away from whoever just pressed the button.
    for (const button of this.ends) button.setAttribute('aria-disabled', String(this.at === 0));
    for (const button of this.starts) button.setAttribute('aria-disabled', String(this.at === this.count - 1));
    this.name();
    this.change(this.at);
  }

  /** There are more steps now, or fewer. @param {number} count */
  resize(count) {
    this.count = Math.max(1, count);
    this.show(this.at);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Plays from here, or from the start if this is the end. */
  play() {
    if (this.playing || this.count < 2) return;
    this.playing = true;
    this.state(true);
    if (this.at === this.count - 1) this.show(0);
    this.name();
    this.wait();
  }

  wait() {
    this.timer = setTimeout(() => this.tick(), this.beat / Number(this.speed.value));
  }

  tick() {
    this.show(this.at + 1);
    if (this.at === this.count - 1) this.pause();
    if (this.playing) this.wait();
  }

  pause() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.playing = false;
    this.state(false);
    this.name();
  }

  /** What the play button does now. */
  name() {
    const label = this.playing ? 'Pause' : this.at === this.count - 1 && this.count > 1 ? 'Play again' : 'Play';
    this.playButton.textContent = label;
    this.playButton.title = label;
    this.playButton.setAttribute('aria-label', label);
  }

  /** Faster or slower. @param {number} by */
  shift(by) {
    const last = this.speed.options.length - 1;
    this.speed.selectedIndex = Math.max(0, Math.min(this.speed.selectedIndex + by, last));
  }

  /** Lets keys do what the controls do, wherever the focus is. @param {EventTarget} target */
  listen(target) {
    target.addEventListener('keydown', (event) => this.key(/** @type {KeyboardEvent} */ (event)));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const tag = event.target instanceof Element ? event.target.tagName : '';
    // Those have keys of their own.
    if (tag === 'SELECT' || tag === 'TEXTAREA') return;
    if (event.target instanceof HTMLInputElement && (event.target.type !== 'range' || event.key !== ' ')) return;
    if (tag === 'BUTTON' && event.key === ' ') return;
    const act = {
      ArrowRight: () => this.seek(this.at + 1),
      ArrowLeft: () => this.seek(this.at - 1),
      Home: () => this.seek(0),
      End: () => this.seek(this.count - 1),
      ' ': () => this.toggle(),
      '+': () => this.shift(1),
      '-': () => this.shift(-1),
    }[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }
}
