// What the buttons and shortcuts do: requests, questions before them, and messages about what has happened.

import { ask } from './dialogs.js';
import { $, root, toast } from './dom.js';
import { commonObstacle, obstacle, outcome, runs, titleOf } from './effects.js';
import { timeOf, weighingOf } from './records.js';
import { request, showFailure } from './requests.js';
import { exact, lastWeighing, mass, nameOf, on, scale } from './scale.js';
import { callForStop, chime } from './sound.js';
import { inOwnWords, say, texts } from './texts.js';

const FLASH = 1000; // ms

export const refuse = (action, reason = obstacle(action) || texts.pageLoadChanged) =>
  toast(say('pageActionUnavailable', { action: titleOf(action), reason }), true);

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

/** Performs the action of a button that cannot be held, after a question. */
export async function actAfterQuestion(action) {
  if (runs(action) === 'void') return voidAfterQuestion(lastWeighing());
  if (await askFor(action)) act(action);
}

/** Voids a weighing after a question. */
async function voidAfterQuestion(entry, again) {
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

/** Performs an action; `target` is the weighing that it is about. */
export async function act(action, target = null, again) {
  const label = action === 'commit' ? $('label').value.trim() : '';
  const parameters = { ...(label && { label }), ...(target && { id: target.weighing.id }) };
  // What was typed meanwhile is for the next weighing.
  if (await request(action, parameters, again) && label && $('label').value.trim() === label) $('label').value = '';
}

/** Performs a quick action after a confirmation, for a shortcut of the installed page. */
export function performQuick(type) {
  const action = scale.quick.find((q) => q.type === type);
  if (!action) return toast(texts.pageNoQuickAction, true);
  // The load may have changed while a token was asked for.
  const again = async () => {
    if (runs(type) === 'void' && !obstacle(type)) return voidAfterQuestion(lastWeighing(), again);
    if (await askFor(type, action.subtitle ?? '')) act(type, null, again);
  };
  again();
}

/** Says that whatever fills the load has to stop. A dose does it by itself. */
function tellToStop() {
  callForStop();
  root.dataset.flash = '';
  setTimeout(() => delete root.dataset.flash, FLASH);
  if (!scale.reading?.target?.dose) toast(texts.pageStopNow);
}

/** Says what has happened on the scale. */
function report(e) {
  switch (e.type) {
    case 'target_reached':
      toast(say('pageTargetReached', { mass: exact(e.target_g) }));
      chime();
      break;
    case 'target_stop':
      return tellToStop();
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
    case 'scanned':
      return toast(say('pageScanned', { text: e.label ?? e.container ?? e.code }));
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

on('recorded', (w) => {
  const weighing = mass(w.net_g) + (w.label ? ` ${say('pageQuoted', { text: w.label })}` : '');
  toast(say('pageRecorded', { weighing, number: w.sequence }));
});
on('event', (e, isOld) => isOld || report(e));
