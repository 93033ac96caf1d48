// Makes the site work offline, and offers to reload when a new version is available. The service worker `sw.js`, which `./site`
// writes, caches the files.

import { h } from '../dom.js';

/** Registers the service worker if the browser supports it. */
export async function keep() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  const registration = await workers.register('sw.js').catch(() => null);
  if (!registration) return;
  const offer = () => {
    // When the first version is installed, there is no update to offer.
    if (!registration.waiting || !workers.controller || document.getElementById('renew')) return;
    const renew = () => {
      workers.addEventListener('controllerchange', () => location.reload());
      registration.waiting?.postMessage('renew');
    };
    document.querySelector('.foot')?.prepend(h('p', { id: 'renew', role: 'status' }, 'A new version is available. ', h('button', { type: 'button', onclick: renew }, 'Reload')));
  };
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', offer));
  offer();
}
