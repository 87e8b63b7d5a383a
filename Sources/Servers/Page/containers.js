// The known containers: their tares, and storing and removing them.

import { ask } from './dialogs.js';
import { $, element } from './dom.js';
import { actionButton, grams, input, massField, onSubmit, perform } from './forms.js';
import { mass, on, scale } from './scale.js';
import { say, texts } from './texts.js';

const list = element('ul', null, { id: 'containers', tabindex: '-1', 'aria-label': texts.pageKnownContainers });

/** Lists the known containers, each with buttons. Names come from users: they are only ever text. */
function show() {
  const hadFocus = list.contains(document.activeElement);
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

/** Adds a form with one field. */
function addForm(id, label, attributes, verb, run, hasUnit = false) {
  const field = input(label, { ...attributes, required: '' }, hasUnit);
  $('containers-card').append(
    onSubmit(element('form', [field, element('button', verb)], { id, method: 'dialog' }), run),
  );
}

$('containers-card').append(list);
addForm(
  'container-form',
  texts.pageStoreAs,
  { name: 'name', maxlength: 32, autocomplete: 'off', placeholder: texts.pageContainerName },
  texts.pageStore,
  ({ name }) => perform('container', { name }, (r) => say('pageStored', { name, mass: mass(r.gross_g) })),
);
addForm(
  'preset-form',
  texts.pagePresetTare,
  massField('tare'),
  texts.pageSetTare,
  ({ tare }) => perform('tare', { tare_g: grams(tare) }),
  true,
);
on('containers', show);
on('hello', show);
show();
