import { install, showKiosk, takeShortcut } from './app.js';
import { Chart, widthOf } from './chart.js';
import { TITLES, effectiveWeighings, fixed, inOwnWords, kindOf, set, showCalibration, showControl, showControls, showHealth, showTotals, showWeighings, timeOf } from './panels.js';
import { HoldButton } from './force.js';
import { FEEDS, digitsOf, openStream, typeset } from './live.js';
import { Peek, RECALLED } from './peek.js';
import { Tools, clock } from './tools.js';

const $ = id => document.getElementById(id);
const root = document.documentElement;
const chart = new Chart($('chart'));

let hello = { name: 'Grampad', decimals: 0, hold_ms: 2000, threshold: .97, dwell_ms: 400, heartbeat_ms: 5000, capacity_g: 385, minimum_g: 0, acting: 'open', confirm: 'slide', unit: { symbol: 'g', grams: 1, step: 1, decimals: 0 } };
let reading = null, health = null, entries = [], weighings = [], quick = [], local = null, doneUntil = 0;
// A mass in the unit of the display. Grams are already rounded; other units are rounded to their step. Adding 0 removes the sign of -0.
const inUnit = g => hello.unit.symbol === 'g' ? g : Math.round(g / hello.unit.grams / hello.unit.step) * hello.unit.step + 0;
const mass = g => `${g === null || g === undefined ? '–' : fixed(inUnit(g), hello.unit.decimals)} ${hello.unit.symbol}`;
const spread = g => (g / hello.unit.grams).toFixed(hello.unit.decimals + 1);
// A mass that a user has given, such as a target, which may be finer than the display.
const exact = g => `${+(g / hello.unit.grams).toFixed(hello.unit.decimals + 3)} ${hello.unit.symbol}`;

// ---- The connection to the appliance. It sends a beat every second, so that silence indicates a fault.

const SILENCE = 2200, AGAIN = 6000;
let source = null, heard = 0, begun = 0, wait = 1000, isLive = false, beat = null;

function connect() {
  source?.close();
  openStream(line => {
    source = line;
    begun = performance.now();
    let isFirst = true;
    for (const name of FEEDS) {
      line.addEventListener(name, event => {
        heard = performance.now();
        // The first beat follows all earlier events.
        if (name === 'beat') isFirst = false;
        take[name](JSON.parse(event.data), isFirst);
        look();
      });
    }
    line.onopen = () => { isFirst = true; wait = 1000; refresh(); openMissing(); };
    line.onerror = () => {
      look();
      // The browser does not reconnect after an HTTP error.
      if (line.readyState === EventSource.CLOSED && line === source) {
        setTimeout(() => { if (line === source) connect(); }, wait);
        wait = Math.min(wait * 2, 10e3);
      }
    };
  });
}

// What to do with an event; `isOld` if it happened before the stream was opened.
const take = {
  hello: h => { hello = { ...hello, ...h }; introduce(); },
  health: h => { health = h; showHealth(h, hello.acting, isLive); settings?.showHealth(); allow(); },
  actions: list => { quick = list.actions; showQuick(); runShortcut(); },
  containers: list => tools.showContainers(list.containers),
  pad: showPad,
  live: (r, isOld) => { if (!isOld) compareClocks(r.time); showReading(r); },
  stable: () => {},
  gesture: g => {
    if (!local) showPress(g.state, g.intention, g.action, g.preview);
    if (g.action === 'history' || g.state === 'idle') peek.follow(g);
  },
  control: showControl,
  weighing: (w, isOld) => { if (!isOld) recorded(w); },
  event: (e, isOld) => { if (!isOld) happened(e); },
  beat: b => { beat = b.age_ms; },
};

function look() {
  const silence = performance.now() - heard;
  const isStuck = beat !== null && beat > hello.heartbeat_ms * 2 + 1000;
  const was = root.dataset.link;
  const state = !heard ? (performance.now() > SILENCE ? 'stale' : 'connecting') : silence > SILENCE || isStuck ? 'stale' : 'live';
  if (state !== was) {
    root.dataset.link = state;
    isLive = state === 'live';
    set($('link'), { live: '«pageLive»', stale: '«pageStale»', connecting: '«pageConnecting»' }[state]);
    $('stale').hidden = state !== 'stale';
    if (health) showHealth(health, hello.acting, isLive);
    if (state === 'stale') { chart.unknownFrom = heard; doneUntil = 0; showPress('idle', 0, '', null); }
    else { if (chart.unknownFrom !== null) load('api/trace').then(replaceTrace); chart.reconnect(performance.now()); if ($('ring').dataset.state === 'idle') showPress('idle', 0, '', null); }
    allow();
  }
  if (state === 'stale') {
    // The seconds are not announced.
    const [sentence, time] = $('stale').children;
    set(sentence, !heard ? '«pageNoAnswer»' : isStuck ? '«pageStuck»' : '«pageSilent»');
    set(time, heard && !isStuck ? `${Math.round(silence / 1000)} s` : '');
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

// Counts what was asked for and what has happened: an answer that is older than what is shown is not shown.
let asked = 0, current = 0;

async function refresh() {
  const turn = ++asked;
  const [trace, list, calibration] = await Promise.all(['api/trace', 'api/weighings', 'api/calibration'].map(load));
  if (turn < current) return;
  current = turn;
  replaceTrace(trace);
  if (list) showEntries(list);
  if (calibration) { refresh.calibration = calibration; showCalibration(calibration, originOf(reading)); }
}

function replaceTrace(trace) {
  if (!trace) return;
  const now = performance.now();
  chart.replace(trace.map(([age, v, s]) => ({ t: now - age, v, s })));
  chart.draw();
  hours?.reload();
}

function showEntries(list, newest) {
  entries = list.slice(0, 100);
  weighings = effectiveWeighings(entries);
  const focused = document.activeElement, row = focused.closest('#weighings tr')?.dataset.id;
  showWeighings(weighings, { mass, spread }, newest);
  peek.refresh();
  archive?.then(view => view?.refresh());
  $('totals').hidden = entries.length === 0;
  refreshTotals();
  // The rows are new; what had the focus has it again, if it is still there.
  if (row) (document.querySelector(`#weighings [data-id="${row}"] ${focused.matches('a') ? 'a' : '[data-more]'}`) ?? document.querySelector('.scroll')).focus({ preventScroll: true });
  showMarks();
  allow();
}

// How far the clock of the appliance is ahead of the reader's, in ms.
let skew = 0;

function showMarks() {
  const now = performance.now();
  chart.weighings = weighings.filter(e => !e.isVoided).toReversed()
    .map(({ weighing: w }) => ({ t: now - Math.max(Date.now() + skew - Date.parse(w.time), 0), v: w.net_g, label: `#${w.sequence}` }))
    .filter(mark => now - mark.t < 864e5);
  shownChart().draw();
}

// A reading that has just been made tells the time of the appliance.
function compareClocks(time) {
  const found = Date.parse(time) - Date.now();
  if (!(Math.abs(found - skew) > 1000)) return;
  skew = found;
  showMarks();
}

// The totals cover the whole journal. They are read while they are shown; after many records the server may lag behind.
let pendingTotals = 0;
function refreshTotals(delay = 300) {
  clearTimeout(pendingTotals);
  if (!$('totals').open) return;
  pendingTotals = setTimeout(async () => {
    const totals = await load('api/totals');
    showTotals(totals, mass);
    if (!totals || totals.next || totals.sequence < (entries[0]?.weighing.sequence ?? 0)) refreshTotals(totals?.next ? 0 : 5000);
  }, delay);
}
$('totals').addEventListener('toggle', () => refreshTotals(0));

// ---- Display.

// Fills an arc to a percentage. An empty arc is hidden, because its round cap would still be visible.
function fill(arc, percent) {
  arc.style.strokeDasharray = `${percent} 200`;
  arc.classList.toggle('none', percent < 0.5);
}

const STATES = { empty: '«pageEmpty»', settling: '«pageSettling»', stable: '«pageStable»', overload: '«pageOverload»', pressing: '«pagePressing»', offline: '«pageNoPad»', uncalibrated: '«pageNotCalibrated»' };
// An offline scale with a calibration has a load cell that was not calibrated.
const stateOf = r => r?.state === 'offline' && r.calibration === 'nominal' ? 'uncalibrated' : r?.state;
const originOf = r => stateOf(r) === 'uncalibrated' ? 'none' : r?.calibration;
let told = '', shown = '';

function introduce() {
  set($('name'), hello.name);
  chart.heartbeat = hello.heartbeat_ms;
  if (chart.unit.symbol !== hello.unit.symbol) {
    chart.unit = hello.unit;
    showEntries(entries);
    tools.showUnit();
  }
  set($('hold-hint'), hello.acting === 'closed'
    ? '«pageDisabledHere»'
    : `«pageHoldFor time=${seconds()}»`);
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
  const hadOrigin = originOf(reading), state = stateOf(r);
  const isOffline = r.state === 'offline';
  reading = r;
  const [digits, unit] = digitsOf(r);
  if (shown !== digits + unit) {
    shown = digits + unit;
    set($('digits'), digits);
    set($('unit'), unit);
    const most = ems((hello.capacity_g / hello.unit.grams).toFixed(hello.unit.decimals).replace(/\d/g, '8'), unit);
    $('display').style.setProperty('--most', most);
    $('display').style.setProperty('--ems', Math.max(ems(digits, unit), most));
  }
  $('scale').dataset.state = r.state;
  set($('mark-state'), STATES[state] ?? state);
  $('mark-net').hidden = r.tare_g === 0;
  $('mark-zero').hidden = !r.inside_zero || isOffline;
  set($('gross'), r.overload ? r.printable : r.net_g === null ? '–' : mass(r.gross_g));
  set($('tare'), mass(r.tare_g));
  set($('uncertainty'), r.uncertainty_g === null ? '–' : `± ${spread(r.uncertainty_g)} ${hello.unit.symbol}`);
  showPour(r);
  showInUse(r);
  fill($('load'), r.overload ? 100 : isOffline ? 0 : Math.max(0, Math.min(r.gross_g / hello.capacity_g, 1)) * 100);
  document.title = `${isOffline ? STATES[state] : typeset(r.printable)} – ${hello.name}`;
  chart.add(performance.now(), r.net_g, r.state);
  hours?.add(performance.now(), r.net_g, r.state);
  if ($('ring').dataset.state === 'idle') showPress('idle', 0, '', null);
  if (originOf(r) !== hadOrigin && refresh.calibration) showCalibration(refresh.calibration, originOf(r));
  // Screen readers announce settled states, not every change.
  const text = r.state === 'stable' ? `${r.printable}, «stateStable»` : r.overload || r.state === 'empty' || isOffline ? STATES[r.overload ? 'overload' : state] : told;
  if (text !== told) { told = text; set($('announce'), text); }
  allow();
}

const title = action => TITLES[action] ?? quick.find(q => q.type === action)?.title ?? action;
const runs = action => quick.find(q => q.type === action)?.run ?? action;
// The parameters of a quick action.
const infoOf = action => quick.find(q => q.type === action)?.user_info ?? {};
// Whether an action changes the last weighing.
const isAboutLast = action => ['void', 'relabel'].includes(runs(action));

/** The effect that an action would have now, for the ring; `preview` is the reading it would use, `subject` the weighing it is about. */
function outcome(action, preview, subject = lastWeighing()?.weighing) {
  const name = title(action), { tare_g: given = preview?.gross_g, container } = infoOf(action);
  switch (runs(action)) {
    case 'commit': return `${name} ${preview ? typeset(preview.printable) : ''}`;
    case 'tare': return `${name} ${container ?? (given === undefined ? '' : mass(given))}`;
    case 'clear_tare': return reading ? `${name} ${mass(reading.tare_g)}` : name;
    case 'void': case 'relabel': return subject ? `${name} ${nameOf(subject)}` : name;
    case 'history': return preview?.sequence ? nameOf(preview) : name;
    default: return name;
  }
}

const lastWeighing = () => weighings[0];
const nameOf = w => `#${w.sequence}, ${mass(w.net_g)}`;

const IDLE = { empty: ['«pageReady»', '«pagePlaceLoad»'], settling: ['«pageWait»', '«stateSettling»'], stable: ['«pageReady»', '«pagePressToCommit»'], overload: ['«pageOverload»', '«pageReduceLoad»'], pressing: ['«pageReady»', ''], offline: ['«pageNoPad»', '«pageSearching»'], uncalibrated: ['–', '«pageCalibrateFirst»'] };

// The weighing that the pad has recalled last, and until when; and the one that the present press on the pad is about.
let recall = null, subject;

function showPress(state, intention, action, preview) {
  const ring = $('ring');
  subject = state === 'idle' || local ? undefined : subject ?? (recall?.until > performance.now() ? recall.weighing : undefined);
  if (state === 'idle' && performance.now() < doneUntil) return;
  if (state !== 'idle') doneUntil = 0;
  ring.dataset.state = state;
  const isFull = state === 'selected' || state === 'confirmed';
  fill($('press'), isFull ? 100 : intention * 100);
  const what = state === 'idle' || !action ? '' : outcome(action, preview, subject).trim();
  const isScrubbing = action === 'history' && preview && state !== 'confirmed';
  const [word, hint] = isScrubbing && state !== 'idle' ? [`#${preview.sequence}`, '«pageSlideToOpen»'] : {
    idle: !isLive ? ['–', '«pageNotConnected»'] : IDLE[stateOf(reading)] ?? ['–', ''],
    updating: [`${Math.round(intention * 100)} %`, local ? '«pageKeepHolding»' : '«pagePressHarder»'],
    selected: ['«pageConfirm»', hello.confirm === 'slide' && !local ? '«pressSlideUp»' : '«pageKeepPressing»'],
    confirmed: ['OK', '«pageRelease»'],
    unavailable: ['«pageNoRoom»', '«pageUseButton»'],
  }[state];
  showWords(word, state === 'unavailable' ? '' : what, hint);
  const label = state === 'idle' ? `«pageNoPress». ${word}` : `${what}: ${word}`;
  if (state !== 'updating' || !ring.getAttribute('aria-label').startsWith(`${what}:`)) ring.setAttribute('aria-label', label);
  if (isFull && ring.dataset.said !== state) tools.play(state);
  if (isFull && ring.dataset.said !== state) set($('announce'), `${what}: ${word}, ${hint}`);
  ring.dataset.said = state;
}

function showWords(word, what, hint) {
  set($('ring-word'), word);
  // A Chinese or Japanese character is as wide as 1.7 letters.
  $('ring').style.setProperty('--letters', Math.max([...word].reduce((n, c) => n + (c > '⺀' ? 1.7 : 1), 0), 4));
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
    showDone(mass(w.net_g), `«pageRecordedAs number=${w.sequence}»`);
    toast(`«pageRecorded weighing=${mass(w.net_g) + (w.label ? ` «pageQuoted text=${w.label}»` : '')} number=${w.sequence}»`);
  }
  if (w.sequence > newest + 1) return void refresh();
  const voided = entries.find(e => e.weighing.id === w.voids);
  if (voided) voided.voided_by = w.id;
  const isWaiting = asked > current;
  current = ++asked;
  showEntries([{ weighing: w, voided_by: null }, ...entries], w.sequence);
  if (isWaiting) refresh();
}

async function failure(action, answer) {
  toast(`«pageFailed action=${title(action)} reason=${answer ? await inOwnWords(answer, 'detail') : '«pageNoResponse»'}»`, true);
}

// Target, pieces and container are shown only while they are in use.
function showInUse(r) {
  const show = (id, isInUse, text) => {
    $(id).parentElement.hidden = !isInUse;
    if (isInUse) set($(id), text);
  };
  const t = r.target;
  const check = t && (t.check === null ? '–' : t.check === 'ok' ? '«pageReached»'
    : t.check === 'under' ? `«pageToGo mass=${mass(t.remaining_g)}»` : `«pageOver mass=${mass(-t.remaining_g)}»`);
  show('target', t, t && `${exact(t.target_g)}: ${check}`);
  show('pieces', 'pieces' in r, r.pieces_max === 0 ? '«pageTooLight»'
    : r.pieces ?? (r.pieces_uncertainty === null ? '–' : `«pageMoreThan number=${r.pieces_max}»`));
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
    case 'target_reached': toast(`«pageTargetReached mass=${exact(e.target_g)}»`); tools.chime(); break;
    case 'tared': showDone(mass(e.tare_g), '«eventTared»'); toast(`«pageTared mass=${mass(e.tare_g)}»`); break;
    case 'zeroed': toast('«pageZeroed»'); break;
    case 'tare_cleared': toast('«pageTareCleared»'); break;
    case 'voided': case 'relabelled': {
      const known = weighings.find(w => w.weighing.id === (e.id ?? e.voids ?? e.amends)), name = known ? nameOf(known.weighing) : '«pageAWeighing»';
      toast(e.type === 'voided' ? `«pageVoidedIt weighing=${name}»` : `«pageRelabelledIt weighing=${name}»`);
      refresh();
      break;
    }
    case 'recalled': recall = { weighing: e.weighing, until: performance.now() + RECALLED }; peek.recalled(e.weighing); break;
    case 'rejected': failure(e.action, e); break;
    case 'overload': toast('«pageOverload»', true); break;
    case 'pad_lost': inOwnWords(e).then(reason => toast(`«pagePadLost reason=${reason}»`, true)); break;
    case 'pad_found': toast(`«pagePadFound name=${e.name}»`); break;
    case 'pad_suspect': toast(e.reason === 'no_signal' ? '«warningNoSignal»' : '«warningPadSuspect»', true); break;
    case 'journal_loss': toast(`«pageJournalLoss from=${e.from} to=${e.to}»`, true); refresh(); break;
    case 'journal_recovered': toast(`«pageJournalRecovered number=${e.sequence}»`, true); refresh(); break;
    case 'calibrated': case 'reloaded': refresh(); break;
  }
}

// ---- Parts of the page that are loaded when they are needed.

/** Loads a part and its style sheet; `null` after it has said that this failed. The next attempt begins again. */
async function openPart(style, load) {
  try { return (await Promise.all([load(), style && wear(style)]))[0]; } catch { toast('«pageNotLoaded»', true); return null; }
}

/** Adds a style sheet, unless it is there; waits until it is loaded. */
const wear = href => document.querySelector(`link[href="${href}"]`) ? null : new Promise((done, fail) => {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload: done, onerror: () => { link.remove(); fail(); } });
  document.head.append(link);
});

/** Opens what could not be loaded while the scale was away. */
function openMissing() {
  if (!archive) showHistory();
  if (!calibrating) routeCalibration();
}

// Only `grampad demo` has a pad that is moved in the page.
let pad = null;
const isDemo = () => pad !== null;
async function showPad(state) {
  pad ??= openPart('pad.css', () => import('./pad.js')).then(part => part && new part.SimulatedPad($('pad-card'), { hello: () => hello, toast, title }));
  const shown = await pad;
  if (!shown) { pad = null; return; }
  $('pad-card').hidden = false;
  shown.adopt(state);
}

// Ranges of hours have a chart of their own, which is loaded when one is chosen.
let hours = null;
const shownChart = () => chart.box.hidden ? hours : chart;
async function chooseRange(button) {
  const { range, span } = button.dataset;
  for (const other of spans) other.setAttribute('aria-pressed', other === button);
  if (range) {
    const part = await openPart('', () => import('./ranges.js'));
    if (!part) return chooseRange(document.querySelector('[data-span="300"]'));
    hours = part.openRanges({ chart, load });
  }
  if (button.ariaPressed !== 'true') return;
  chart.box.hidden = Boolean(range);
  if (hours) hours.box.hidden = !range;
  if (range) return hours.choose(range, span * 1000);
  chart.span = span * 1000;
  chart.zoomTo(1, 1);
}

// The history is loaded when it is opened.
let archive = null;
async function showHistory() {
  if (location.hash === '#history') archive ??= openPart('history.css', () => import('./history.js')).then(part => part?.openHistory({ mass }));
  const view = await archive;
  if (view) view.route(); else archive = null;
}

// The settings are loaded when they are opened.
let settings = null;
$('settings-open').addEventListener('click', async () => {
  const part = await openPart('settings.css', () => import('./settings.js'));
  if (part) settings = await part.openSettings({ send, toast, ask, isDemo, health: () => health });
});

// The calibration is loaded when its address is opened.
let calibrating = null;
async function routeCalibration() {
  const isOpen = location.hash === '#calibrate';
  if (!isOpen && !calibrating) return;
  calibrating ??= openPart('calibration.css', () => import('./calibration.js'));
  const part = await calibrating;
  if (!part) { calibrating = null; return; }
  part.showCalibrationView({ send, load, toast, ask, isDemo }, isOpen);
}
addEventListener('hashchange', routeCalibration);

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
const commonObstacle = () => !isLive ? '«pageNotConnected»' : hello.acting === 'closed' ? '«pageDisabled»' : '';

/** Why an action is unavailable now. */
function obstacle(action) {
  if (commonObstacle()) return commonObstacle();
  const run = runs(action), r = reading, info = infoOf(action);
  if ((run === 'commit' || isAboutLast(action)) && health && health.journal.state !== 'available') return '«pageJournalUnavailable»';
  if (isAboutLast(action)) return !lastWeighing() ? '«pageNoWeighingYet»' : lastWeighing().isVoided ? `«pageAlreadyVoided number=${lastWeighing().weighing.sequence}»` : '';
  if (run === 'clear_tare') return r && r.tare_g !== 0 ? '' : '«pageNoTareSet»';
  // What needs no pad.
  if (run === 'timer' || run === 'target' || (run === 'container' && info.remove) || (run === 'count' && !('pieces' in info))) return '';
  if (!r) return '«pageNoReading»';
  if (r.state === 'offline') return stateOf(r) === 'uncalibrated' ? '«stateNotCalibrated»' : '«stateNoPad»';
  if (r.overload) return '«stateOverload»';
  if (run === 'zero' || (run === 'tare' && ('tare_g' in info || 'container' in info))) return '';
  if (r.state === 'empty' || (r.state === 'pressing' && r.gross_g === 0)) return '«pageNothingOn»';
  if (run === 'commit' && r.state === 'stable' && Math.abs(r.net_g) < hello.minimum_g) return `«pageBelow mass=${exact(hello.minimum_g)}»`;
  return '';
}

/** The second line of a button: the value it would use. */
function preview(action) {
  switch (action) {
    case 'commit': return reading.state === 'settling' ? '«stateSettling»' : typeset(reading.printable);
    case 'tare': return reading.state === 'settling' ? '«stateSettling»' : mass(reading.gross_g);
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

function arm(button, signal) {
  const { action } = button.dataset;
  const [name, second] = button.children;
  name.id = `name-${action}`;
  second.id = `note-${action}`;
  button.setAttribute('aria-labelledby', name.id);
  button.setAttribute('aria-describedby', `${second.id} hold-hint`);
  let target = null; // the weighing shown when the button was pressed
  new HoldButton(button, {
    signal,
    timing: () => hello,
    onProgress: (filled, state) => {
      if (filled === null) { local = null; showPress('idle', 0, '', null); return allow(); }
      if (!local) target = isAboutLast(action) ? lastWeighing() : null;
      local = action;
      delete button.dataset.hint;
      showPress(state, filled, action, reading);
      set(second, state === 'confirmed' ? '«pageRelease»' : '«pageKeepHolding»');
    },
    onFire: () => act(action, target),
    onShort: () => hint(button, `«pageHold time=${seconds()}»`),
    onRefuse: () => refuse(action, obstacle(action) || '«pageLoadChanged»'),
    onAsk: async () => {
      if (runs(action) === 'void') return voidWithQuestion(lastWeighing());
      if (await askFor(action)) act(action);
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
    // Closed before the answer is used: what was focused before has the focus again.
    const end = (event, isAgreed) => { event.preventDefault(); dialog.close(); done(isAgreed); };
    dialog.firstElementChild.onsubmit = event => end(event, event.submitter?.value === 'yes');
    dialog.oncancel = event => end(event, false);
    // A browser may close two dialogs with one Escape, or one that was cancelled twice.
    dialog.onkeydown = event => { if (event.key === 'Escape') end(event, false); };
  });
}

const refuse = (action, reason) => toast(`«pageActionUnavailable action=${title(action)} reason=${reason}»`, true);

/** Asks whether to perform an action; asks again if the load has changed meanwhile, so that no other weight is recorded than the question has named. */
async function askFor(action, detail = '') {
  while (true) {
    const reason = obstacle(action);
    if (reason) { refuse(action, reason); return false; }
    const what = outcome(action, reading).trim();
    if (!await ask(`${what}?`, '', detail, title(action), '«pageCancel»')) return false;
    if (what === outcome(action, reading).trim()) return true;
    refuse(action, '«pageLoadChanged»');
  }
}

async function voidWithQuestion(entry, again) {
  if (commonObstacle()) return refuse('void', commonObstacle());
  const { weighing: w, label } = entry;
  const detail = `${label ? `«pageQuoted text=${label}»` : '«pageNoLabel»'}, ${timeOf(w)}`;
  if (await ask(`«pageAskVoid number=${w.sequence}»`, mass(w.net_g), detail, `«pageVoidNumber number=${w.sequence}»`, '«pageKeep»', true)) act('void', entry, again);
}

async function act(action, target = null, again) {
  const takesLabel = action === 'commit';
  const label = takesLabel ? $('label').value.trim() : '';
  const parameters = { ...(label && { label }), ...(target && { id: target.weighing.id }) };
  // What was typed meanwhile is for the next weighing.
  if (await request(action, parameters, again) && takesLabel && $('label').value.trim() === label) $('label').value = '';
}

/** Requests an action; returns its result, or `null` after it has shown why it has none. */
async function request(action, parameters, again) {
  const body = await send(`api/action/${action}`, parameters, again);
  if (body?.ok) return body;
  if (!body?.reason.startsWith('token')) failure(action, body);
  return null;
}

/** Sends a request with the token, a POST if it has content; returns the answer, `null` without one. Asks for a missing token; calls `again` once it was given. */
async function send(path, content, again = () => toast('«pageTokenSaved»')) {
  const headers = { 'Content-Type': 'application/json' };
  const token = localStorage.getItem('grampad-token');
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    const answer = await fetch(path, content ? { method: 'POST', headers, body: JSON.stringify(content) } : { headers, cache: 'no-store' });
    const body = await answer.json();
    if (answer.status === 401) askForToken(body.reason === 'token_wrong').then(isGiven => isGiven && again());
    if (body.reason === 'closed') { hello.acting = 'closed'; introduce(); }
    return body;
  } catch { return null; }
}

const tokenHint = $('token-text').textContent;
/** Asks for the token; returns a promise of whether one was given. */
function askForToken(wasWrong) {
  localStorage.removeItem('grampad-token');
  const dialog = $('token');
  $('token-field').value = '';
  set($('token-text'), wasWrong ? '«pageTokenWrong»' : tokenHint);
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise(done => dialog.addEventListener('close', () => {
    const given = dialog.returnValue === 'yes' && $('token-field').value.trim();
    if (given) localStorage.setItem('grampad-token', given);
    $('token-field').value = '';
    done(Boolean(given));
  }, { once: true }));
}

let shownQuick = '', armed = new AbortController();
function showQuick() {
  const content = JSON.stringify(quick), focused = document.activeElement.closest('#quick button')?.dataset.action;
  if (content === shownQuick) return;
  shownQuick = content;
  armed.abort();
  armed = new AbortController();
  $('quick').hidden = quick.length === 0;
  $('quick').replaceChildren(...quick.map(q => {
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.action = q.type;
    button.append(document.createElement('span'), document.createElement('small'));
    button.firstChild.append(q.title);
    return button;
  }));
  for (const button of $('quick').children) {
    arm(button, armed.signal);
    if (button.dataset.action === focused) button.focus();
  }
  allow();
}

// A shortcut of the installed page performs its quick action once, after a confirmation.
let shortcut = takeShortcut();
async function runShortcut() {
  if (shortcut === null) return;
  const type = shortcut;
  shortcut = null;
  const action = quick.find(q => q.type === type);
  if (!action) return toast('«pageNoQuickAction»', true);
  // The first reading follows the actions.
  if (!reading) await new Promise(done => source.addEventListener('live', done, { once: true }));
  if (isAboutLast(type) && !lastWeighing()) await refresh();
  // The load may have changed while a token was asked for.
  const perform = async () => {
    if (runs(type) === 'void' && !obstacle(type)) return voidWithQuestion(lastWeighing(), perform);
    if (await askFor(type, action.subtitle ?? '')) act(type, null, perform);
  };
  perform();
}

const peek = new Peek({
  request, voidWithQuestion, load, toast, mass, spread, name: nameOf, obstacle: commonObstacle,
  entries: () => weighings, timing: () => hello, unit: () => hello.unit,
  announce: text => set($('announce'), text),
  repeat: label => {
    if (location.hash.startsWith('#weighing')) location.hash = 'actions';
    $('label').value = label;
    $('label').focus();
    toast(`«pageNextLabel label=${label}»`);
  },
});
const tools = new Tools({ request, obstacle: commonObstacle, ask, toast, mass, exact, unit: () => hello.unit });
for (const button of holds()) arm(button);
chart.enableZoom($('chart-card'));
const spans = document.querySelectorAll('[data-span]');
for (const button of spans) button.addEventListener('click', () => chooseRange(button));
setInterval(() => { if (!document.hidden) shownChart().draw(); }, 500);
setInterval(() => shownChart().box.setAttribute('aria-label', shownChart().summary), 10e3);
// A page that is left may be kept for the way back; its stream would occupy one of the browser's connections.
addEventListener('pagehide', () => source?.close());
addEventListener('pageshow', event => { if (event.persisted) connect(); });
document.addEventListener('visibilitychange', () => { if (!document.hidden) { look(); shownChart().draw(); } });
showKiosk();
install($('install-note'));
allow();
peek.route();
routeCalibration();
showHistory();
// After the page of a weighing is hidden, so that its row can have the focus.
addEventListener('hashchange', showHistory);
connect();
