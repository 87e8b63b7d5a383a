// The panels for weighings, calibration and health: render plain data as elements.

import { svg, widthOf } from './chart.js';

const $ = id => document.getElementById(id);
export const fixed = (g, decimals) => g === null || g === undefined ? '–' : g.toFixed(decimals).replace('-', '−');
export const SOURCES = { pad: 'pad', button: 'button', mqtt: 'MQTT', command_line: 'command line', dashboard: 'this page', start: 'start', auto: 'automatic', sics: 'MT-SICS' };

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
  return time.toLocaleString([], isToday ? { timeStyle: 'medium' } : { dateStyle: 'short', timeStyle: 'short' });
}

export function showWeighings(weighings, { mass: text, spread }, newest) {
  const cell = (content, attributes = {}) => element('td', content, { role: 'cell', ...attributes });
  const rows = weighings.map(({ weighing: w, isVoided, isAmended, label }) => {
    const classes = [isVoided && 'voided', w.sequence === newest && 'new'].filter(Boolean).join(' ');
    const mass = text(w.net_g);
    const name = `#${w.sequence}, ${mass}`;
    const more = element('button', '⋯', { type: 'button', 'data-more': '', 'aria-haspopup': 'dialog', 'aria-label': `Preview and actions of ${name}` });
    return element('tr', [
      cell(element('a', String(w.sequence), { href: `#weighing-${w.sequence}`, 'aria-label': `Weighing ${name}` })), cell(element('time', timeOf(w), { datetime: w.time })),
      cell(mass, { class: 'n net' }), cell(text(w.tare_g), { class: 'n' }),
      cell(w.uncertainty_g === null ? '' : spread(w.uncertainty_g), { class: 'n' }),
      cell([isVoided && element('span', 'voided', { class: 'badge' }), label ?? '', isAmended ? ' (relabelled)' : null].filter(Boolean)),
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
  const line = (name, sum) => element('li', `${name}: ${sum.weighings} ${sum.weighings === 1 ? 'weighing' : 'weighings'}, ${text(sum.net_g)}`);
  const day = date => new Date(`${date}T12:00`).toLocaleDateString([], { dateStyle: 'medium' });
  const rows = totals
    ? [...totals.groups.map(g => line(`${day(g.day)}, ${g.label ?? 'no label'}`, g)), line('All', totals)] : [element('li', 'The journal cannot be read.')];
  if (totals && !totals.complete) rows.push(element('li', 'Older days are left out here; “grampad history --totals” lists them.'));
  $('totals').querySelector('ul').replaceChildren(...rows);
}

export function showHealth(health, acting, isLive) {
  const { pad, broker, journal, outbox, configuration } = health;
  const parts = { pad: pad.state === 'present', broker: broker.state === 'connected', journal: journal.state === 'available' };
  for (const [name, isWell] of Object.entries(parts)) {
    const node = $(`part-${name}`);
    node.dataset.state = !isLive ? 'unknown' : isWell ? 'ok' : 'bad';
    node.title = !isLive ? 'unknown' : isWell ? 'OK' : health[name].reason;
    node.setAttribute('aria-label', `${node.textContent}: ${node.title}`);
  }
  const warning = health.calibration_warning;
  const rows = [
    ['Pad', parts.pad ? `${pad.name}${pad.path === 'simulated' ? '' : `, ${pad.path}`}` : pad.reason, !parts.pad],
    pad.warning && ['Readings', PAD_WARNINGS[pad.warning] ?? pad.warning, true],
    pad.sample_rate_hz && ['Sampling', `${pad.sample_rate_hz} samples/s, noise ${pad.noise_g} g, stable after ${pad.stability_ms} ms`, false],
    warning && ['Calibration', warning, true],
    ['Broker', parts.broker ? `${broker.address}, MQTT ${broker.mqtt}` : broker.reason, !parts.broker],
    ['Journal', parts.journal ? (journal.path === 'memory' ? 'in memory only' : journal.path) : journal.reason, !parts.journal],
    ['Outbox', outbox.parked ? `${outbox.waiting} waiting, ${outbox.parked} parked: ${outbox.parked_reason}`
      : outbox.waiting ? `${outbox.waiting} ${outbox.waiting === 1 ? 'weighing' : 'weighings'} waiting for the broker` : 'empty', outbox.parked > 0],
    health.dropped_messages > 0 && ['Dropped', `${health.dropped_messages} messages since start`, true],
    health.clock === 'unsynchronised' && ['Clock', 'not synchronised', true],
    ['Configuration', configuration.state === 'in_force' ? 'in force' : configuration.reason, configuration.state !== 'in_force'],
    ['Actions', { open: 'allowed from this machine', token: 'allowed with the token', closed: 'disabled: dashboard.token_file is not set' }[acting] ?? '', false],
    ['Version', health.version, false],
  ].filter(Boolean);
  $('health').replaceChildren(...rows.flatMap(([name, text, isBad]) => [
    element('dt', name), element('dd', text, isBad ? { class: 'bad' } : {}),
  ]));
}

const PAD_WARNINGS = {
  no_samples: 'The pad delivers no samples. Check its cable.',
  pad_suspect: 'The pad resets its own zero under load.',
  plate_too_heavy: 'The plate was learned with a load on it. Zero the empty plate.',
};

const ORIGINS = {
  kernel: 'Not calibrated: the resolution reported by the driver is used. Expect errors of about 10 %.',
  nominal: 'Not calibrated: the capacity is mapped linearly to the range of the pad. Expect errors of about 25 %.',
};

export function showCalibration(data, origin) {
  const box = $('calibration');
  if (!data.shape) {
    $('calibration-word').textContent = origin ?? '';
    box.replaceChildren(element('p', ORIGINS[origin] ?? 'No pad, no calibration.'));
    return;
  }
  $('calibration-word').textContent = `${data.shape}, ${data.points.length} points, ± ${data.uncertainty_g} g`;
  const head = element('tr', ['Raw', 'Grams', 'Residual g'].map(t => element('th', t, { scope: 'col', class: 'n' })));
  const rows = data.points.map(p => element('tr', [String(p.raw), p.grams.toFixed(1), p.residual_g === null ? 'end' : fixed(p.residual_g, 2)].map(t => element('td', t, { class: 'n' }))));
  const picture = svg('svg', { role: 'img' });
  box.replaceChildren(picture,
    element('p', 'Below the curve: the residual of each point, its distance from the curve through the other points.'),
    element('details', [element('summary', 'Show points as a table'), element('table', [element('thead', head), element('tbody', rows)])]));
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
  picture.setAttribute('aria-label', `Calibration curve through ${data.points.length} points up to ${Math.round(yMax)} g; residuals up to ${most.toFixed(1)} g`);
  picture.replaceChildren(
    axis(B), axis(Z), ...[T + em * .4, B, Z - S, Z, Z + S].map((at, i) => word(marks[i], L - em * .4, at + em * .35, 'end')),
    word(`raw ${xMin} to ${xMax}`, R, H - em * .3, 'end'),
    svg('polyline', { class: 'curve', points: data.curve.map(([r, g]) => `${x(r).toFixed(1)},${y(g).toFixed(1)}`).join(' ') }),
    ...misses.flatMap(p => [
      svg('line', { class: 'miss', x1: x(p.raw), x2: x(p.raw), y1: Z, y2: Z - p.residual_g / most * S }),
      svg('circle', { class: 'end', cx: x(p.raw), cy: Z - p.residual_g / most * S, r: 4.5 }),
    ]),
    ...data.points.map(p => svg('circle', { class: 'point', cx: x(p.raw), cy: y(p.grams), r: 5 }, svg('title', {}, `raw ${p.raw}: ${p.grams.toFixed(1)} g`))));
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
