// Keeps a copy of the page, so that an installed page opens without a connection and says so. Everything is asked from the
// scale first; readings, weighings and actions are never answered from the copy.

const COPY = 'grampad';
const isShell = url => url.origin === location.origin && !url.pathname.startsWith('/api/') && /^\/(kiosk)?$|\.(css|js|svg)$/.test(url.pathname);

self.addEventListener('install', event => {
  event.waitUntil(copyAll().then(() => self.skipWaiting()));
});
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', event => {
  const url = new URL(event.request.url);
  if (event.request.method === 'GET' && isShell(url)) event.respondWith(answer(event, url.pathname));
});

/** Copies the page with all modules and style sheets that it names. */
async function copyAll() {
  const copy = await caches.open(COPY);
  const paths = new Set(['/', '/kiosk', '/page.css', '/icon.svg', '/page.js']);
  for (const path of paths) {
    const response = await fetch(path, { cache: 'no-cache' });
    await copy.put(path, response.clone());
    if (!path.endsWith('.js')) continue;
    for (const [, name] of (await response.text()).matchAll(/'(?:\.\/)?([\w-]+\.(?:js|css))'/g)) paths.add(`/${name}`);
  }
}

/** The answer of the scale, which is copied while it is shown; without one, the copy. */
async function answer(event, path) {
  try {
    const response = await fetch(event.request);
    if (response.ok) {
      const clone = response.clone();
      event.waitUntil(caches.open(COPY).then(copy => copy.put(path, clone)));
    }
    return response;
  } catch (error) {
    const known = await (await caches.open(COPY)).match(path, { ignoreVary: true });
    if (known) return known;
    throw error;
  }
}
