// The page of the scale. It loads the rest after the first weight. `index.html` names each module of the first view: the server finds
// there which texts are in language.js.

import './actions.js';
import { connect } from './connection.js';
import './display.js';
import { insertTexts, isKiosk, root } from './dom.js';
import './health.js';
import { on } from './scale.js';
import { lang } from './texts.js';
import { loadPart, openMissing } from './views.js';

/** The simulated pad, and what shows which device asks to act. */
const parts = { pad: null, pairing: null };

root.lang = lang;
insertTexts(document);
if (isKiosk) {
  root.dataset.kiosk = '';
  loadPart('kiosk.css', () => import('./kiosk.js'));
}

// Only `grampad demo` has a pad that is moved in the page.
on('pad', async (state) => {
  if (isKiosk) return;
  parts.pad ??= loadPart('pad.css', () => import('./pad.js')).then((part) => part && part.openPad());
  const pad = await parts.pad;
  if (pad) pad.adopt(state);
  else parts.pad = null;
});

on('pairing', async (request) => {
  if (request) parts.pairing ??= loadPart('', () => import('./pairing.js'));
  const pairing = await parts.pairing;
  if (pairing) pairing.follow(request);
  else parts.pairing = null;
});

on('open', openMissing);
connect();
/** What is not needed for the first weight, as long as it is not loaded. */
const late = [
  // First: nothing may be between a user and a stop.
  ['', () => import('./dosing.js')],
  ['', () => import('./acting.js')],
  ['chart.css weighing.css', () => import('./peek.js')],
  ['', () => import('./containers.js')],
  ['', () => import('./controls.js')],
  // Last: copying the page would delay the others.
  ['', () => import('./app.js')],
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
