// Where boards come from: the list, a random one, pasted text, the editor; and the link that gives one away.

/** @import { GameView } from './game.js' */
import * as api from './api.js';
import { pasteDialog, randomDialog } from './dialogs.js';
import { h } from './dom.js';
import * as share from './share.js';

export class Picker {
  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    /** @type {{name: string, text: string | null} | null} The listed board that was chosen last, and its text. */
    this.chosen = null;
    const names = view.about.instances.map(({ name }) => h('option', { value: `instance:${name}` }, name.replaceAll('-', ' ')));
    this.choice = h(
      'select',
      { id: 'board-choice', 'aria-label': 'Board', onchange: () => this.choose() },
      h('option', { value: 'sample' }, 'the sample'),
      names,
      h('option', { value: 'own', hidden: true }, 'your own board')
    );
    const button = (/** @type {string} */ label, /** @type {() => void} */ act) => h('button', { type: 'button', onclick: act }, label);
    this.edit = button('Edit', () => this.toggleEditor());
    this.element = h(
      'div',
      { class: 'picker' },
      h('label', { for: 'board-choice' }, 'Board'),
      this.choice,
      button('Random…', () => this.random()),
      button('Paste…', () => this.paste()),
      this.edit,
      button('Share', () => this.share())
    );
  }

  /** Shows which board this is. */
  refresh() {
    const { text } = this.view;
    this.choice.value = text === null ? 'sample' : this.chosen?.text === text ? `instance:${this.chosen.name}` : 'own';
  }

  /** Takes the board chosen in the list. */
  choose() {
    const { view } = this;
    const instance = view.about.instances.find(({ name }) => this.choice.value === `instance:${name}`);
    return view.attempt(async () => {
      view.editor.close();
      if (!instance) return view.load(null);
      await view.load(instance.text, [], instance.options);
      this.chosen = { name: instance.name, text: view.text };
      this.refresh();
      const known = [instance.answer && `Known answer: ${instance.answer}.`, instance.source && `Source: ${instance.source}.`].filter(Boolean);
      if (known.length > 0) view.messages.say(known.join(' '));
    });
  }

  random() {
    const { view } = this;
    randomDialog(view.about, async (wish) => {
      const { instance } = await api.generate(view.game, wish);
      view.editor.close();
      await view.load(instance);
    });
  }

  paste() {
    const { view } = this;
    pasteDialog(view.position?.instance ?? view.about.sample, async (text) => {
      await view.load(text);
      view.editor.close();
    });
  }

  toggleEditor() {
    return this.view.attempt(() => this.view.editor.toggle());
  }

  async share() {
    const { about, game, messages, moves, tabs, text } = this.view;
    share.write({ game, board: text ?? about.sample, moves, view: tabs.current });
    try {
      await navigator.clipboard.writeText(location.href);
      messages.say('Link copied. It holds this board and the moves so far.', 'good');
    } catch {
      const field = h('input', { class: 'address', readonly: true, value: location.href, 'aria-label': 'Link to this board' });
      messages.say('Copy this link: ', 'good', field);
      field.select();
    }
  }
}
