import { Chart } from './chart.js';
import { fixed, showCalibration, showHealth, showWeighings } from './panels.js';
import { HoldButton } from './press.js';

const $ = id => document.getElementById(id);
const root = document.documentElement;
const set = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const chart = new Chart($('chart'));

let hello = { name: 'Grampad', decimals: 0, hold_ms: 2000, heartbeat_ms: 5000, capacity_g: 385, acting: 'open', confirm: 'slide' };
let reading = null, health = null, entries = [], quick = [], local = null, doneUntil = 0;

// ---- The line to the appliance: a beat a second, so that silence means something is wrong.

const SILENCE = 2200, AGAIN = 6000;
let source = null, heard = 0, begun = 0, wait = 1000, isLive = false;

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
    // A server that refuses, or none at all where one was: the browser itself would not try again.
    if (line.readyState === EventSource.CLOSED && line === source) {
      setTimeout(() => { if (line === source) connect(); }, wait);
      wait = Math.min(wait * 2, 10e3);
    }
  };
  on('hello', h => { hello = { ...hello, ...h }; introduce(); });
  on('health', h => { health = h; showHealth(h, hello.acting, isLive); });
  on('actions', list => { quick = list.actions; showQuick(); });
  on('live', showReading);
  on('gesture', g => { if (!local) showPress(g.state, g.intention, g.action, g.preview?.printable); });
  on('weighing', (w, isOld) => { if (!isOld) weighed(w); });
  on('event', (e, isOld) => { if (!isOld) happened(e); });
  // The first beat comes after all that was there before.
  on('beat', b => { isFirst = false; beat = b.age_ms; });
  on('stable', () => {});
}
let beat = null;

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
    else { if (chart.unknownFrom !== null) load('api/trace').then(replaceTrace); chart.unknownFrom = null; }
    allow();
  }
  if (state === 'stale') {
    set($('stale'), !heard ? 'No answer from the scale yet. Trying again…'
      : isStuck ? 'The page is connected, but the scale has sent no reading for a while.'
      : `No signal for ${Math.round(silence / 1000)} s: what is shown is old. Trying again…`);
  }
  // A connection that hangs without an error is given up for a new one.
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
  const [trace, weighings, calibration] = await Promise.all(['api/trace', 'api/weighings', 'api/calibration'].map(load));
  replaceTrace(trace);
  if (weighings) {
    entries = weighings;
    showWeighings(entries, hello.decimals);
    markWeighings();
  }
  if (calibration) { refresh.calibration = calibration; showCalibration(calibration, reading?.calibration); }
}

function replaceTrace(trace) {
  if (!trace) return;
  const now = performance.now();
  chart.replace(trace.map(([age, v, s]) => ({ t: now - age, v, s })));
  chart.draw();
}

function markWeighings() {
  const now = performance.now();
  chart.weighings = [];
  for (const { weighing: w } of entries.toReversed()) {
    const age = Date.now() - Date.parse(w.time);
    if (w.voids === null && age < 300e3) chart.mark(now - Math.max(age, 0), w.net_g, `#${w.sequence}`);
  }
  chart.draw();
}

// ---- What is shown.

// Fills an arc to so many percent; one of none would still show its round end.
function fill(arc, percent) {
  arc.style.strokeDasharray = `${percent} 200`;
  arc.classList.toggle('none', percent < 0.5);
}

const STATES = { empty: 'Empty', settling: 'Settling', stable: 'Stable', overload: 'Overload', pressing: 'Pressing', offline: 'No pad' };
let told = '';

function introduce() {
  set($('name'), hello.name);
  set($('hold-hint'), hello.acting === 'closed'
    ? 'Actions are off on this address: no token is configured (dashboard.token_file).'
    : 'Hold a button until it is full, then let go.');
  if (health) showHealth(health, hello.acting, isLive);
  allow();
}

function showReading(r) {
  const hadOrigin = reading?.calibration;
  reading = r;
  const digits = r.printable.replace(/ g$/, '').replace('-', '−');
  set($('digits'), digits);
  const most = String(hello.capacity_g).length + (hello.decimals && hello.decimals + 1);
  $('display').style.setProperty('--most', most);
  $('display').style.setProperty('--chars', Math.max(digits.length, most));
  $('scale').dataset.state = r.state;
  set($('mark-state'), STATES[r.state] ?? r.state);
  $('mark-net').hidden = $('clear').hidden = r.tare_g === 0;
  $('mark-zero').hidden = !r.inside_zero || r.state === 'offline';
  const d = hello.decimals;
  set($('gross'), r.overload ? `${hello.capacity_g}+ g` : r.net_g === null ? '--' : `${fixed(r.gross_g, d)} g`);
  set($('tare'), `${fixed(r.tare_g, d)} g`);
  set($('uncertainty'), r.uncertainty_g === null ? '± --' : `± ${r.uncertainty_g.toFixed(1)} g`);
  const filled = r.overload ? 100 : Math.max(0, Math.min(r.gross_g / hello.capacity_g, 1)) * 100;
  fill($('load'), filled);
  document.title = `${r.printable} – ${hello.name}`;
  chart.add(performance.now(), r.net_g, r.state);
  if ($('ring').dataset.state === 'idle') showPress('idle', 0, '', null);
  if (r.calibration !== hadOrigin && refresh.calibration) showCalibration(refresh.calibration, r.calibration);
  // A screen reader is told of what stays, not of every step on the way.
  const text = r.state === 'stable' ? `${r.printable}, stable` : r.overload ? 'Overload' : r.state === 'empty' ? 'Empty' : r.state === 'offline' ? 'No pad' : told;
  if (text !== told) { told = text; set($('announce'), text); }
}

const title = action => ({ commit: 'Commit', tare: 'Tare', zero: 'Zero', void: 'Void', clear_tare: 'Clear tare' })[action]
  ?? quick.find(q => q.type === action)?.title ?? action;

const IDLE = { empty: ['Ready', 'put something on'], settling: ['Wait', 'coming to rest'], stable: ['Ready', 'press to confirm'], overload: ['Too much', 'take some off'], pressing: ['Ready', ''], offline: ['No pad', 'looking for it'] };

function showPress(state, intention, action, preview) {
  const ring = $('ring');
  const now = performance.now();
  if (state === 'idle' && now < doneUntil) return;
  if (state !== 'idle') doneUntil = 0;
  ring.dataset.state = state;
  const full = state === 'selected' || state === 'confirmed';
  fill($('press'), full ? 100 : intention * 100);
  const name = title(action);
  const [word, hint] = {
    idle: !isLive ? ['--', 'not connected'] : IDLE[reading?.state] ?? ['', ''],
    updating: [`${Math.round(intention * 100)} %`, `${name}: ${local ? 'hold on' : 'press harder'}`],
    selected: ['CONFIRM', `${name}: ${hello.confirm === 'slide' ? 'slide up' : 'keep on'}`],
    confirmed: ['OK', `let go: ${name.toLowerCase()}${preview && action === 'commit' ? ` ${preview}` : ''}`],
    unavailable: ['No room', 'too heavy to press: use a button'],
  }[state];
  set($('ring-word'), word);
  set($('ring-hint'), hint);
  const label = state === 'idle' ? `Nobody presses. ${word}` : `${name}: ${word}`;
  if (state !== 'updating' || !ring.getAttribute('aria-label').startsWith(`${name}:`)) ring.setAttribute('aria-label', label);
  if (full && ring.dataset.said !== state) set($('announce'), `${name}: ${word}, ${hint}`);
  ring.dataset.said = state;
}

function showDone(word, hint) {
  doneUntil = performance.now() + 1600;
  $('ring').dataset.state = 'done';
  fill($('press'), 100);
  set($('ring-word'), word);
  set($('ring-hint'), hint);
  setTimeout(() => { if (performance.now() >= doneUntil) showPress('idle', 0, '', null); }, 1650);
}

function weighed(w) {
  const newest = entries[0]?.weighing.sequence ?? 0;
  if (w.sequence <= newest) return;
  if (w.sequence > newest + 1) { refresh(); return; }
  entries.unshift({ weighing: w, voided_by: null });
  entries.length = Math.min(entries.length, 100);
  if (w.voids) {
    const struck = entries.find(e => e.weighing.id === w.voids);
    if (struck) struck.voided_by = w.id;
    toast(`Struck ${struck ? `#${struck.weighing.sequence}` : 'the last weighing'}`);
  } else {
    const mass = `${fixed(w.net_g, hello.decimals)} g`;
    showDone(mass, `recorded, #${w.sequence}`);
    toast(`Recorded ${mass}${w.label ? ` “${w.label}”` : ''} as #${w.sequence}`);
  }
  showWeighings(entries, hello.decimals, w.sequence);
  markWeighings();
}

const REASONS = {
  unstable: 'the load did not come to rest', overload: 'there is too much on the pad', empty: 'there is nothing on the pad',
  below_minimum: 'there is too little on the pad', pad_missing: 'there is no pad', no_tare: 'there is no tare',
  nothing_to_void: 'there is no weighing to strike', journal_unavailable: 'the journal takes no record',
  unknown_action: 'the scale does not know it', expired: 'it took too long', busy: 'too many ask at a time',
};
const why = reason => REASONS[reason] ?? reason;

function happened(e) {
  switch (e.type) {
    case 'tared': showDone(`${fixed(e.tare_g, hello.decimals)} g`, 'tared'); toast(`Tared ${fixed(e.tare_g, hello.decimals)} g`); break;
    case 'zeroed': toast('Set to zero'); break;
    case 'tare_cleared': toast('Tare dropped'); break;
    case 'rejected': toast(`${title(e.action)} not done: ${why(e.reason)}`, true); break;
    case 'overload': toast('Overload', true); break;
    case 'pad_lost': toast(`Pad lost: ${e.reason}`, true); break;
    case 'pad_found': toast(`Pad found: ${e.name}`); break;
    case 'calibrated': case 'reloaded': refresh(); break;
  }
}

let toasted;
function toast(text, isBad = false) {
  set($('toast'), text);
  $('toast').dataset.show = isBad ? 'bad' : 'good';
  clearTimeout(toasted);
  toasted = setTimeout(() => delete $('toast').dataset.show, isBad ? 6000 : 3500);
}

// ---- What can be done.

const holds = () => [...document.querySelectorAll('[data-action]')];
const allow = () => { for (const b of holds()) b.disabled = !isLive || hello.acting === 'closed'; };

function arm(button) {
  const action = button.dataset.action;
  const name = button.querySelector('span').firstChild.textContent;
  button.setAttribute('aria-describedby', 'hold-hint');
  new HoldButton(button, {
    time: () => hello.hold_ms,
    onProgress: (filled, isFull) => {
      local = filled === null ? null : action;
      if (filled === null) showPress('idle', 0, '', null);
      else showPress(isFull ? 'confirmed' : 'updating', filled, action, reading?.printable);
      set(button.querySelector('span').firstChild, filled === null ? name : isFull ? 'Let go' : name);
    },
    onFire: () => act(action),
    onAsk: async () => { if (await ask(`${name}?`)) act(action); },
  });
}

function ask(text) {
  const dialog = $('ask');
  set($('ask-text'), text);
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise(done => dialog.addEventListener('close', () => done(dialog.returnValue === 'yes'), { once: true }));
}

async function act(action) {
  const takesLabel = action === 'commit';
  const label = takesLabel ? $('label').value.trim() : '';
  const headers = { 'Content-Type': 'application/json' };
  const token = localStorage.getItem('grampad-token');
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer, body;
  try {
    answer = await fetch(`api/action/${action}`, { method: 'POST', headers, body: JSON.stringify(label ? { label } : {}) });
    body = await answer.json();
  } catch {
    return toast(`${title(action)} not done: no answer from the scale`, true);
  }
  if (answer.status === 401) {
    localStorage.removeItem('grampad-token');
    const dialog = $('token');
    $('token-field').value = '';
    if (body.reason === 'token_wrong') set($('token-text'), 'The token that was given is not that of the scale.');
    dialog.returnValue = 'no';
    dialog.showModal();
    dialog.addEventListener('close', () => {
      const given = $('token-field').value.trim();
      if (dialog.returnValue === 'yes' && given) { localStorage.setItem('grampad-token', given); toast('Kept. Hold the button again.'); }
      $('token-field').value = '';
    }, { once: true });
  } else if (!body.ok) toast(`${title(action)} not done: ${body.detail ?? why(body.reason)}`, true);
  else if (takesLabel) $('label').value = '';
}

function showQuick() {
  $('quick').hidden = quick.length === 0;
  $('quick').replaceChildren(...quick.map(q => {
    const button = document.createElement('button');
    const text = document.createElement('span');
    button.type = 'button';
    button.dataset.action = q.type;
    text.append(q.title);
    if (q.subtitle) { const second = document.createElement('small'); second.append(q.subtitle); text.append(second); }
    button.append(text);
    return button;
  }));
  for (const button of $('quick').children) arm(button);
  allow();
}

for (const button of holds()) arm(button);
for (const button of $('spans').children) {
  button.addEventListener('click', () => {
    for (const other of $('spans').children) other.setAttribute('aria-pressed', other === button);
    chart.span = button.dataset.span * 1000;
    chart.draw();
  });
}
setInterval(() => { if (!document.hidden) chart.draw(); }, 500);
setInterval(() => $('chart').setAttribute('aria-label', chart.summary), 10e3);
document.addEventListener('visibilitychange', () => { if (!document.hidden) { look(); chart.draw(); } });
allow();
connect();
