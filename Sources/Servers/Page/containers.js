// The known containers: their tares, and storing and removing them.

import { ask } from './dialogs.js';
import { $, element } from './dom.js';
import { actionButton, grams, onSubmit, perform } from './forms.js';
import { mass, on, scale } from './scale.js';
import { say, texts } from './texts.js';

/** Lists the known containers, each with buttons. Names come from users: they are only ever text. */
function show() {
  const list = $('containers'), hadFocus = list.contains(document.activeElement);
  list.replaceChildren(...scale.containers.map(rowOf));
  if (!scale.containers.length) list.append(element('li', texts.pageNoContainers));
  if (hadFocus) list.focus();
}

function rowOf({ name, tare_g: tare, configured }) {
  const use = actionButton(texts.pageDoTare, () => perform('tare', { container: name }), {
    'aria-label': say('pageTareWith', { name }),
  });
  const remove = actionButton(texts.pageRemove, () => askToRemove(name, tare), {
    'aria-label': say('pageRemoveIt', { name }),
  });
  // Only the configuration removes its containers.
  return element('li', [
    element('span', `${name}, ${mass(tare)}`),
    element('div', configured ? use : [use, ' ', remove]),
  ]);
}

async function askToRemove(name, tare) {
  const hint = say('pageRemoveHint', { mass: mass(tare) });
  if (!await ask(texts.pageAskRemove, name, hint, texts.pageRemove, texts.pageKeep, true)) return;
  perform('container', { name, remove: true }, () => say('pageRemoved', { name }));
}

onSubmit(
  $('container-form'),
  ({ name }) => perform('container', { name }, (r) => say('pageStored', { name, mass: mass(r.gross_g) })),
);
onSubmit($('preset-form'), ({ tare }) => perform('tare', { tare_g: grams(tare) }));
on('containers', show);
on('hello', show);
show();
