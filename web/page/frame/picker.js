// The row for choosing a board: the list, a random board, pasted text and the editor; and the Share button.

/** @typedef {Pick<import('./view.js').GameView, 'about' | 'attempt' | 'editor' | 'game' | 'generate' | 'level' | 'levels' | 'load' | 'messages' | 'position' | 'random' | 'text'> & import('./list.js').Host & import('./share-dialog.js').Host} Host the members of the view that this module uses */
import { pasteDialog, randomDialog } from './dialogs.js';
import { h } from '../dom.js';
import { GraphList } from './list.js';
import { shareDialog } from './share-dialog.js';
import { inKnown } from './verdict.js';

export class Picker {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    /** @type {{name: string, text: string | null} | null} The last board chosen from the list, and its text. */
    this.chosen = null;
    this.own = h('option', { value: 'own', hidden: true });
    this.list = new GraphList(view);
    /** @param {string} label @param {string} readers */
    const group = (label, readers) => {
      const named = view.about.instances.filter((instance) => instance.for === readers);
      return named.length > 0 && h('optgroup', { label }, ...named.map(({ name, title }) => h('option', { value: `instance:${name}` }, title)));
    };
    this.choice = h(
      'select',
      { id: 'board-choice', 'aria-label': 'Board', onchange: () => this.choose() },
      h('option', { value: 'sample' }, 'First board'),
      group('Classics', 'players'),
      group('For teachers', 'teachers'),
      this.own
    );
    const button = (/** @type {string} */ label, /** @type {() => void} */ act) => h('button', { type: 'button', onclick: act }, label);
    this.edit = button('Edit', () => this.toggleEditor());
    const row = h(
      'div',
      { class: 'picker' },
      this.choice,
      button('Random…', () => this.random()),
      button('Paste…', () => this.paste()),
      this.edit,
      button('Share…', () => shareDialog(view))
    );
    // On a phone the row is collapsed.
    const more = h('button', { type: 'button', class: 'more', 'aria-expanded': 'false', 'aria-controls': 'boards', onclick: () => more.setAttribute('aria-expanded', String(this.element.classList.toggle('open'))) }, 'More…');
    row.id = 'boards';
    this.more = more;
    // A choice, Escape, or a click elsewhere closes it.
    row.addEventListener('click', (event) => event.target instanceof Element && event.target.closest('button') && this.fold());
    row.addEventListener('change', () => this.fold());
    this.element = h('div', { class: 'chooser' }, view.levels.element, more, row);
    row.append(view.levels.results);
  }

  fold() {
    this.element.classList.remove('open');
    this.more.setAttribute('aria-expanded', 'false');
  }

  /** Shows the name of the current board. */
  refresh() {
    const { level, levels, random, text } = this.view;
    this.list.refresh();
    this.own.textContent = this.list.isShown ? this.list.words : level ? levels.words : random ? `random board, seed ${random.seed}` : 'your own board';
    this.choice.value = text === null ? 'sample' : this.listed ? `instance:${this.listed.name}` : 'own';
  }

  /** The current board's entry in the list, if any. */
  get listed() {
    return this.chosen?.text === this.view.text && !this.view.level ? this.chosen : null;
  }

  /** A description of the current board. */
  get words() {
    const { random } = this.view;
    return `${this.choice.selectedOptions[0]?.textContent}${random ? inOptions(random.options) : ''}`;
  }

  /** The current board's name in file names. */
  get name() {
    const { level, levels, random, text } = this.view;
    if (level) return levels.board;
    if (random) return ['seed', random.seed, ...Object.entries(random.options).flat()].join('-');
    if (this.list.isShown) return `graph-${this.list.at + 1}`;
    return text === null ? 'sample' : (this.listed?.name ?? 'board');
  }

  /** Shows the seed of a random board and the command that generates it. */
  introduce() {
    const { game, messages, position, random } = this.view;
    if (!random || position?.goal) return;
    const options = Object.entries(random.options).map(([name, value]) => ` --option ${quoted(`${name}=${value}`)}`);
    messages.say(`This is a ${this.words}. To generate it in a terminal: \`kibitzer generate ${game} --seed ${random.seed}${options.join('')}\``);
  }

  /** Loads the board chosen in the list. */
  choose() {
    const { view } = this;
    const instance = view.about.instances.find(({ name }) => this.choice.value === `instance:${name}`);
    return view.attempt(async () => {
      view.editor.close();
      if (!instance) return view.load({ text: null });
      await view.load({ text: instance.text, options: instance.options });
      this.chosen = { name: instance.name, text: view.text };
      this.refresh();
      const known = [instance.answer && inKnown(instance.answer), instance.source && `Source: ${instance.source}.`].filter(Boolean);
      if (known.length > 0) view.messages.say(known.join(' '));
    });
  }

  random() {
    const { view } = this;
    randomDialog(view.about, view.random, async (random) => {
      const start = await view.generate(random);
      view.editor.close();
      await view.load(start);
      this.introduce();
    });
  }

  paste() {
    const { view } = this;
    pasteDialog(view.position?.instance ?? view.about.sample, async (text) => {
      try {
        await view.load({ text });
      } catch (error) {
        // The text may be a list of graphs, or a single graph, which the game cannot read as a board.
        if (!(await this.list.take(text))) throw error;
      }
      view.editor.close();
    });
  }

  toggleEditor() {
    return this.view.attempt(() => this.view.editor.toggle());
  }
}

/** A description of a random board's options. @param {Record<string, string>} options */
function inOptions(options) {
  const texts = Object.entries(options).map(([name, value]) => `${name} ${value}`);
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
}

/** A command-line argument, quoted if it contains characters that are special in a shell. @param {string} word */
const quoted = (word) => (/^[\w=.,:+/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
