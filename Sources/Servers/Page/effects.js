// The effect that an action would have now, and the reason why it is unavailable.

import { typeset } from './live.js';
import { exact, lastWeighing, mass, nameOf, scale, stateOf } from './scale.js';
import { say, texts } from './texts.js';

const TITLES = {
  // A quick action may be named like a member of every object.
  __proto__: null,
  commit: texts.pageCommit,
  pair: texts.actionPair,
  tare: texts.pageDoTare,
  zero: texts.pageZero,
  void: texts.pageVoid,
  clear_tare: texts.pageClearTare,
  timer: texts.pageTimer,
  target: texts.pageTarget,
  count: texts.pageCounting,
  container: texts.pageContainer,
  dose: texts.pageDose,
  history: texts.pageHistory,
  relabel: texts.pageRelabel,
};

const quickOf = (action) => scale.quick.find((q) => q.type === action);

/** The name of an action. */
export const titleOf = (action) => TITLES[action] ?? quickOf(action)?.title ?? action;

/** The action that a quick action runs. */
export const runs = (action) => quickOf(action)?.run ?? action;

/** The parameters of a quick action. */
const infoOf = (action) => quickOf(action)?.user_info ?? {};

/** Whether an action changes the last weighing. */
export const isAboutLast = (action) => ['void', 'relabel'].includes(runs(action));

/** The effect of an action; `preview` is the reading it would use, `subject` the weighing it is about. */
export function outcome(action, preview, subject = lastWeighing()?.weighing) {
  const name = titleOf(action), { tare_g: given = preview?.gross_g, container } = infoOf(action);
  switch (runs(action)) {
    case 'commit':
      return `${name} ${preview ? typeset(preview.printable) : ''}`;
    case 'tare':
      return `${name} ${container ?? (given === undefined ? '' : mass(given))}`;
    case 'clear_tare':
      return scale.reading ? `${name} ${mass(scale.reading.tare_g)}` : name;
    case 'void':
    case 'relabel':
      return subject ? `${name} ${nameOf(subject)}` : name;
    case 'history':
      return preview?.sequence ? nameOf(preview) : name;
    default:
      return name;
  }
}

/** Why no action is available now, in a few words; empty if actions are available. */
export const commonObstacle = () =>
  !scale.isLive ? texts.pageNotConnected : scale.hello.acting === 'closed' ? texts.pageDisabled : '';

/** Why an action is unavailable now. */
export function obstacle(action) {
  if (commonObstacle()) return commonObstacle();
  const run = runs(action), { reading: r, health } = scale, info = infoOf(action), last = lastWeighing();
  if ((run === 'commit' || isAboutLast(action)) && health && health.journal.state !== 'available') {
    return texts.pageJournalUnavailable;
  }
  if (isAboutLast(action)) {
    if (!last) return texts.pageNoWeighingYet;
    return last.isVoided ? say('pageAlreadyVoided', { number: last.weighing.sequence }) : '';
  }
  if (run === 'clear_tare') return r && r.tare_g !== 0 ? '' : texts.pageNoTareSet;
  // What needs no pad.
  if (
    run === 'timer' || run === 'target' || (run === 'container' && info.remove) ||
    (run === 'count' && !('pieces' in info))
  ) return '';
  if (!r) return texts.pageNoReading;
  if (r.state === 'offline') return stateOf(r) === 'uncalibrated' ? texts.stateNotCalibrated : texts.stateNoPad;
  if (r.overload) return texts.stateOverload;
  if (run === 'zero' || (run === 'tare' && ('tare_g' in info || 'container' in info))) return '';
  if (r.state === 'empty' || (r.state === 'pressing' && r.gross_g === 0)) return texts.pageNothingOn;
  const { minimum_g: minimum } = scale.hello;
  if (run === 'commit' && r.state === 'stable' && Math.abs(r.net_g) < minimum) {
    return say('pageBelow', { mass: exact(minimum) });
  }
  return '';
}

/** The value that an available action would use. */
export function preview(action) {
  const r = scale.reading, isSettling = r?.state === 'settling';
  switch (action) {
    case 'commit':
      if (scale.asking?.isOwner) return titleOf('pair');
      return isSettling ? texts.stateSettling : typeset(r.printable);
    case 'tare':
      return isSettling ? texts.stateSettling : mass(r.gross_g);
    case 'clear_tare':
      return mass(r.tare_g);
    case 'zero':
      return '';
    case 'void':
      return nameOf(lastWeighing().weighing);
    default:
      return quickOf(action)?.subtitle ?? '';
  }
}
