// Keeps the site for when there is no network, and offers a new version when there is one. The files themselves are kept by
// the service worker `sw.js`, which `./site` makes.

import { h } from '../dom.js';

/** Without it the page works all the same, as long as it is online. */
export async function keep() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  const registration = await workers.register('sw.js').catch(() => null);
  if (!registration) return;
  const offer = () => {
    // The first version of all is simply used.
    if (!registration.waiting || !workers.controller || document.getElementById('renew')) return;
    const renew = () => {
      workers.addEventListener('controllerchange', () => location.reload());
      registration.waiting?.postMessage('renew');
    };
    document.querySelector('.foot')?.prepend(h('p', { id: 'renew', role: 'status' }, 'There is a new version. ', h('button', { type: 'button', onclick: renew }, 'Reload')));
  };
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', offer));
  offer();
}
