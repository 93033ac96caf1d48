// Light or dark: the reader's choice, or else the system's. It runs before the first paint so that the page does not flash.
(() => {
  const root = document.documentElement;
  const stored = localStorage.getItem('theme');
  if (stored === 'light' || stored === 'dark') root.dataset.theme = stored;
  const isDark = () => (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  addEventListener('DOMContentLoaded', () => {
    const button = /** @type {HTMLButtonElement} */ (document.getElementById('theme'));
    const show = () => {
      button.textContent = isDark() ? '☀' : '☾';
      button.title = isDark() ? 'Light' : 'Dark';
    };
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      localStorage.setItem('theme', root.dataset.theme);
      show();
    });
    show();
  });
})();
