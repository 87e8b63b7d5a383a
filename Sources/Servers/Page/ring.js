// The ring: how far a press on the pad or on a button of the page is, and what it would do.

import { $, announce, set } from './dom.js';
import { outcome } from './effects.js';
import { mass, on, scale, stateOf, tell } from './scale.js';
import { say, texts } from './texts.js';

const DONE = 1600; // ms for which a result stays
/** For how long the pad refers to a recalled weighing, in ms. */
export const RECALLED = 10e3;

const IDLE = {
  empty: [texts.pageReady, texts.pagePlaceLoad],
  settling: [texts.pageWait, texts.stateSettling],
  stable: [texts.pageReady, texts.pagePressToCommit],
  overload: [texts.pageOverload, texts.pageReduceLoad],
  pressing: [texts.pageReady, ''],
  offline: [texts.pageNoPad, texts.pageSearching],
  uncalibrated: ['–', texts.pageCalibrateFirst],
};

/**
 * `local` is the action of a button that is pressed; `recall` is the weighing that the pad has recalled last, and until when;
 * `subject` is the one that the present press on the pad is about.
 */
const ring = { local: null, doneUntil: 0, recall: null, subject: undefined, said: '' };

/** Whether a button of the page is pressed. */
export const isPressedHere = () => ring.local !== null;

/** Shows the press of a button; `null` for its end. */
export function showLocalPress(action, state, intention) {
  ring.local = action;
  if (action) showPress(state, intention, action, scale.reading);
  else showIdle();
}

// Fills an arc to a percentage. An empty arc is hidden, because its round cap would still be visible.
function fill(arc, percent) {
  arc.style.strokeDasharray = `${percent} 200`;
  arc.classList.toggle('none', percent < 0.5);
}

const showIdle = () => showPress('idle', 0, '', null);

function wordsFor(state, intention) {
  const isSlide = scale.hello.confirm === 'slide' && !ring.local;
  switch (state) {
    case 'idle':
      if (!scale.isLive) return ['–', texts.pageNotConnected];
      return scale.asking ? [texts.pageReady, texts.pagePressToAllow] : IDLE[stateOf(scale.reading)] ?? ['–', ''];
    case 'updating':
      return [`${Math.round(intention * 100)} %`, ring.local ? texts.pageKeepHolding : texts.pagePressHarder];
    case 'selected':
      return [texts.pageConfirm, isSlide ? texts.pressSlideUp : texts.pageKeepPressing];
    case 'confirmed':
      return ['OK', texts.pageRelease];
    default:
      return [texts.pageNoRoom, texts.pageUseButton]; // unavailable
  }
}

function showPress(state, intention, action, preview) {
  const node = $('ring'), isIdle = state === 'idle';
  const isRecalled = ring.recall?.until > performance.now();
  ring.subject = isIdle || ring.local ? undefined : ring.subject ?? (isRecalled ? ring.recall.weighing : undefined);
  if (isIdle && performance.now() < ring.doneUntil) return;
  if (!isIdle) ring.doneUntil = 0;
  node.dataset.state = $('mini').dataset.state = state;
  const isFull = state === 'selected' || state === 'confirmed';
  for (const id of ['press', 'mini-press']) fill($(id), isFull ? 100 : intention * 100);
  const what = isIdle || !action ? '' : outcome(action, preview, ring.subject).trim();
  const isScrubbing = action === 'history' && preview && state !== 'confirmed' && !isIdle;
  const [word, hint] = isScrubbing ? [`#${preview.sequence}`, texts.pageSlideToOpen] : wordsFor(state, intention);
  showWords(word, state === 'unavailable' ? '' : what, hint);
  const label = isIdle ? `${texts.pageNoPress}. ${word}` : `${what}: ${word}`;
  // The percentage is not announced again and again.
  if (state !== 'updating' || !node.getAttribute('aria-label')?.startsWith(`${what}:`)) {
    node.setAttribute('aria-label', label);
  }
  if (isFull && ring.said !== state) {
    tell('full', state);
    announce(`${what}: ${word}, ${hint}`);
  }
  ring.said = state;
}

function showWords(word, what, hint) {
  set($('ring-word'), word);
  // A Chinese or Japanese character is as wide as 1.7 letters.
  $('ring').style.setProperty('--letters', Math.max([...word].reduce((n, c) => n + (c > '⺀' ? 1.7 : 1), 0), 4));
  set($('ring-what'), what);
  set($('ring-hint'), hint);
}

/** Shows a result for a moment. */
function showDone(word, hint) {
  ring.doneUntil = performance.now() + DONE;
  $('ring').dataset.state = $('mini').dataset.state = 'done';
  fill($('press'), 100);
  showWords(word, '', hint);
  setTimeout(() => performance.now() >= ring.doneUntil && showIdle(), DONE + 50);
}

on('live', (r) => {
  const share = r.overload
    ? 1
    : r.state === 'offline'
    ? 0
    : Math.max(0, Math.min(r.gross_g / scale.hello.capacity_g, 1));
  fill($('load'), share * 100);
  if ($('ring').dataset.state === 'idle') showIdle();
});
on('gesture', (g) => ring.local || showPress(g.state, g.intention, g.action, g.preview));
on('pairing', () => $('ring').dataset.state === 'idle' && showIdle());
on('link', (state) => {
  if (state === 'stale') ring.doneUntil = 0;
  if (state === 'stale' || $('ring').dataset.state === 'idle') showIdle();
});
on('recorded', (w) => showDone(mass(w.net_g), say('pageRecordedAs', { number: w.sequence })));
on('event', (e, isOld) => {
  if (isOld) return;
  if (e.type === 'tared') showDone(mass(e.tare_g), texts.eventTared);
  if (e.type === 'recalled') ring.recall = { weighing: e.weighing, until: performance.now() + RECALLED };
});
