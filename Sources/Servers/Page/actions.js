// The buttons that act when they are held, and the actions that are asked for.

import { ask, toast } from './dialogs.js';
import { $, announce, element, set } from './dom.js';
import { commonObstacle, isAboutLast, obstacle, outcome, preview, runs } from './effects.js';
import { HoldButton } from './force.js';
import { lastWeighing, nameOf, timeOf, weighingOf } from './records.js';
import { inOwnWords, request, showFailure, titleOf } from './requests.js';
import { isPressedHere, showLocalPress } from './ring.js';
import { exact, mass, on, scale } from './scale.js';
import { chime } from './sound.js';
import { say, texts } from './texts.js';

const HINT = 2500; // ms for which a hint on a button stays

/** The quick actions that are shown, and what ends the listeners of their buttons. */
const quick = { shown: '', armed: new AbortController() };

const seconds = () => `${+(scale.hello.hold_ms / 1000).toFixed(1)} s`;

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
  new HoldButton(button, {
    signal,
    timing: () => scale.hello,
    onProgress: (filled, state) => {
      if (filled === null) {
        showLocalPress(null);
        return allow();
      }
      if (!isPressedHere()) target = isAboutLast(action) ? lastWeighing() : null;
      delete button.dataset.hint;
      showLocalPress(action, state, filled);
      set(second, state === 'confirmed' ? texts.pageRelease : texts.pageKeepHolding);
    },
    onFire: () => act(action, target),
    onShort: () => showHint(button, say('pageHold', { time: seconds() })),
    onRefuse: () => refuse(action, obstacle(action) || texts.pageLoadChanged),
    onAsk: async () => {
      if (runs(action) === 'void') return voidWithQuestion(lastWeighing());
      if (await askFor(action)) act(action);
    },
  });
}

const refuse = (action, reason) => toast(say('pageActionUnavailable', { action: titleOf(action), reason }), true);

/**
 * Asks whether to perform an action; asks again if the load has changed meanwhile, so that no other weight is recorded than the
 * question has named.
 */
async function askFor(action, detail = '') {
  while (true) {
    const reason = obstacle(action);
    if (reason) {
      refuse(action, reason);
      return false;
    }
    const what = outcome(action, scale.reading).trim();
    if (!await ask(`${what}?`, '', detail, titleOf(action), texts.pageCancel)) return false;
    if (what === outcome(action, scale.reading).trim()) return true;
    refuse(action, texts.pageLoadChanged);
  }
}

/** Voids a weighing after a question. */
async function voidWithQuestion(entry, again) {
  if (commonObstacle()) return refuse('void', commonObstacle());
  const { weighing: w, label } = entry, number = w.sequence;
  const detail = `${label ? say('pageQuoted', { text: label }) : texts.pageNoLabel}, ${timeOf(w)}`;
  const isAgreed = await ask(
    say('pageAskVoid', { number }),
    mass(w.net_g),
    detail,
    say('pageVoidNumber', { number }),
    texts.pageKeep,
    true,
  );
  if (isAgreed) act('void', entry, again);
}

async function act(action, target = null, again) {
  const label = action === 'commit' ? $('label').value.trim() : '';
  const parameters = { ...(label && { label }), ...(target && { id: target.weighing.id }) };
  // What was typed meanwhile is for the next weighing.
  if (await request(action, parameters, again) && label && $('label').value.trim() === label) $('label').value = '';
}

/** Performs a quick action after a confirmation, for a shortcut of the installed page. */
export function perform(type) {
  const action = scale.quick.find((q) => q.type === type);
  if (!action) return toast(texts.pageNoQuickAction, true);
  // The load may have changed while a token was asked for.
  const again = async () => {
    if (runs(type) === 'void' && !obstacle(type)) return voidWithQuestion(lastWeighing(), again);
    if (await askFor(type, action.subtitle ?? '')) act(type, null, again);
  };
  again();
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

/** Says what has happened on the scale. */
function report(e) {
  switch (e.type) {
    case 'target_reached':
      toast(say('pageTargetReached', { mass: exact(e.target_g) }));
      chime();
      break;
    case 'tared':
      return toast(say('pageTared', { mass: mass(e.tare_g) }));
    case 'zeroed':
      return toast(texts.pageZeroed);
    case 'tare_cleared':
      return toast(texts.pageTareCleared);
    case 'voided':
    case 'relabelled': {
      const known = weighingOf(e.id ?? e.voids ?? e.amends),
        weighing = known ? nameOf(known.weighing) : texts.pageAWeighing;
      return toast(say(e.type === 'voided' ? 'pageVoidedIt' : 'pageRelabelledIt', { weighing }));
    }
    case 'rejected':
      return showFailure(e.action, e);
    case 'overload':
      return toast(texts.pageOverload, true);
    case 'pad_lost':
      return inOwnWords(e).then((reason) => toast(say('pagePadLost', { reason }), true));
    case 'pad_found':
      return toast(say('pagePadFound', { name: e.name }));
    case 'pad_suspect':
      return toast(e.reason === 'no_signal' ? texts.warningNoSignal : texts.warningPadSuspect, true);
    case 'journal_loss':
      return toast(say('pageJournalLoss', { from: e.from, to: e.to }), true);
    case 'journal_recovered':
      return toast(say('pageJournalRecovered', { number: e.sequence }), true);
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
on('recorded', (w) => {
  const weighing = mass(w.net_g) + (w.label ? ` ${say('pageQuoted', { text: w.label })}` : '');
  toast(say('pageRecorded', { weighing, number: w.sequence }));
});
on('event', (e, isOld) => isOld || report(e));
