// The page of the scale. It loads the rest after the first weight.

import { perform } from './actions.js';
import { install, takeShortcut } from './app.js';
import { connect, next } from './connection.js';
import './display.js';
import { insertTexts, isKiosk, root } from './dom.js';
import './health.js';
import { lang } from './texts.js';
import { loadPart, openMissing } from './views.js';
import { lastWeighing, refresh } from './records.js';
import { on, scale } from './scale.js';

/** The simulated pad, and whether the shortcut was performed. */
const parts = { pad: null, isAsked: false };

root.lang = lang;
insertTexts(document);
if (isKiosk) {
  root.dataset.kiosk = '';
  loadPart('kiosk.css', () => import('./kiosk.js'));
}

// A shortcut of the installed page performs its quick action once, after a confirmation.
const shortcut = takeShortcut();
on('actions', async () => {
  if (shortcut === null || parts.isAsked) return;
  parts.isAsked = true;
  // The first reading follows the actions.
  if (!scale.reading) await next('live');
  if (!lastWeighing()) await refresh();
  perform(shortcut);
});

// Only `grampad demo` has a pad that is moved in the page.
on('pad', async (state) => {
  if (isKiosk) return;
  parts.pad ??= loadPart('pad.css', () => import('./pad.js')).then((part) => part && part.openPad());
  const pad = await parts.pad;
  if (pad) pad.adopt(state);
  else parts.pad = null;
});

on('open', openMissing);
connect();
install();
/** What is not needed for the first weight, as long as it is not loaded. */
const late = [
  ['chart.css weighing.css', () => import('./peek.js')],
  ['', () => import('./containers.js')],
  ['', () => import('./controls.js')],
];
async function loadLate() {
  for (const part of late.splice(0)) if (!await loadPart(...part)) late.push(part);
}
requestAnimationFrame(() =>
  setTimeout(() => {
    loadLate();
    on('open', loadLate);
  })
);
