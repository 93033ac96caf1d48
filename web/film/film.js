// A film: the document holds all frames with their captions, and this shows one of them at a time. Without scripts, and on
// paper, the frames stand one after another.

import { Player } from './player.js';

const frames = [...document.querySelectorAll('.frame')];
const texts = frames.map((frame) => frame.querySelector('figcaption')?.textContent ?? '');
const caption = /** @type {HTMLElement} */ (document.getElementById('caption'));

const player = new Player({
  count: frames.length,
  change(at) {
    for (const [number, frame] of frames.entries()) frame.classList.toggle('now', number === at);
    caption.textContent = texts[at] ?? '';
  },
  words: (at) => texts[at] ?? '',
  state(playing) {
    // A voice could not keep up with a film that plays.
    caption.setAttribute('aria-live', playing ? 'off' : 'polite');
  },
});
caption.hidden = false;
document.documentElement.classList.add('live');
document.getElementById('controls')?.append(player.element);
player.listen(document);
