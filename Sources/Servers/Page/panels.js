// The panels for weighings, calibration and health: render plain data as elements.

import { svg, widthOf } from './chart.js';

const $ = id => document.getElementById(id);
// Of the reader's languages, the one that the page is in: it tells the region, too.
export const LOCALE = navigator.languages.find(tag => tag.startsWith('«lang»'.slice(0, 2))) ?? '«lang»';
export const fixed = (g, decimals) => g === null || g === undefined ? '–' : g.toFixed(decimals).replace('-', '−');
/** Sets a text only if it differs, so that it is announced once. */
export const set = (node, text = '') => { if (node.textContent !== text) node.textContent = text; };
/** The names of the actions. */
export const TITLES = {
  // A quick action may be named like a member of every object.
  __proto__: null,
  commit: '«pageCommit»', tare: '«pageDoTare»', zero: '«pageZero»', void: '«pageVoid»', clear_tare: '«pageClearTare»', timer: '«pageTimer»', target: '«pageTarget»',
  count: '«pageCounting»', container: '«pageContainer»', history: '«pageHistory»', relabel: '«pageRelabel»',
};
export const SOURCES = { pad: '«sourcePad»', button: '«sourceButton»', mqtt: 'MQTT', command_line: '«sourceCommandLine»', dashboard: '«sourcePage»', start: '«sourceStart»', auto: '«sourceAuto»', sics: 'MT-SICS' };

export function element(name, content, attributes = {}) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...[content].flat().filter(c => c !== null && c !== undefined));
  return node;
}

export const kindOf = w => w.kind ?? (w.voids ? 'void' : w.amends ? 'relabel' : 'weighing');

/** The weighings among the entries, newest first: `{weighing, isVoided, isAmended, label}`; the newest relabel applies. */
export function effectiveWeighings(entries) {
  const voids = new Map(), labels = new Map();
  for (const { weighing: w } of entries) {
    if (kindOf(w) === 'void' && w.voids) voids.set(w.voids, w);
    if (kindOf(w) === 'relabel' && !labels.has(w.amends)) labels.set(w.amends, w.label);
  }
  return entries.filter(e => kindOf(e.weighing) === 'weighing').map(({ weighing: w, voided_by, relabelled_by, label }) => ({
    weighing: w, isVoided: Boolean(voided_by) || voids.has(w.id),
    isAmended: Boolean(relabelled_by) || labels.has(w.id), label: labels.has(w.id) ? labels.get(w.id) : label === undefined ? w.label : label,
  }));
}

export function timeOf(w) {
  const time = new Date(w.time);
  const isToday = time.toDateString() === new Date().toDateString();
  return time.toLocaleString(LOCALE, isToday ? { timeStyle: 'medium' } : { dateStyle: 'short', timeStyle: 'short' });
}

export function showWeighings(weighings, { mass: text, spread }, newest) {
  const cell = (content, attributes = {}) => element('td', content, { role: 'cell', ...attributes });
  const rows = weighings.map(({ weighing: w, isVoided, isAmended, label }) => {
    const classes = [isVoided && 'voided', w.sequence === newest && 'new'].filter(Boolean).join(' ');
    const mass = text(w.net_g);
    const name = `#${w.sequence}, ${mass}`;
    const more = element('button', '⋯', { type: 'button', 'data-more': '', 'aria-haspopup': 'dialog', 'aria-label': `«pagePreviewOf weighing=${name}»` });
    return element('tr', [
      cell(element('a', String(w.sequence), { href: `#weighing-${w.sequence}`, 'aria-label': `«pageWeighing» ${name}` })), cell(element('time', timeOf(w), { datetime: w.time })),
      cell(mass, { class: 'n net' }), cell(text(w.tare_g), { class: 'n' }),
      cell(w.uncertainty_g === null ? '' : spread(w.uncertainty_g), { class: 'n' }),
      cell([isVoided && element('span', '«labelVoided»', { class: 'badge' }), label ?? '', isAmended ? ' («pageRelabelled»)' : null].filter(Boolean)),
      cell(SOURCES[w.source] ?? w.source), cell(more),
    ], { role: 'row', 'data-id': w.id, class: classes });
  });
  $('weighings').replaceChildren(...rows);
  $('no-weighings').hidden = rows.length > 0;
  const labels = [...new Set(weighings.map(e => e.label).filter(Boolean))].slice(0, 12);
  $('labels').replaceChildren(...labels.map(value => element('option', null, { value })));
}

/** The number and the net of all weighings that are not voided, and those by day and label; `null` if they cannot be read. */
export function showTotals(totals, text) {
  const line = (name, sum) => element('li', `${name}: «pageWeighingCount count=${sum.weighings}», ${text(sum.net_g)}`);
  const day = date => new Date(`${date}T12:00`).toLocaleDateString(LOCALE, { dateStyle: 'medium' });
  const rows = totals
    ? [...totals.groups.map(g => line(`${day(g.day)}, ${g.label ?? '«pageNoLabel»'}`, g)), totals.next ? element('li', '«historySumming»') : line('«pageAll»', totals)] : [element('li', '«pageJournalUnreadable»')];
  if (totals && !totals.complete) rows.push(element('li', '«pageOlderDays»'));
  $('totals').querySelector('ul').replaceChildren(...rows);
}

let sentence = null;

/** A sentence of a message or an answer of the scale in the language of the page. */
export async function inOwnWords(from, name = 'reason') {
  if ('«lang»' === 'en' && from[name]) return from[name];
  try {
    // Once it is there, no English is seen in between.
    sentence ??= (await import('./sentences.js')).sentence;
    return sentence(from, name);
  } catch {
    return from[name] ?? from.reason;
  }
}

export function showHealth(health, acting, isLive) {
  const { pad, broker, journal, outbox, configuration } = health;
  const parts = { pad: pad.state === 'present', broker: broker.state === 'connected', journal: journal.state === 'available' };
  for (const [name, isWell] of Object.entries(parts)) {
    const node = $(`part-${name}`);
    node.dataset.state = !isLive ? 'unknown' : isWell ? 'ok' : 'bad';
    const tell = text => {
      node.title = text;
      node.setAttribute('aria-label', `${node.textContent}: ${text}`);
    };
    tell(!isLive ? '«healthUnknown»' : isWell ? 'OK' : health[name].reason);
    if (isLive && !isWell) inOwnWords(health[name]).then(own => { if (node.title === health[name].reason) tell(own); });
  }
  const warning = health.calibration_warning;
  const rows = [
    ['«pagePad»', parts.pad ? `${pad.name}${pad.path === 'simulated' ? '' : `, ${pad.path}`}` : pad.reason, !parts.pad, pad],
    pad.warning && ['«pageReadings»', pad.advice, true, pad, 'advice'],
    pad.sample_rate_hz && ['«pageSampling»', `«pageSamplingText rate=${pad.sample_rate_hz} noise=${pad.noise_g} time=${pad.stability_ms}»`, false],
    warning && ['«pageCalibration»', warning, true, health, 'calibration_warning'],
    ['«pageBroker»', parts.broker ? `${broker.address}, MQTT ${broker.mqtt}` : broker.reason, !parts.broker, broker],
    ['«pageJournal»', parts.journal ? (journal.warning ?? (journal.path === 'memory' ? '«pageInMemory»' : journal.path)) : journal.reason, !parts.journal || Boolean(journal.warning), journal, journal.warning ? 'warning' : 'reason'],
    ['«pageOutbox»', outbox.parked ? `«pageParked waiting=${outbox.waiting} parked=${outbox.parked} reason=${outbox.parked_reason}»`
      : outbox.waiting ? `«pageOutboxWaiting count=${outbox.waiting}»` : '«pageOutboxEmpty»', outbox.parked > 0],
    health.dropped_messages > 0 && ['«pageDropped»', `«pageDroppedText number=${health.dropped_messages}»`, true],
    health.clock === 'unsynchronised' && ['«pageClock»', '«pageUnsynchronised»', true],
    ['«pageConfiguration»', configuration.state === 'in_force' ? '«pageInForce»' : configuration.reason, configuration.state !== 'in_force', configuration],
    ['«pageActions»', { open: '«pageActingOpen»', token: '«pageActingToken»', closed: '«pageActingClosed»' }[acting] ?? '', false],
    ['«pageVersion»', health.version, false],
  ].filter(Boolean);
  $('health').replaceChildren(...rows.flatMap(([name, text, isBad, from, field]) => {
    const value = element('dd', text, isBad ? { class: 'bad' } : {});
    if (isBad && from) inOwnWords(from, field).then(own => { value.textContent = own; });
    return [element('dt', name), value];
  }));
}

const SHAPES = { linear: '«shapeLinear»', monotone: '«shapeMonotone»', polynomial: '«shapePolynomial»', power: '«shapePower»' };

const ORIGINS = {
  kernel: '«pageKernelOrigin»',
  nominal: '«pageNominalOrigin»',
  none: '«warningNotCalibrated»',
};

export function showCalibration(data, origin) {
  const box = $('calibration');
  if (!data.shape) {
    $('calibration-word').textContent = { kernel: '«originKernel»', nominal: '«originNominal»', none: '«stateNotCalibrated»' }[origin] ?? origin ?? '';
    box.replaceChildren(element('p', ORIGINS[origin] ?? '«pageNoCalibration»'));
    return;
  }
  $('calibration-word').textContent = `«pageCurve shape=${SHAPES[data.shape] ?? data.shape} points=${data.points.length} uncertainty=${data.uncertainty_g}»`;
  const head = element('tr', ['«pageRaw»', '«pageGrams»', '«pageResidual»'].map(t => element('th', t, { scope: 'col', class: 'n' })));
  const rows = data.points.map(p => element('tr', [String(p.raw), p.grams.toFixed(1), p.residual_g === null ? '«pageEnd»' : fixed(p.residual_g, 2)].map(t => element('td', t, { class: 'n' }))));
  const picture = svg('svg', { role: 'img' });
  box.replaceChildren(picture,
    element('p', '«pageResidualsBelow»'),
    element('details', [element('summary', '«pagePointsTable»'), element('table', [element('thead', head), element('tbody', rows)])]));
  const draw = () => { if (picture.isConnected && picture.clientWidth) drawCalibration(picture, data); else if (!picture.isConnected) watch.disconnect(); };
  const watch = new ResizeObserver(draw);
  watch.observe(picture);
}

// Draws the curve with the residuals below it, in CSS pixels, so that the text is not scaled.
function drawCalibration(picture, data) {
  const style = getComputedStyle(picture);
  const em = parseFloat(style.fontSize), W = picture.clientWidth, H = picture.clientHeight;
  const xMax = data.points.at(-1).raw, xMin = data.points[0].raw;
  const yMax = data.points.at(-1).grams, yMin = Math.min(0, data.points[0].grams);
  const misses = data.points.filter(p => p.residual_g !== null);
  const most = Math.max(1, ...misses.map(p => Math.abs(p.residual_g)));
  const marks = [`${Math.round(yMax)} g`, `${Math.round(yMin)} g`, `+${most.toFixed(1)} g`, '0 g', `−${most.toFixed(1)} g`];
  const L = Math.max(...marks.map(t => widthOf(t, `${style.fontSize} ${style.fontFamily}`))) + em * .7;
  const R = W - 8, T = 10, S = em * 1.7, Z = H - em * 1.8 - S, B = Z - S - em * 2;
  const x = r => L + 8 + (r - xMin) / (xMax - xMin) * (R - L - 8), y = g => B - (g - yMin) / (yMax - yMin) * (B - T);
  const axis = y => svg('line', { class: 'axis', x1: L, x2: R, y1: y, y2: y });
  const word = (text, x, y, anchor) => svg('text', { x, y, 'text-anchor': anchor }, text);
  picture.setAttribute('viewBox', `0 0 ${W} ${H}`);
  picture.setAttribute('aria-label', `«pageCurveSummary points=${data.points.length} mass=${Math.round(yMax)} residual=${most.toFixed(1)}»`);
  picture.replaceChildren(
    axis(B), axis(Z), ...[T + em * .4, B, Z - S, Z, Z + S].map((at, i) => word(marks[i], L - em * .4, at + em * .35, 'end')),
    word(`«pageRawRange from=${xMin} to=${xMax}»`, R, H - em * .3, 'end'),
    svg('polyline', { class: 'curve', points: data.curve.map(([r, g]) => `${x(r).toFixed(1)},${y(g).toFixed(1)}`).join(' ') }),
    ...misses.flatMap(p => [
      svg('line', { class: 'miss', x1: x(p.raw), x2: x(p.raw), y1: Z, y2: Z - p.residual_g / most * S }),
      svg('circle', { class: 'end', cx: x(p.raw), cy: Z - p.residual_g / most * S, r: 4.5 }),
    ]),
    ...data.points.map(p => svg('circle', { class: 'point', cx: x(p.raw), cy: y(p.grams), r: 5 }, svg('title', {}, `«pageRaw» ${p.raw}: ${p.grams.toFixed(1)} g`))));
}

/** Lists the force faders of the pad. */
export function showControls(names) {
  const list = $('controls');
  list.parentElement.hidden = names.length === 0;
  if (String([...list.children].map(row => row.dataset.name)) === String(names)) return;
  list.replaceChildren(...names.map(name => element('div', [
    element('dt', name), element('dd', [element('meter', null, { 'aria-label': name, value: 0 }), ' ', element('span', '–')]),
  ], { 'data-name': name })));
}

/** Shows the newest value of a force fader: `{name, state, value}`. */
export function showControl({ name, state, value }) {
  // A control that another one follows has ended.
  for (const other of $('controls').children) other.classList.remove('held');
  const row = [...$('controls').children].find(row => row.dataset.name === name);
  if (!row) return;
  row.querySelector('meter').value = value;
  row.querySelector('span').textContent = `${Math.round(value * 100)} %`;
  row.classList.toggle('held', state === 'began' || state === 'changed');
}
