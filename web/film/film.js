// The film player. The document contains all frames with their captions, and this script shows one at a time. Without scripts, and
// on paper, the frames follow one another.

import { Transport } from '../page/search/transport.js';

const frames = [...document.querySelectorAll('.frame')];
const texts = frames.map((frame) => frame.querySelector('figcaption')?.textContent ?? '');
const caption = /** @type {HTMLElement} */ (document.getElementById('caption'));

const transport = new Transport({
  change(at) {
    for (const [number, frame] of frames.entries()) frame.classList.toggle('now', number === at);
    caption.textContent = texts[at] ?? '';
  },
  words: (at) => texts[at] ?? '',
  // A screen reader could not keep up with a playing film.
  state: (isPlaying) => caption.setAttribute('aria-live', isPlaying ? 'off' : 'polite'),
  again: 'Play again',
  speeds: { list: [0.25, 0.5, 1, 2, 4, 8], usual: 1, text: (speed) => `${speed} ×` },
  beat: 900,
});
// The caption already shows the step.
transport.counter.remove();
transport.resize(frames.length - 1);
caption.hidden = false;
document.documentElement.classList.add('live');
document.getElementById('controls')?.append(transport.element);
document.addEventListener('keydown', (event) => {
  if (!event.ctrlKey && !event.metaKey && !event.altKey && transport.key(event)) event.preventDefault();
});
