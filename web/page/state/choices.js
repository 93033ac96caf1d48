// Small preferences that persist between visits, such as which sections are collapsed. If storage is denied, they last until the
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
    // Storage denied: the choice lasts until the page is closed.
  }
}

/** Remembers whether the user left a section open. @param {HTMLDetailsElement} details @param {string} name @param {boolean} usual true if it is open by default */
export function remembered(details, name, usual) {
  details.open = (choice(name) ?? (usual ? 'open' : 'closed')) === 'open';
  // The browser changes `open` only after this event.
  details.querySelector('summary')?.addEventListener('click', () => choose(name, details.open ? 'closed' : 'open'));
  return details;
}
