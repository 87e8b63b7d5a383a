// The page as an app: installed on a device, or opened by a shortcut.

/** Registers the worker that keeps a copy of the page. Browsers permit that only with HTTPS or on this machine. */
export function install() {
  if (!isInstallable) return;
  // After the page is loaded: copying it would delay the first weight.
  addEventListener('load', () => navigator.serviceWorker.register('worker.js').catch(() => {}));
}

/** Whether the browser can install the page. */
export const isInstallable = isSecureContext && 'serviceWorker' in navigator;

/** The quick action in the address of a shortcut, `?action=beans`. It is removed there, so that a reload does not repeat it. */
export function takeShortcut() {
  const action = new URLSearchParams(location.search).get('action');
  if (action !== null) history.replaceState(null, '', location.pathname + location.hash);
  return action;
}
