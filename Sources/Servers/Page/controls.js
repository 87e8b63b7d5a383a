// The controls on the pad: how far each of them is turned, and which one is held.

import { $, element } from './dom.js';
import { on, scale } from './scale.js';
import { texts } from './texts.js';

const meters = new Map(), controls = element('dl', null, { id: 'controls' });
$('controls-card').append(element('h2', texts.pageControls), controls);

/** Builds the list when the names have changed. */
function list() {
  const names = scale.hello.zones.map((zone) => zone.control).filter(Boolean);
  if (names.join('\n') === [...meters.keys()].join('\n')) return;
  meters.clear();
  $('controls-card').hidden = names.length === 0;
  controls.replaceChildren(...names.map((name) => {
    const meter = element('meter', null, { min: 0, max: 1, value: 0, 'aria-label': name }),
      value = element('span', '–');
    const row = element('div', [element('dt', name), element('dd', [meter, value])], { 'data-name': name });
    meters.set(name, { meter, value, row });
    return row;
  }));
}

on('hello', list);
on('control', ({ name, state, value }) => {
  // A control that another one follows has ended.
  for (const { row } of meters.values()) row.classList.remove('held');
  const known = meters.get(name);
  if (!known) return;
  known.meter.value = value;
  known.value.textContent = `${Math.round(value * 100)} %`;
  known.row.classList.toggle('held', state === 'began' || state === 'changed');
});
list();
