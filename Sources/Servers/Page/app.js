// The page as an app: installed on a device, or opened by a shortcut.

import { performQuick } from './acting.js';
import { isKiosk } from './dom.js';
import { refresh } from './records.js';
import { lastWeighing, on, scale } from './scale.js';

/** Whether the browser can install the page. */
export const isInstallable = isSecureContext && 'serviceWorker' in navigator;

/** The quick action in the address of a shortcut, `?action=beans`. It is removed there, so that a reload does not repeat it. */
const shortcut = { action: new URLSearchParams(location.search).get('action') };
if (shortcut.action !== null) history.replaceState(null, '', location.pathname + location.hash);

/** Performs it once, after a confirmation. The first reading follows the quick actions. */
async function performShortcut() {
  const { action } = shortcut;
  if (action === null || !scale.reading) return;
  shortcut.action = null;
  if (!lastWeighing()) await refresh();
  performQuick(action);
}

/** Shows the set-up first, unless the address names a view. */
function offerSetUp() {
  if (scale.machine?.is_set_up === false && !location.hash && !isKiosk) location.replace('#/setup');
}

on('live', performShortcut);
performShortcut();
on('machine', offerSetUp);
offerSetUp();
// The worker keeps a copy of the page. Browsers permit that only with HTTPS or on this machine.
if (isInstallable) navigator.serviceWorker.register('worker.js').catch(() => {});
