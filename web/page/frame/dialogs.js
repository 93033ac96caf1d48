// Dialogs that load a board (pasted, from a file, or random), and the dialog with the player's results.

import * as api from '../engine/api.js';
import { h, fill, rich, capital } from '../dom.js';
import { save } from '../download.js';
import * as record from '../state/record.js';
import { readSeed } from '../state/address.js';

/**
 * A dialog with a form. If `act` fails, the dialog stays open and shows the error.
 * @param {string} title
 * @param {Node[]} fields
 * @param {string} label
 * @param {() => Promise<void>} act
 * @param {{onError?: (error: unknown) => void, leave?: string}} [more] `onError` is called with an error; `leave` is the label of the close button
 */
export function dialog(title, fields, label, act, { onError, leave = 'Cancel' } = {}) {
  const error = h('div', { class: 'message bad', role: 'alert' });
  const submit = h('button', { type: 'submit', class: 'primary' }, label);
  const box = h(
    'dialog',
    { 'aria-labelledby': 'dialog-title', onclose: () => box.remove() },
    h(
      'form',
      {
        method: 'dialog',
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          submit.disabled = true;
          try {
            await act();
            box.close();
          } catch (problem) {
            const { message, help } = api.problem(problem);
            fill(error, h('p', null, rich(message)), help && h('p', { class: 'soft' }, rich(`${capital(help)}.`)));
            onError?.(problem);
          }
          submit.disabled = false;
        },
      },
      h('h2', { id: 'dialog-title' }, title),
      ...fields,
      error,
      h('div', { class: 'controls' }, submit, h('button', { type: 'button', onclick: () => box.close() }, leave))
    )
  );
  document.body.append(box);
  box.showModal();
  return box;
}

/** @param {string} text @param {(text: string) => Promise<void>} use */
export function pasteDialog(text, use) {
  const area = h('textarea', { id: 'paste-text', rows: '10', spellcheck: 'false', autocomplete: 'off' });
  area.value = text;
  const file = h('input', {
    type: 'file',
    id: 'paste-file',
    onchange: async () => {
      const chosen = file.files?.[0];
      if (chosen) area.value = await chosen.text();
    },
  });
  const fields = [
    h('label', { for: 'paste-text' }, 'Board as text, in any format this game reads'),
    area,
    h('label', { for: 'paste-file' }, 'or from a file'),
    file,
  ];
  const onError = (/** @type {unknown} */ error) => {
    if (!(error instanceof api.Refusal) || error.line === undefined || error.column === undefined) return;
    const lines = area.value.split('\n');
    const before = lines.slice(0, error.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const at = before + [...(lines[error.line - 1] ?? '')].slice(0, error.column - 1).join('').length;
    area.focus();
    area.setSelectionRange(at, Math.min(at + 1, area.value.length));
  };
  dialog('Paste a board', fields, 'Use this board', () => use(area.value), { onError });
  area.focus();
  area.select();
}

/** @param {api.About} about @param {api.Random | null} last the seed and options of the current board @param {(random: api.Random) => Promise<void>} use */
export function randomDialog(about, last, use) {
  const seed = h('input', { id: 'random-seed', type: 'text', inputmode: 'numeric', autocomplete: 'off', value: String(Math.floor(Math.random() * 1e6)) });
  /** @type {[string, HTMLInputElement][]} */
  const inputs = about.generate_options.map((option) => [
    option.name,
    h('input', { id: `random-${option.name}`, type: 'text', autocomplete: 'off', placeholder: option.default || 'none', value: last?.options[option.name] ?? '' }),
  ]);
  const rows = about.generate_options.map((option, at) =>
    h('div', { class: 'field' }, h('label', { for: `random-${option.name}` }, capital(option.name), h('span', { class: 'soft' }, ' ', rich(option.about))), inputs[at]?.[1])
  );
  const fields = [
    h('p', { class: 'soft' }, 'The same seed and settings always produce the same board.'),
    h('div', { class: 'fields' }, h('div', { class: 'field' }, h('label', { for: 'random-seed' }, 'Seed'), seed), rows),
  ];
  dialog('Random board', fields, 'Generate', async () => {
    const options = Object.fromEntries(inputs.filter(([, input]) => input.value.trim() !== '').map(([name, input]) => [name, input.value.trim()]));
    await use({ seed: readSeed(seed.value.trim()), options });
  });
  seed.focus();
  seed.select();
}

/** The player's results: shown, saved to a file, added from a file, or cleared. @param {() => void} changed */
export function resultsDialog(changed) {
  const table = h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Boards solved' });
  const [least, streak] = [h('p', { class: 'least' }), h('p')];
  const said = h('p', { class: 'soft', role: 'status' });
  const refresh = async () => {
    const games = await api.games();
    const days = record.streak();
    const kinds = [...record.LEVELS, 'daily'];
    const row = (/** @type {string} */ game) =>
      h('tr', null, h('th', { scope: 'row' }, capital(game)), ...kinds.map((kind) => h('td', null, String(record.count(game, `${kind}-`)))), h('td', null, String(record.count(game))));
    const head = h('tr', null, h('th', { scope: 'col' }, 'Solved'), ...[...kinds, 'all'].map((kind) => h('th', { scope: 'col' }, capital(kind))));
    fill(table, h('table', { class: 'scores' }, h('thead', null, head), h('tbody', null, ...games.map(({ name }) => row(name)))));
    const { all, best } = record.perfect();
    fill(least, all > 0 && `${best} of ${all} solved at the least possible cost.`);
    fill(streak, `Streak: ${days} ${days === 1 ? 'day' : 'days'} in a row with a daily board solved, in any game. A new day starts at midnight UTC.`);
    changed();
  };
  const file = h('input', {
    type: 'file',
    id: 'results-file',
    accept: '.json,application/json',
    onchange: async () => {
      const chosen = file.files?.[0];
      if (!chosen) return;
      try {
        record.imported(await chosen.text());
        fill(said, 'Added.');
      } catch (error) {
        const { message, help } = api.problem(error);
        fill(said, `${message}: ${help}.`);
      }
      file.value = '';
      await refresh();
    },
  });
  let isSure = false;
  const clear = h(
    'button',
    {
      type: 'button',
      onclick: async () => {
        fill(clear, isSure ? 'Clear' : 'Really clear everything?');
        if (isSure) {
          record.clear();
          await refresh();
          fill(said, 'Cleared.');
        }
        isSure = !isSure;
      },
    },
    'Clear'
  );
  const fields = [
    table,
    least,
    streak,
    h('p', { class: 'soft' }, 'Results are stored in this browser only. Boards solved only with hints do not count. A solution gets at most two stars if you used hints, and one if most moves were hints.'),
    h('label', { for: 'results-file' }, 'Add results from a file'),
    file,
    h('div', { class: 'controls' }, clear),
    said,
  ];
  dialog('Your results', fields, 'Save to a file', async () => save('kibitzer-results.json', record.exported(), 'application/json'), { leave: 'Close' });
  refresh().catch((error) => fill(said, `${api.problem(error).message}.`));
}
