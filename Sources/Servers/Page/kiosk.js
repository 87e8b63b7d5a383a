// The kiosk: keeps the screen awake, and dims it at night while nothing happens.

import { $, root } from './dom.js';
import { on, scale } from './scale.js';

const QUIET = 300e3; // ms without a touch, a press or a change of the load until the screen is dimmed
const LOOK = 60e3; // ms between two looks at the clock
const [EVENING, MORNING] = [22, 6]; // h
const CHANGE = 3; // steps of the display that are a change of the load, and not its drift

const kiosk = { lock: null, timer: 0, net: null, state: null };
const dark = matchMedia('(prefers-color-scheme: dark)');

/** Whether it is night: by the clock of the device, or because the device shows dark colours. */
function isNight() {
  const hour = new Date().getHours();
  return dark.matches || hour >= EVENING || hour < MORNING;
}

function dim() {
  if (isNight()) root.dataset.dim = '';
  else kiosk.timer = setTimeout(dim, LOOK);
}

function wake() {
  delete root.dataset.dim;
  clearTimeout(kiosk.timer);
  kiosk.timer = setTimeout(dim, QUIET);
}

/** Keeps the screen awake where the browser can. */
async function stayAwake() {
  if (document.hidden || kiosk.lock || !navigator.wakeLock) return;
  try {
    kiosk.lock = await navigator.wakeLock.request('screen');
    kiosk.lock.addEventListener('release', () => {
      kiosk.lock = null;
    });
  } catch { /* The device decides, for example when its battery is low. */ }
}

on('live', ({ state, net_g: net }) => {
  const { grams, step } = scale.hello.unit;
  // A load that rests may change between two neighbouring values, and an empty pad may settle again and again.
  const isMoved = (net === null) !== (kiosk.net === null) || Math.abs(net - kiosk.net) >= CHANGE * grams * step;
  const isTurned = state !== kiosk.state && ['overload', 'pressing', 'offline'].includes(state);
  kiosk.state = state;
  if (!isMoved && !isTurned) return;
  kiosk.net = net;
  wake();
});
for (const feed of ['gesture', 'event']) on(feed, (_, isOld) => isOld || wake());
on('link', wake);
for (const name of ['pointerdown', 'pointermove', 'keydown']) addEventListener(name, wake);
document.addEventListener('visibilitychange', stayAwake);
addEventListener('pointerdown', stayAwake);
// Words without the list behind them.
$('status').after($('link'));
stayAwake();
wake();
