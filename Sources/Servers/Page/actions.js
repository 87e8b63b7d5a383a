// The buttons that act when they are held. What they do is loaded after the first weight, see acting.js.

import { $, announce, element, set } from './dom.js';
import { isAboutLast, obstacle, preview } from './effects.js';
import { HoldButton } from './force.js';
import { isPressedHere, showLocalPress } from './ring.js';
import { lastWeighing, on, scale, tell } from './scale.js';
import { say, texts } from './texts.js';
import { loadPart } from './views.js';

const HINT = 2500; // ms for which a hint on a button stays
export const REACTION = 1000; // ms after which a press is meant for the device that asks, as on the scale

/** The quick actions that are shown, and what ends the listeners of their buttons. */
const quick = { shown: '', armed: new AbortController() };

const seconds = () => `${+(scale.hello.hold_ms / 1000).toFixed(1)} s`;

/** The module that performs the actions, once it is loaded. */
const parts = { acting: null };

/** Calls a function of that module. */
async function perform(name, ...values) {
  parts.acting ??= await loadPart('', () => import('./acting.js'));
  parts.acting?.[name](...values);
}

/** Marks the buttons as available or not, each with the reason or the value it would use. */
function allow() {
  for (const button of document.querySelectorAll('[data-action]')) {
    const { action } = button.dataset, reason = obstacle(action);
    button.setAttribute('aria-disabled', reason !== '');
    if (!button.dataset.press && !button.dataset.hint) set(button.querySelector('small'), reason || preview(action));
  }
}

function showHint(button, text) {
  button.dataset.hint = text;
  set(button.querySelector('small'), text);
  announce(`${button.querySelector('span').textContent}: ${text}`);
  clearTimeout(button.hinting);
  button.hinting = setTimeout(() => {
    delete button.dataset.hint;
    allow();
  }, HINT);
}

/** Makes a button act when it is held; `signal` ends that. */
function arm(button, signal) {
  const { action } = button.dataset, [name, second] = button.children;
  name.id = `name-${action}`;
  second.id = `note-${action}`;
  button.setAttribute('aria-labelledby', name.id);
  button.setAttribute('aria-describedby', `${second.id} hold-hint`);
  let target = null; // the weighing shown when the button was pressed
  let asked = null; // the request of a device that the press was begun for
  new HoldButton(button, {
    signal,
    timing: () => scale.hello,
    onProgress: (filled, state) => {
      if (filled === null) {
        showLocalPress(null);
        return allow();
      }
      if (!isPressedHere()) {
        target = isAboutLast(action) ? lastWeighing() : null;
        asked = action === 'commit' && scale.asking?.isOwner && performance.now() - scale.asking.since >= REACTION
          ? scale.asking.id
          : null;
      }
      delete button.dataset.hint;
      showLocalPress(asked ? 'pair' : action, state, filled);
      set(second, state === 'confirmed' ? texts.pageRelease : texts.pageKeepHolding);
    },
    onFire: () => asked ? tell('allow', asked) : perform('act', action, target),
    onShort: () => showHint(button, say('pageHold', { time: seconds() })),
    onRefuse: () => perform('refuse', action),
    onAsk: () => perform('actAfterQuestion', action),
  });
}

function showQuick() {
  const content = JSON.stringify(scale.quick),
    focused = document.activeElement.closest('#quick button')?.dataset.action;
  if (content === quick.shown) return;
  quick.shown = content;
  quick.armed.abort();
  quick.armed = new AbortController();
  $('quick').hidden = scale.quick.length === 0;
  $('quick').replaceChildren(
    ...scale.quick.map(({ type, title }) =>
      element('button', [element('span', title), element('small')], { type: 'button', 'data-action': type })
    ),
  );
  for (const button of $('quick').children) {
    arm(button, quick.armed.signal);
    if (button.dataset.action === focused) button.focus();
  }
}

for (const button of document.querySelectorAll('#buttons [data-action]')) arm(button);
on('actions', showQuick);
on('changed', allow);
on(
  'hello',
  ({ acting }) =>
    set($('hold-hint'), acting === 'closed' ? texts.pageDisabledHere : say('pageHoldFor', { time: seconds() })),
);
