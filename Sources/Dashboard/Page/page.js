import { install, showKiosk, takeShortcut } from './app.js';
import { Chart, widthOf } from './chart.js';
import { effectiveWeighings, fixed, kindOf, showCalibration, showControl, showControls, showHealth, showTotals, showWeighings, timeOf } from './panels.js';
import { HoldButton } from './force.js';
import { Peek } from './peek.js';
import { Tools, clock } from './tools.js';

const $ = id => document.getElementById(id);
const root = document.documentElement;
const set = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const chart = new Chart($('chart'));

let hello = { name: 'Grampad', decimals: 0, hold_ms: 2000, threshold: .97, dwell_ms: 400, heartbeat_ms: 5000, capacity_g: 385, minimum_g: 0, acting: 'open', confirm: 'slide', unit: { symbol: 'g', grams: 1, step: 1, decimals: 0 } };
let reading = null, health = null, entries = [], weighings = [], quick = [], local = null, doneUntil = 0;
// A mass in the unit of the display. Grams are already rounded; other units are rounded to their step. Adding 0 removes the sign of -0.
const inUnit = g => hello.unit.symbol === 'g' ? g : Math.round(g / hello.unit.grams / hello.unit.step) * hello.unit.step + 0;
const mass = g => `${g === null || g === undefined ? '–' : fixed(inUnit(g), hello.unit.decimals)} ${hello.unit.symbol}`;
const spread = g => (g / hello.unit.grams).toFixed(hello.unit.decimals + 1);
// A mass that a user has given, such as a target, which may be finer than the display.
const exact = g => `${+(g / hello.unit.grams).toFixed(hello.unit.decimals + 3)} ${hello.unit.symbol}`;
const typeset = text => text.replace('-', '−');

// ---- The connection to the appliance. It sends a beat every second, so that silence indicates a fault.

const SILENCE = 2200, AGAIN = 6000;
let source = null, heard = 0, begun = 0, wait = 1000, isLive = false, beat = null;

function connect() {
  source?.close();
  const line = source = new EventSource('api/live');
  begun = performance.now();
  let isFirst = true;
  const on = (name, take) => line.addEventListener(name, event => {
    heard = performance.now();
    take(JSON.parse(event.data), isFirst);
    look();
  });
  line.onopen = () => { isFirst = true; wait = 1000; refresh(); };
  line.onerror = () => {
    look();
    // The browser does not reconnect after an HTTP error.
    if (line.readyState === EventSource.CLOSED && line === source) {
      setTimeout(() => { if (line === source) connect(); }, wait);
      wait = Math.min(wait * 2, 10e3);
    }
  };
  on('hello', h => { hello = { ...hello, ...h }; introduce(); });
  on('health', h => { health = h; showHealth(h, hello.acting, isLive); settings?.showHealth(); allow(); });
  on('actions', list => { quick = list.actions; showQuick(); runShortcut(); });
  on('containers', list => tools.showContainers(list.containers));
  on('pad', showPad);
  on('live', showReading);
  on('gesture', g => {
    if (!local) showPress(g.state, g.intention, g.action, g.preview);
    if (g.action === 'history' || g.state === 'idle') peek.follow(g);
  });
  on('control', showControl);
  on('weighing', (w, isOld) => { if (!isOld) recorded(w); });
  on('event', (e, isOld) => { if (!isOld) happened(e); });
  // The first beat follows all earlier events.
  on('beat', b => { isFirst = false; beat = b.age_ms; });
  on('stable', () => {});
}

function look() {
  const silence = performance.now() - heard;
  const isStuck = beat !== null && beat > hello.heartbeat_ms * 2 + 1000;
  const was = root.dataset.link;
  const state = !heard ? (performance.now() > SILENCE ? 'stale' : 'connecting') : silence > SILENCE || isStuck ? 'stale' : 'live';
  if (state !== was) {
    root.dataset.link = state;
    isLive = state === 'live';
    set($('link'), { live: 'Live', stale: 'Stale', connecting: 'Connecting' }[state]);
    $('stale').hidden = state !== 'stale';
    if (health) showHealth(health, hello.acting, isLive);
    if (state === 'stale') { chart.unknownFrom = heard; doneUntil = 0; showPress('idle', 0, '', null); }
    else { if (chart.unknownFrom !== null) load('api/trace').then(replaceTrace); chart.reconnect(performance.now()); if ($('ring').dataset.state === 'idle') showPress('idle', 0, '', null); }
    allow();
  }
  if (state === 'stale') {
    set($('stale'), !heard ? 'The scale does not respond. Retrying…'
      : isStuck ? 'Connected, but the scale is not sending readings.'
      : `No connection for ${Math.round(silence / 1000)} s: the reading below is out of date. Retrying…`);
  }
  // Replace a connection that hangs without an error.
  if (silence > AGAIN && performance.now() - begun > AGAIN && source?.readyState === EventSource.OPEN) connect();
}
setInterval(look, 250);

async function load(path) {
  try {
    const answer = await fetch(path, { cache: 'no-store' });
    return answer.ok ? await answer.json() : null;
  } catch { return null; }
}

async function refresh() {
  const [trace, list, calibration] = await Promise.all(['api/trace', 'api/weighings', 'api/calibration'].map(load));
  replaceTrace(trace);
  if (list) showEntries(list);
  if (calibration) { refresh.calibration = calibration; showCalibration(calibration, reading?.calibration); }
}

function replaceTrace(trace) {
  if (!trace) return;
  const now = performance.now();
  chart.replace(trace.map(([age, v, s]) => ({ t: now - age, v, s })));
  chart.draw();
}

function showEntries(list, newest) {
  entries = list.slice(0, 100);
  weighings = effectiveWeighings(entries);
  const hadFocus = $('weighings').contains(document.activeElement);
  showWeighings(weighings, { mass, spread }, newest);
  peek.refresh();
  $('totals').hidden = entries.length === 0;
  refreshTotals();
  if (hadFocus) document.querySelector('.scroll').focus();
  const now = performance.now();
  chart.weighings = weighings.filter(e => !e.isVoided).toReversed()
    .map(({ weighing: w }) => ({ t: now - Math.max(Date.now() - Date.parse(w.time), 0), v: w.net_g, label: `#${w.sequence}` }))
    .filter(mark => now - mark.t < 300e3);
  chart.draw();
  allow();
}

// The totals cover the whole journal. They are read while they are shown; after many records the server may lag behind.
let pendingTotals = 0;
function refreshTotals(delay = 300) {
  clearTimeout(pendingTotals);
  if (!$('totals').open) return;
  pendingTotals = setTimeout(async () => {
    const totals = await load('api/totals');
    showTotals(totals, mass);
    if (!totals || totals.sequence < (entries[0]?.weighing.sequence ?? 0)) refreshTotals(5000);
  }, delay);
}
$('totals').addEventListener('toggle', () => refreshTotals(0));

// ---- Display.

// Fills an arc to a percentage. An empty arc is hidden, because its round cap would still be visible.
function fill(arc, percent) {
  arc.style.strokeDasharray = `${percent} 200`;
  arc.classList.toggle('none', percent < 0.5);
}

const STATES = { empty: 'Empty', settling: 'Settling', stable: 'Stable', overload: 'Overload', pressing: 'Pressing', offline: 'No pad' };
let told = '';

function introduce() {
  set($('name'), hello.name);
  chart.heartbeat = hello.heartbeat_ms;
  if (chart.unit.symbol !== hello.unit.symbol) {
    chart.unit = hello.unit;
    showEntries(entries);
    tools.showUnit();
  }
  set($('hold-hint'), hello.acting === 'closed'
    ? 'Actions are disabled for this address: set dashboard.token_file.'
    : `Hold a button for ${seconds()}, then release it.`);
  showControls((hello.zones ?? []).map(zone => zone.control).filter(Boolean));
  if (health) showHealth(health, hello.acting, isLive);
  pad?.then(pad => pad.introduce());
  allow();
}

const seconds = () => `${+(hello.hold_ms / 1000).toFixed(1)} s`;

// The width of the digits with their unit, in em of the digits, whose letter spacing is -.035 em.
function ems(digits, unit) {
  const family = getComputedStyle($('weight')).fontFamily;
  return widthOf(digits, `700 100px ${family}`) / 100 - digits.length * .035 + (widthOf(unit, `600 100px ${family}`) / 100 + .5) * .36 + .06;
}

function showReading(r) {
  const hadOrigin = reading?.calibration;
  const isOffline = r.state === 'offline';
  reading = r;
  // The printable text has an ASCII minus sign and ends with the unit; without a pad there is no value.
  const [, number, unit] = /^(.*?)\s*([^\s\d]*)$/.exec(r.printable);
  const digits = r.net_g === null && !r.overload ? '– – –' : typeset(number);
  if ($('digits').textContent !== digits) {
    set($('digits'), digits);
    set($('unit'), unit);
    const most = ems((hello.capacity_g / hello.unit.grams).toFixed(hello.unit.decimals).replace(/\d/g, '8'), unit);
    $('display').style.setProperty('--most', most);
    $('display').style.setProperty('--ems', Math.max(ems(digits, unit), most));
  }
  $('scale').dataset.state = r.state;
  set($('mark-state'), STATES[r.state] ?? r.state);
  $('mark-net').hidden = r.tare_g === 0;
  $('mark-zero').hidden = !r.inside_zero || isOffline;
  set($('gross'), r.overload ? r.printable : r.net_g === null ? '–' : mass(r.gross_g));
  set($('tare'), mass(r.tare_g));
  set($('uncertainty'), r.uncertainty_g === null ? '–' : `± ${spread(r.uncertainty_g)} ${hello.unit.symbol}`);
  showPour(r);
  showInUse(r);
  fill($('load'), r.overload ? 100 : isOffline ? 0 : Math.max(0, Math.min(r.gross_g / hello.capacity_g, 1)) * 100);
  document.title = `${isOffline ? 'No pad' : typeset(r.printable)} – ${hello.name}`;
  chart.add(performance.now(), r.net_g, r.state);
  if ($('ring').dataset.state === 'idle') showPress('idle', 0, '', null);
  if (r.calibration !== hadOrigin && refresh.calibration) showCalibration(refresh.calibration, r.calibration);
  // Screen readers announce settled states, not every change.
  const text = r.state === 'stable' ? `${r.printable}, stable` : r.overload ? 'Overload' : r.state === 'empty' ? 'Empty' : isOffline ? 'No pad' : told;
  if (text !== told) { told = text; set($('announce'), text); }
  allow();
}

const TITLES = {
  commit: 'Commit', tare: 'Tare', zero: 'Zero', void: 'Void', clear_tare: 'Clear tare', timer: 'Timer', target: 'Target',
  count: 'Counting', container: 'Container', history: 'History',
};
const title = action => TITLES[action] ?? quick.find(q => q.type === action)?.title ?? action;
const runs = action => quick.find(q => q.type === action)?.run ?? action;

/** The effect that an action would have now, for the ring; `preview` is the reading it would use. */
function outcome(action, preview) {
  const name = title(action);
  switch (runs(action)) {
    case 'commit': return `${name} ${preview ? typeset(preview.printable) : ''}`;
    case 'tare': return `${name} ${preview ? mass(preview.gross_g) : ''}`;
    case 'clear_tare': return reading ? `${name} ${mass(reading.tare_g)}` : name;
    case 'void': return lastWeighing() ? `${name} ${nameOf(lastWeighing().weighing)}` : name;
    case 'history': return preview?.sequence ? nameOf(preview) : name;
    default: return name;
  }
}

const lastWeighing = () => weighings[0];
const nameOf = w => `#${w.sequence}, ${mass(w.net_g)}`;

const IDLE = { empty: ['Ready', 'place a load'], settling: ['Wait', 'settling'], stable: ['Ready', 'press to commit'], overload: ['Overload', 'reduce the load'], pressing: ['Ready', ''], offline: ['No pad', 'searching'] };

function showPress(state, intention, action, preview) {
  const ring = $('ring');
  if (state === 'idle' && performance.now() < doneUntil) return;
  if (state !== 'idle') doneUntil = 0;
  ring.dataset.state = state;
  const isFull = state === 'selected' || state === 'confirmed';
  fill($('press'), isFull ? 100 : intention * 100);
  const what = state === 'idle' || !action ? '' : outcome(action, preview).trim();
  const isScrubbing = action === 'history' && preview && state !== 'confirmed';
  const [word, hint] = isScrubbing && state !== 'idle' ? [`#${preview.sequence}`, 'slide up to open'] : {
    idle: !isLive ? ['–', 'not connected'] : IDLE[reading?.state] ?? ['–', ''],
    updating: [`${Math.round(intention * 100)} %`, local ? 'keep holding' : 'press harder'],
    selected: ['CONFIRM', hello.confirm === 'slide' && !local ? 'slide up' : 'keep pressing'],
    confirmed: ['OK', 'release'],
    unavailable: ['No room', 'too heavy to press, use a button'],
  }[state];
  showWords(word, state === 'unavailable' ? '' : what, hint);
  const label = state === 'idle' ? `No press in progress. ${word}` : `${what}: ${word}`;
  if (state !== 'updating' || !ring.getAttribute('aria-label').startsWith(`${what}:`)) ring.setAttribute('aria-label', label);
  if (isFull && ring.dataset.said !== state) tools.play(state);
  if (isFull && ring.dataset.said !== state) set($('announce'), `${what}: ${word}, ${hint}`);
  ring.dataset.said = state;
}

function showWords(word, what, hint) {
  set($('ring-word'), word);
  $('ring').style.setProperty('--letters', Math.max(word.length, 4));
  set($('ring-what'), what);
  set($('ring-hint'), hint);
}

function showDone(word, hint) {
  doneUntil = performance.now() + 1600;
  $('ring').dataset.state = 'done';
  fill($('press'), 100);
  showWords(word, '', hint);
  setTimeout(() => { if (performance.now() >= doneUntil) showPress('idle', 0, '', null); }, 1650);
}

// Handles a journal record: a weighing, a void or a relabel. After a void, the feed repeats the newest remaining weighing.
function recorded(w) {
  const known = entries.find(e => e.weighing.id === w.id)?.weighing;
  if (known) { if (known.label !== w.label) refresh(); return; }
  const newest = entries[0]?.weighing.sequence ?? 0;
  if (w.sequence <= newest) return void refresh();
  if (kindOf(w) === 'weighing') {
    showDone(mass(w.net_g), `recorded as #${w.sequence}`);
    toast(`Recorded ${mass(w.net_g)}${w.label ? ` “${w.label}”` : ''} as #${w.sequence}`);
  }
  if (w.sequence > newest + 1) return void refresh();
  const voided = entries.find(e => e.weighing.id === w.voids);
  if (voided) voided.voided_by = w.id;
  showEntries([{ weighing: w, voided_by: null }, ...entries], w.sequence);
}

const REASONS = {
  unstable: 'the load did not settle', overload: 'the load is too heavy', empty: 'the pad is empty',
  below_minimum: 'the load is below the minimum', pad_missing: 'no pad is connected', no_tare: 'no tare is set',
  nothing_to_void: 'there is no weighing to void, or it is already voided', journal_unavailable: 'the journal is unavailable',
  unknown_action: 'unknown action', unknown_weighing: 'unknown weighing',
  unknown_container: 'there is no such container on the scale', bad_payload: 'the value is not possible, for example above the capacity',
  expired: 'the request expired', busy: 'the scale is busy, try again',
};
const failure = (action, reason, detail) => toast(`${title(action)} failed: ${detail ?? REASONS[reason] ?? reason}`, true);

// Target, pieces and container are shown only while they are in use.
function showInUse(r) {
  const show = (id, isInUse, text) => {
    $(id).parentElement.hidden = !isInUse;
    if (isInUse) set($(id), text);
  };
  const t = r.target;
  const check = t && (t.check === null ? '–' : t.check === 'ok' ? 'reached'
    : t.check === 'under' ? `${mass(t.remaining_g)} to go` : `${mass(-t.remaining_g)} over`);
  show('target', t, t && `${exact(t.target_g)}: ${check}`);
  show('pieces', 'pieces' in r, r.pieces_max === 0 ? 'too light to count'
    : r.pieces ?? (r.pieces_uncertainty === null ? '–' : `more than ${r.pieces_max}`));
  show('container', 'container' in r, r.container);
}

// Flow and timer are shown only while something flows or the timer is in use.
function showPour(r) {
  const timer = r.timer_s;
  const isTimed = timer !== undefined;
  $('flow').parentElement.hidden = !r.flow_g_s && !isTimed;
  $('timer').parentElement.hidden = !isTimed;
  set($('flow'), r.flow_g_s == null ? '–' : `${r.flow_g_s.toFixed(1)} g/s`);
  if (isTimed) set($('timer'), clock(timer));
}

function happened(e) {
  switch (e.type) {
    case 'target_reached': toast(`Target of ${exact(e.target_g)} reached`); tools.chime(); break;
    case 'tared': showDone(mass(e.tare_g), 'tared'); toast(`Tared ${mass(e.tare_g)}`); break;
    case 'zeroed': toast('Set to zero'); break;
    case 'tare_cleared': toast('Tare cleared'); break;
    case 'voided': case 'relabelled': {
      const known = weighings.find(w => w.weighing.id === (e.id ?? e.voids ?? e.amends));
      toast(`${e.type === 'voided' ? 'Voided' : 'Relabelled'} ${known ? nameOf(known.weighing) : 'a weighing'}`);
      refresh();
      break;
    }
    case 'recalled': peek.recalled(e.weighing); break;
    case 'rejected': failure(e.action, e.reason, e.detail); break;
    case 'overload': toast('Overload', true); break;
    case 'pad_lost': toast(`Pad lost: ${e.reason}`, true); break;
    case 'pad_found': toast(`Pad found: ${e.name}`); break;
    case 'pad_suspect': toast(`Pad readings are unreliable: ${e.reason ?? 'the pad resets its own zero under load'}`, true); break;
    case 'journal_loss': toast(`The journal lost records #${e.from} to #${e.to}`, true); refresh(); break;
    case 'calibrated': case 'reloaded': refresh(); break;
  }
}

// Only `grampad demo` has a pad that is moved in the page.
let pad = null;
async function showPad(state) {
  if (!pad) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'pad.css' }));
    pad = import('./pad.js').then(({ SimulatedPad }) => new SimulatedPad($('pad-card'), { hello: () => hello, toast, title }));
    $('pad-card').hidden = false;
  }
  (await pad).adopt(state);
}

// The settings are loaded when they are opened.
let settings = null;
$('settings-open').addEventListener('click', async () => {
  if (!settings) document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'settings.css' }));
  const { openSettings } = await import('./settings.js');
  settings = await openSettings({ send, toast, ask, health: () => health });
});

let toasted;
function toast(text, isBad = false) {
  set($('toast'), text);
  $('toast').dataset.show = isBad ? 'bad' : 'good';
  clearTimeout(toasted);
  toasted = setTimeout(() => delete $('toast').dataset.show, isBad ? 6000 : 3500);
}

// ---- Actions.

const holds = () => [...document.querySelectorAll('[data-action]')];

/** Why no action is available now, in a few words; empty if actions are available. */
const commonObstacle = () => !isLive ? 'not connected' : hello.acting === 'closed' ? 'actions are disabled' : '';

/** Why an action is unavailable now. */
function obstacle(action) {
  if (commonObstacle()) return commonObstacle();
  const run = runs(action), r = reading;
  const needsJournal = run === 'commit' || run === 'void';
  if (needsJournal && health && health.journal.state !== 'available') return 'journal unavailable';
  if (run === 'void') return !lastWeighing() ? 'no weighing yet' : lastWeighing().isVoided ? `#${lastWeighing().weighing.sequence} is already voided` : '';
  if (run === 'clear_tare') return r && r.tare_g !== 0 ? '' : 'no tare set';
  if (!r) return 'no reading yet';
  if (r.state === 'offline') return 'no pad';
  if (r.overload) return 'overload';
  if (run === 'zero') return '';
  if (r.state === 'empty' || (r.state === 'pressing' && r.gross_g === 0)) return 'nothing on the pad';
  if (run === 'commit' && r.state === 'stable' && Math.abs(r.net_g) < hello.minimum_g) return `below ${+hello.minimum_g} g`;
  return '';
}

/** The second line of a button: the value it would use. */
function preview(action) {
  switch (action) {
    case 'commit': return reading.state === 'settling' ? 'settling' : typeset(reading.printable);
    case 'tare': return reading.state === 'settling' ? 'settling' : mass(reading.gross_g);
    case 'clear_tare': return mass(reading.tare_g);
    case 'zero': return '';
    case 'void': return nameOf(lastWeighing().weighing);
    default: return quick.find(q => q.type === action)?.subtitle ?? '';
  }
}

function allow() {
  for (const button of holds()) {
    const { action } = button.dataset;
    const reason = obstacle(action);
    button.setAttribute('aria-disabled', reason !== '');
    if (button.dataset.press || button.dataset.hint) continue;
    set(button.querySelector('small'), reason || preview(action));
  }
  tools.allow();
  for (const button of document.querySelectorAll('.acts button')) button.allow();
}

// Shows a hint on a button for 2.5 s.
function hint(button, text) {
  button.dataset.hint = text;
  set(button.querySelector('small'), text);
  set($('announce'), `${button.querySelector('span').textContent}: ${text}`);
  clearTimeout(button.hinting);
  button.hinting = setTimeout(() => { delete button.dataset.hint; allow(); }, 2500);
}

function arm(button) {
  const { action } = button.dataset;
  const [name, second] = button.children;
  name.id = `name-${action}`;
  second.id = `note-${action}`;
  button.setAttribute('aria-labelledby', name.id);
  button.setAttribute('aria-describedby', `${second.id} hold-hint`);
  let target = null; // the weighing shown when the button was pressed
  new HoldButton(button, {
    timing: () => hello,
    onProgress: (filled, state) => {
      if (filled === null) { local = null; showPress('idle', 0, '', null); return allow(); }
      if (!local) target = runs(action) === 'void' ? lastWeighing() : null;
      local = action;
      delete button.dataset.hint;
      showPress(state, filled, action, reading);
      set(second, state === 'confirmed' ? 'release' : 'keep holding');
    },
    onFire: () => act(action, target),
    onShort: () => hint(button, `hold for ${seconds()}`),
    onRefuse: () => toast(`${title(action)} is unavailable: ${obstacle(action) || 'the load has changed'}`, true),
    onAsk: async () => {
      if (runs(action) === 'void') return voidWithQuestion(lastWeighing());
      const what = outcome(action, reading).trim();
      if (await ask(`${what}?`, '', '', title(action), 'Cancel')) act(action);
    },
  });
}

// Asks for confirmation; Enter and Escape cancel.
function ask(question, subject, detail, yes, no, isRisky = false) {
  const dialog = $('ask');
  set($('ask-title'), question);
  $('ask-text').hidden = !subject && !detail;
  const mass = document.createElement('b');
  mass.append(subject);
  $('ask-text').replaceChildren(mass, detail);
  set($('ask-yes'), yes);
  $('ask-yes').className = isRisky ? 'risky' : '';
  set($('ask-no'), no);
  dialog.showModal();
  $('ask-no').focus();
  // Does not use `close`: it fires after the dialog has closed and could belong to the previous question.
  return new Promise(done => {
    dialog.firstElementChild.onsubmit = event => done(event.submitter?.value === 'yes');
    dialog.oncancel = () => done(false);
  });
}

async function voidWithQuestion(entry) {
  if (!isLive || hello.acting === 'closed') return toast(`Void is unavailable: ${obstacle('void')}`, true);
  const { weighing: w, label } = entry;
  const detail = `${label ? `“${label}”, ` : 'no label, '}${timeOf(w)}`;
  if (await ask(`Void weighing #${w.sequence}?`, mass(w.net_g), detail, `Void #${w.sequence}`, 'Keep', true)) act('void', entry);
}

async function act(action, target = null) {
  const takesLabel = action === 'commit';
  const label = takesLabel ? $('label').value.trim() : '';
  const parameters = { ...(label && { label }), ...(target && action === 'void' && { id: target.weighing.id }) };
  if (await request(action, parameters) && takesLabel) $('label').value = '';
}

/** Requests an action; returns its result, or `null` after it has shown why it has none. */
async function request(action, parameters) {
  const body = await send(`api/action/${action}`, parameters);
  if (body?.ok) return body;
  if (!body?.reason.startsWith('token')) failure(action, body?.reason, body ? body.detail : 'no response from the scale');
  return null;
}

/** Sends a request with the token, a POST if it has content; returns the answer, `null` without one. Asks for a missing token. */
async function send(path, content) {
  const headers = { 'Content-Type': 'application/json' };
  const token = localStorage.getItem('grampad-token');
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    const answer = await fetch(path, content ? { method: 'POST', headers, body: JSON.stringify(content) } : { headers, cache: 'no-store' });
    const body = await answer.json();
    if (answer.status === 401) askForToken(body.reason === 'token_wrong');
    if (body.reason === 'closed') { hello.acting = 'closed'; introduce(); }
    return body;
  } catch { return null; }
}

function askForToken(wasWrong) {
  localStorage.removeItem('grampad-token');
  const dialog = $('token');
  $('token-field').value = '';
  if (wasWrong) set($('token-text'), 'The scale rejected this token. Enter the token from dashboard.token_file.');
  dialog.returnValue = 'no';
  dialog.showModal();
  dialog.addEventListener('close', () => {
    const given = $('token-field').value.trim();
    if (dialog.returnValue === 'yes' && given) { localStorage.setItem('grampad-token', given); toast('Token saved. Repeat the action.'); }
    $('token-field').value = '';
  }, { once: true });
}

function showQuick() {
  $('quick').hidden = quick.length === 0;
  $('quick').replaceChildren(...quick.map(q => {
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.action = q.type;
    button.append(document.createElement('span'), document.createElement('small'));
    button.firstChild.append(q.title);
    return button;
  }));
  for (const button of $('quick').children) arm(button);
  allow();
}

// A shortcut of the installed page performs its quick action once, after a confirmation.
let shortcut = takeShortcut();
async function runShortcut() {
  if (shortcut === null) return;
  const type = shortcut;
  shortcut = null;
  const action = quick.find(q => q.type === type);
  if (!action) return toast('The scale has no such quick action any more', true);
  // The first reading follows the actions.
  if (!reading) await new Promise(done => source.addEventListener('live', done, { once: true }));
  if (await ask(`${outcome(type, reading).trim()}?`, '', action.subtitle ?? '', action.title, 'Cancel')) act(type);
}

const peek = new Peek({
  request, voidWithQuestion, load, toast, mass, spread, name: nameOf, obstacle: commonObstacle,
  entries: () => weighings, timing: () => hello, unit: () => hello.unit,
  announce: text => set($('announce'), text),
  repeat: label => {
    if (location.hash.startsWith('#weighing')) location.hash = 'actions';
    $('label').value = label;
    $('label').focus();
    toast(`The next weighing gets the label “${label}”`);
  },
});
const tools = new Tools({ request, obstacle: commonObstacle, ask, toast, mass, exact, unit: () => hello.unit });
for (const button of holds()) arm(button);
chart.enableZoom($('chart-card'));
const spans = document.querySelectorAll('[data-span]');
for (const button of spans) {
  button.addEventListener('click', () => {
    for (const other of spans) other.setAttribute('aria-pressed', other === button);
    chart.span = button.dataset.span * 1000;
    chart.zoomTo(1, 1);
  });
}
setInterval(() => { if (!document.hidden) chart.draw(); }, 500);
setInterval(() => $('chart').setAttribute('aria-label', chart.summary), 10e3);
// A page that is left may be kept for the way back; its stream would occupy one of the browser's connections.
addEventListener('pagehide', () => source?.close());
addEventListener('pageshow', event => { if (event.persisted) connect(); });
document.addEventListener('visibilitychange', () => { if (!document.hidden) { look(); chart.draw(); } });
showKiosk();
install($('install-note'));
allow();
peek.route();
connect();
