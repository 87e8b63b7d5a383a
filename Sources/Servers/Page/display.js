// The number, its state, and the masses below it.

import { $, announce, root, set } from './dom.js';
import { digitsOf, typeset } from './live.js';
import { exact, fixed, mass, on, scale, spread, stateOf } from './scale.js';
import { inOwnWords, say, texts } from './texts.js';

const pen = document.createElement('canvas').getContext('2d');

/** The width of a text in a CSS font. */
export function widthOf(text, font) {
  pen.font = font;
  return pen.measureText(text).width;
}

export const STATES = {
  empty: texts.pageEmpty,
  settling: texts.pageSettling,
  stable: texts.pageStable,
  overload: texts.pageOverload,
  pressing: texts.pagePressing,
  offline: texts.pageNoPad,
  uncalibrated: texts.pageNotCalibrated,
};

/** A time on the timer: `0:27`. */
export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

const display = { told: '', shown: '' };

// The width of the digits with their unit, in em of the digits, whose letter spacing is -.035 em.
function ems(digits, unit) {
  const family = getComputedStyle($('weight')).fontFamily;
  return widthOf(digits, `700 100px ${family}`) / 100 - digits.length * .035 +
    (widthOf(unit, `600 100px ${family}`) / 100 + .5) * .36 + .06;
}

function showDigits(r) {
  const [digits, unit] = digitsOf(r);
  if (display.shown === digits + unit) return;
  display.shown = digits + unit;
  set($('digits'), digits);
  set($('unit'), unit);
  set($('mini-weight'), `${digits} ${unit}`);
  const { capacity_g: capacity, unit: shown } = scale.hello;
  const most = ems((capacity / shown.grams).toFixed(shown.decimals).replace(/\d/g, '8'), unit);
  $('display').style.setProperty('--most', most);
  $('display').style.setProperty('--ems', Math.max(ems(digits, unit), most));
}

function showReading(r) {
  const state = stateOf(r), isOffline = r.state === 'offline';
  showDigits(r);
  $('scale').dataset.state = root.dataset.state = r.state;
  set($('mark-state'), STATES[state] ?? state);
  $('mark-net').hidden = r.tare_g === 0;
  $('mark-zero').hidden = !r.inside_zero || isOffline;
  set($('gross'), r.overload ? r.printable : r.net_g === null ? '–' : mass(r.gross_g));
  set($('tare'), mass(r.tare_g));
  set($('uncertainty'), r.uncertainty_g === null ? '–' : `± ${spread(r.uncertainty_g)} ${scale.hello.unit.symbol}`);
  showInUse(r);
  document.title = `${isOffline ? STATES[state] : typeset(r.printable)} – ${scale.hello.name}`;
  // Screen readers announce settled states, not every change.
  const settled = r.state === 'stable'
    ? `${r.printable}, ${texts.stateStable}`
    : r.overload || r.state === 'empty' || isOffline
    ? STATES[r.overload ? 'overload' : state]
    : display.told;
  if (settled !== display.told) announce(display.told = settled);
}

/** How far the target is. */
export const checkOf = ({ check, remaining_g: remaining }) =>
  check === null
    ? '–'
    : check === 'ok'
    ? texts.pageReached
    : check === 'under'
    ? say('pageToGo', { mass: mass(remaining) })
    : say('pageOver', { mass: mass(-remaining) });

/** The number of pieces of a reading while it counts, in words where it is not known; above the certain number an estimate. */
export const piecesOf = (r) =>
  r.pieces_max === 0
    ? texts.pageTooLight
    : String(r.pieces ?? (r.pieces_uncertainty === null ? '–' : `≈\u00A0${fixed(r.net_g / r.piece_g, 0)}`));

/** A flow, which is unknown while too little is known. */
export const flowOf = (r) => r.flow_g_s === null || r.flow_g_s === undefined ? '–' : `${fixed(r.flow_g_s, 1)} g/s`;

// Flow, timer, target, pieces, container and scanned label are shown only while they are in use.
function showInUse(r) {
  const show = (id, isInUse, text) => {
    $(id).parentElement.hidden = !isInUse;
    if (isInUse) set($(id), text());
  };
  const isTimed = r.timer_s !== undefined;
  show('flow', r.flow_g_s || isTimed, () => flowOf(r));
  show('timer', isTimed, () => clock(r.timer_s));
  show('target', r.target, () => `${exact(r.target.target_g)}: ${checkOf(r.target)}`);
  show('pieces', 'pieces' in r, () => piecesOf(r));
  show('container', 'container' in r, () => r.container);
  show('next', 'label' in r, () => r.label);
}

/** Says once, next to the number, what keeps the scale from weighing. */
async function showFault() {
  const { reading, health } = scale, node = $('fault');
  const isOffline = reading?.state === 'offline' && scale.isLive, warning = scale.isLive && health?.pad.warning;
  const from = isOffline && health && health.pad.state !== 'present'
    ? [health.pad, 'reason']
    : warning
    ? [health.pad, 'advice']
    : null;
  node.hidden = !from;
  if (!from) return;
  const text = await inOwnWords(...from);
  if (!node.hidden) set(node, text);
}

on('hello', (h) => {
  set($('name'), h.name);
  display.shown = '';
  if (scale.reading) showReading(scale.reading);
});
on('live', (r) => {
  showReading(r);
  showFault();
});
on('health', showFault);
on('link', showFault);
