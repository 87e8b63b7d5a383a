// The page as an app: installed on a device, opened by a shortcut, or filling a screen as a kiosk.

const root = document.documentElement;

/** Registers the worker that keeps a copy of the page. Browsers permit that only with HTTPS or on this machine. */
export function install(note) {
  if (!isSecureContext || !navigator.serviceWorker) {
    note.textContent = '«pageInstall»';
    note.hidden = false;
    return;
  }
  // After the page is loaded: copying it would delay the first weight.
  addEventListener('load', () => navigator.serviceWorker.register('worker.js').catch(() => {}));
}

/** The quick action in the address of a shortcut, `?action=beans`. It is taken out of the address at once, so that a reload does not repeat it. */
export function takeShortcut() {
  const action = new URLSearchParams(location.search).get('action');
  if (action !== null) history.replaceState(null, '', location.pathname + location.hash);
  return action;
}

/** Shows digits and ring only, on the whole screen, and keeps the screen awake where the browser can. */
export function showKiosk() {
  if (!location.pathname.endsWith('/kiosk')) return;
  root.dataset.view = 'kiosk';
  let lock = null;
  const stayAwake = async () => {
    if (document.hidden || lock || !navigator.wakeLock) return;
    try {
      lock = await navigator.wakeLock.request('screen');
      lock.addEventListener('release', () => { lock = null; });
    } catch { /* The device decides, for example when its battery is low. */ }
  };
  document.addEventListener('visibilitychange', stayAwake);
  addEventListener('pointerdown', stayAwake);
  stayAwake();
}
