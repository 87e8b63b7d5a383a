// The health of the scale in the header: a dot, with words behind it.

import { $, root, set } from './dom.js';
import { on, scale } from './scale.js';
import { inOwnWords, texts } from './texts.js';

/** The parts of the scale, and the states in which they are well. */
const WELL = { pad: 'present', broker: 'connected', journal: 'available' };
const NAMES = { pad: texts.pagePad, broker: texts.pageBroker, journal: texts.pageJournal };
const LINKS = { live: texts.pageLive, stale: texts.pageStale, connecting: texts.pageConnecting };
const SILENCES = { unheard: texts.pageNoAnswer, stuck: texts.pageStuck, silent: texts.pageSilent };

/** Whether each part is well; nothing without a message. */
export const partsOf = (health) =>
  Object.fromEntries(Object.entries(WELL).map(([name, state]) => [name, health[name].state === state]));

function show() {
  const { health, isLive } = scale, parts = health && isLive ? partsOf(health) : null, link = root.dataset.link;
  for (const name of Object.keys(WELL)) {
    const node = $(`part-${name}`), text = node.querySelector('span');
    node.dataset.state = !parts ? 'unknown' : parts[name] ? 'ok' : 'bad';
    if (!parts || parts[name]) set(text, parts ? 'OK' : texts.healthUnknown);
    else inOwnWords(health[name]).then((own) => node.dataset.state === 'bad' && set(text, own));
  }
  const bad = parts ? Object.keys(parts).filter((name) => !parts[name]) : [];
  set($('link'), bad.length ? bad.map((name) => NAMES[name]).join(', ') : LINKS[link]);
  $('status').dataset.state = link !== 'live' ? link : bad.length ? 'bad' : 'ok';
}

on('health', show);
on('link', (state) => {
  root.dataset.link = state;
  $('stale').hidden = state !== 'stale';
  show();
});
on('silence', (kind, silence) => {
  // The seconds are not announced.
  const [sentence, time] = $('stale').children;
  set(sentence, SILENCES[kind]);
  set(time, kind === 'silent' ? `${Math.round(silence / 1000)} s` : '');
});
// A click elsewhere closes the list.
addEventListener('click', (event) => event.target.closest('#status summary') || $('status').removeAttribute('open'));
