// Keeps a copy of the page, so that an installed page opens without a connection and says so. Everything is asked from the
// scale first; readings, weighings and actions are never answered from the copy.

// A copy has the files of one version. The server puts the declaration of VERSION, a hash of their content, in front of this file.
const COPY = `grampad-${VERSION}`;
const isShell = (url) =>
  url.origin === location.origin && !url.pathname.startsWith('/api/') &&
  /^\/(kiosk)?$|\.(css|js|svg)$/.test(url.pathname);

self.addEventListener('install', (event) => {
  event.waitUntil(copyAll().then(() => self.skipWaiting()));
});
self.addEventListener('activate', (event) => event.waitUntil(removeOthers().then(() => self.clients.claim())));

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method === 'GET' && isShell(url)) event.respondWith(answer(event.request, url.pathname));
});

/** Copies the page with all modules and style sheets that it names. */
async function copyAll() {
  const copy = await caches.open(COPY);
  const paths = new Set(['/', '/kiosk', '/page.css', '/icon.svg', '/page.js']);
  for (const path of paths) {
    const response = await fetch(path, { cache: 'no-cache' });
    // Without a complete copy, the worker is not installed.
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    await copy.put(path, response.clone());
    if (!path.endsWith('.js')) continue;
    for (const [, name] of (await response.text()).matchAll(/['\s](?:\.\/)?([\w-]+\.(?:js|css))(?=['\s])/g)) {
      if (name !== 'worker.js') paths.add(`/${name}`);
    }
  }
}

/** Removes the copies of other versions. */
async function removeOthers() {
  for (const name of await caches.keys()) if (name.startsWith('grampad') && name !== COPY) await caches.delete(name);
}

/** The answer of the scale; without one, or with the error of a proxy in front of it, the copy. */
async function answer(request, path) {
  const response = await fetch(request).catch(() => Response.error());
  if (response.type !== 'error' && response.status < 500) return response;
  return await (await caches.open(COPY)).match(path, { ignoreVary: true }) ?? response;
}
