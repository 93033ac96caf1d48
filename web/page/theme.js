// Light or dark: the reader's own choice before the first paint, else the system's.
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
