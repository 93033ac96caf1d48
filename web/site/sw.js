// Makes the site work offline. `./site` writes the list of files and its checksum into the first two lines of code, so each version
// has its own worker and cache, and files of two versions never mix.
'use strict';
const VERSION = '@VERSION@';
const FILES = [/* @FILES@ */];
const PREFIX = 'kibitzer-';

const scope = /** @type {any} */ (self);

scope.addEventListener('install', (/** @type {any} */ event) => {
  // The files come from the server, not from the browser's own cache, which may still contain files of the previous version.
  const requests = FILES.map((file) => new Request(file, { cache: 'no-cache' }));
  event.waitUntil(caches.open(PREFIX + VERSION).then((cache) => cache.addAll(requests)));
});

scope.addEventListener('activate', (/** @type {any} */ event) => {
  const clear = async () => {
    for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== PREFIX + VERSION) await caches.delete(name);
    await scope.clients.claim();
  };
  event.waitUntil(clear());
});

// The page sends this message when the reader agrees to reload.
scope.addEventListener('message', (/** @type {any} */ event) => {
  if (event.data === 'renew') scope.skipWaiting();
});

scope.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(scope.registration.scope)) return;
  const kept = async () => {
    const cache = await caches.open(PREFIX + VERSION);
    const found = await cache.match(request.mode === 'navigate' ? './' : request, { ignoreSearch: true });
    return found ?? fetch(request);
  };
  event.respondWith(kept());
});
