// Stopping a dose: one button over every view while the output may be on, and what the dose has given.

import { $, button, element, root, set, toast } from './dom.js';
import { commonObstacle } from './effects.js';
import { reasonOf, send } from './requests.js';
import { exact, fixed, mass, on, scale } from './scale.js';
import { say, texts } from './texts.js';

const PATIENCE = 3000; // ms to wait for the answer to a stop

/** Why a dose has ended, unless it has reached its target and has a result. */
const REASONS = {
  __proto__: null,
  // The output is off, but its load was lifted or did not come to rest.
  reached: texts.pageDoseNoResult,
  stopped: texts.pageDoseByUser,
  pad_lost: texts.stateNoPad,
  pad_suspect: texts.pageDoseSuspect,
  overload: texts.stateOverload,
  no_flow: texts.pageDoseNoFlow,
  too_fast: texts.pageDoseTooFast,
  lifted: texts.pageDoseLifted,
  timeout: texts.pageDoseTimeout,
  target_changed: texts.pageDoseTargetChanged,
  configuration: texts.pageDoseConfiguration,
  shutdown: texts.pageDoseShutdown,
  disconnected: texts.pageDoseDisconnected,
  refused: texts.pageDoseRefused,
};

/** The output of the dose, if its start was heard, and why the last stop was not sent. */
const dosing = { output: '', fault: '' };

const word = element('p', null, { role: 'alert' });
const net = element('b'), progress = element('progress', null, { 'aria-label': texts.pageTarget });
const stopper = button([texts.pageDoseStop, element('small', 'Esc', { 'aria-hidden': true })], ({ detail }) => {
  // A pointer has stopped it already when it was put down.
  if (!detail) stop();
}, { 'aria-keyshortcuts': 'Escape' });
stopper.addEventListener('pointerdown', stop);
const node = element('section', [element('div', [word, net, progress]), stopper], {
  id: 'dosing',
  'aria-label': texts.pageDose,
  hidden: '',
});
document.body.append(node);

/** Stops the dose, as often as it is asked to: a stop is never kept back, and needs no reading that is up to date. */
async function stop() {
  const signal = AbortSignal.timeout(PATIENCE);
  const answer = await send('api/action/dose', {}, stop, { signal, priority: 'high', keepalive: true });
  dosing.fault = answer?.ok ? '' : await reasonOf(answer);
  show();
}

function show() {
  const { dose, target_g: target } = scale.reading?.target ?? {};
  if (dose) place();
  // Not while it is hidden: the event of a start may be heard before the first reading.
  else if (!node.hidden) Object.assign(dosing, { output: '', fault: '' });
  node.hidden = !dose;
  root.toggleAttribute('data-dosing', Boolean(dose));
  if (!dose) return;
  const { net_g: now } = scale.reading, reason = dose === 'running' ? commonObstacle() || dosing.fault : '';
  node.dataset.state = reason ? 'bad' : dose;
  set(
    word,
    reason ? say('pageDoseStopNotSent', { reason }) : dose === 'running' ? titleOf(target) : texts.pageDoseSettling,
  );
  set(net, `${mass(now)} / ${exact(target)}`);
  progress.max = target;
  progress.value = Math.max(0, now ?? 0);
}

const titleOf = (target) =>
  dosing.output
    ? say('pageDoseRunningWith', { mass: exact(target), output: dosing.output })
    : say('pageDoseRunning', { mass: exact(target) });

/** Moves the button into the dialog that makes everything outside of it inert, or out of it. */
function place() {
  const host = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  if (node.parentElement === host) return;
  const hadFocus = node.contains(document.activeElement);
  host.append(node);
  if (hadFocus) stopper.focus();
}

/** A mass at rest, with one decimal more than the display. */
export function fine(g) {
  const { unit } = scale.hello;
  return `${fixed(g / unit.grams, unit.decimals + 1)} ${unit.symbol}`;
}

/** What a dose has given: `17.98 g, 0.02 g under`; empty if it is not known. */
function resultOf({ result_g: result, error_g: error, outlier }) {
  if (result === null) return '';
  const parts = [fine(result)], off = fine(Math.abs(error));
  if (off !== fine(0)) parts.push(say(error < 0 ? 'pageDoseUnder' : 'pageOver', { mass: off }));
  if (outlier) parts.push(texts.pageDoseOutlier);
  return parts.join(', ');
}

on('event', (e, isOld) => {
  if (e.type === 'dose_started') dosing.output = e.output;
  if (e.type !== 'dosed' || isOld) return;
  const { reason } = e, result = resultOf(e);
  if (reason === 'reached' && result) return toast(result);
  const ended = say('pageDoseEnded', { reason: REASONS[reason] ?? reason });
  toast(result ? `${ended} (${result})` : ended, reason !== 'stopped');
});
on('changed', show);
// A dialog opens or closes.
for (const name of ['toggle', 'close']) document.addEventListener(name, show, true);
addEventListener('keydown', ({ key, repeat }) => {
  // Without the token that is asked for, the stop would be refused and ask again.
  if (key === 'Escape' && !repeat && !node.hidden && !$('token').open) stop();
}, true);
show();
