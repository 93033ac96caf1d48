// Small choices of the reader that outlast a visit, such as which parts are folded. If storage is refused, they last until the
// page is closed.

/** @type {Map<string, string>} */
const kept = new Map();

/** @param {string} name @returns {string | null} */
export function choice(name) {
  try {
    return localStorage.getItem(`kibitzer-${name}`) ?? kept.get(name) ?? null;
  } catch {
    return kept.get(name) ?? null;
  }
}

/** @param {string} name @param {string} value */
export function choose(name, value) {
  kept.set(name, value);
  try {
    localStorage.setItem(`kibitzer-${name}`, value);
  } catch {
    // Refused: it holds until the page is closed.
  }
}

/** Makes a fold stay as the reader left it. @param {HTMLDetailsElement} details @param {string} name @param {boolean} usual is it open at first? */
export function remembered(details, name, usual) {
  details.open = (choice(name) ?? (usual ? 'open' : 'closed')) === 'open';
  // Before the browser changes it.
  details.querySelector('summary')?.addEventListener('click', () => choose(name, details.open ? 'closed' : 'open'));
  return details;
}
