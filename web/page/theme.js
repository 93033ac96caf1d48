// The light or dark theme: the user's choice, or else the system's. This script runs before the first paint, so that the page does
// not flash.
(() => {
  const root = document.documentElement;
  // From the first paint on, a game fills the window.
  root.classList.toggle('playing', /^#\/?[^/?]/.test(location.hash));
  /** Calls `use` with the local storage, or returns null if access is denied, for example in a frame on another site. @param {(storage: Storage) => string | null | void} use */
  const storage = (use) => {
    try {
      return use(localStorage);
    } catch {
      return null;
    }
  };
  const stored = storage((kept) => kept.getItem('theme'));
  if (stored === 'light' || stored === 'dark') root.dataset.theme = stored;
  const isDark = () => (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  addEventListener('DOMContentLoaded', () => {
    const button = /** @type {HTMLButtonElement} */ (document.getElementById('theme'));
    const show = () => {
      button.textContent = isDark() ? '☀' : '☾';
      button.title = isDark() ? 'Light' : 'Dark';
    };
    button.addEventListener('click', () => {
      const theme = isDark() ? 'light' : 'dark';
      root.dataset.theme = theme;
      storage((kept) => kept.setItem('theme', theme));
      show();
    });
    show();
  });
})();
