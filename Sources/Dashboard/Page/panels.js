// The table of weighings, the calibration and the health: plain data in, elements out.

const $ = id => document.getElementById(id);
export const fixed = (g, decimals) => g === null || g === undefined ? '--' : g.toFixed(decimals).replace('-', '−');
const SOURCES = { pad: 'pad', button: 'button', mqtt: 'MQTT', command_line: 'terminal', dashboard: 'page', start: 'start' };

function element(name, content, attributes = {}) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...[content].flat().filter(c => c !== null && c !== undefined));
  return node;
}

export function showWeighings(entries, decimals, newest) {
  const sequences = new Map(entries.map(e => [e.weighing.id, e.weighing.sequence]));
  const rows = entries.filter(e => e.weighing.voids === null).map(({ weighing: w, voided_by }) => {
    const time = new Date(w.time);
    const isToday = time.toDateString() === new Date().toDateString();
    const text = time.toLocaleString([], isToday ? { timeStyle: 'medium' } : { dateStyle: 'short', timeStyle: 'short' });
    const label = [voided_by && element('span', `void, #${sequences.get(voided_by) ?? '?'}`, { class: 'badge' }), w.label ?? ''];
    const classes = [voided_by && 'struck', w.sequence === newest && 'new'].filter(Boolean).join(' ');
    return element('tr', [
      element('td', String(w.sequence)), element('td', element('time', text, { datetime: w.time })),
      element('td', `${fixed(w.net_g, decimals)} g`, { class: 'n net' }),
      element('td', `${fixed(w.tare_g, decimals)} g`, { class: 'n wide' }),
      element('td', w.uncertainty_g === null ? '' : w.uncertainty_g.toFixed(1), { class: 'n wide' }),
      element('td', label), element('td', SOURCES[w.source] ?? w.source, { class: 'wide' }),
    ], classes ? { class: classes } : {});
  });
  $('weighings').replaceChildren(...rows);
  $('no-weighings').hidden = rows.length > 0;
  const labels = [...new Set(entries.map(e => e.weighing.label).filter(Boolean))].slice(0, 12);
  $('labels').replaceChildren(...labels.map(value => element('option', null, { value })));
}

export function showHealth(health, acting, isLive) {
  const { pad, broker, journal, outbox, configuration } = health;
  const parts = { pad: pad.state === 'present', broker: broker.state === 'connected', journal: journal.state === 'available' };
  for (const [name, isWell] of Object.entries(parts)) {
    const node = $(`part-${name}`);
    node.dataset.state = !isLive ? 'unknown' : isWell ? 'ok' : 'bad';
    node.title = !isLive ? 'unknown' : isWell ? 'in order' : health[name].reason;
    node.setAttribute('aria-label', `${node.textContent}: ${node.title}`);
  }
  const rows = [
    ['Pad', parts.pad ? `${pad.name}${pad.path === 'simulated' ? '' : `, ${pad.path}`}` : pad.reason, !parts.pad],
    ['Broker', parts.broker ? `${broker.address}, MQTT ${broker.mqtt}` : broker.reason, !parts.broker],
    ['Journal', parts.journal ? (journal.path === 'memory' ? 'in memory only' : journal.path) : journal.reason, !parts.journal],
    ['To be sent', outbox.parked ? `${outbox.waiting} waiting, ${outbox.parked} refused: ${outbox.parked_reason}` : outbox.waiting ? `${outbox.waiting} weighings wait for the broker` : 'nothing', outbox.parked > 0],
    ['Configuration', configuration.state === 'in_force' ? 'in force' : configuration.reason, configuration.state !== 'in_force'],
    ['Actions', { open: 'from this machine', token: 'with the token', closed: 'off: no dashboard.token_file' }[acting] ?? '', false],
    ['Version', health.version, false],
  ];
  $('health').replaceChildren(...rows.flatMap(([name, text, isBad]) => [
    element('dt', name), element('dd', text, isBad ? { class: 'bad' } : {}),
  ]));
}

const ORIGINS = {
  kernel: 'Grams come from the resolution that the driver states; nobody has measured this pad. Expect some 10 %.',
  nominal: 'Nobody has calibrated this pad: its capacity is spread evenly over its range. Expect some 25 %.',
};

export function showCalibration(data, origin) {
  const box = $('calibration');
  if (!data.shape) {
    $('calibration-word').textContent = origin ?? '';
    box.replaceChildren(element('p', ORIGINS[origin] ?? 'No pad, no calibration.'));
    return;
  }
  $('calibration-word').textContent = `${data.shape}, ${data.points.length} points, ± ${data.uncertainty_g} g`;
  const [W, H, L, R, T, B] = [460, 250, 40, 452, 10, 168];
  const xMax = data.points.at(-1).raw, xMin = data.points[0].raw;
  const yMax = data.points.at(-1).grams, yMin = Math.min(0, data.points[0].grams);
  const x = r => L + (r - xMin) / (xMax - xMin) * (R - L), y = g => B - (g - yMin) / (yMax - yMin) * (B - T);
  const misses = data.points.filter(p => p.residual_g !== null);
  const most = Math.max(1, ...misses.map(p => Math.abs(p.residual_g)));
  const [Z, S] = [210, 26]; // the middle and half the height of the residuals
  const svg = (name, attributes, text) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text) node.textContent = text;
    return node;
  };
  const axis = (y, x2 = R) => svg('line', { class: 'axis', x1: L, x2, y1: y, y2: y });
  const picture = svg('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': `Calibration curve through ${data.points.length} points up to ${Math.round(yMax)} g; largest residual ${most.toFixed(1)} g or less` });
  picture.append(
    axis(B), axis(Z), svg('text', { x: L - 6, y: T + 8, 'text-anchor': 'end' }, `${Math.round(yMax)} g`),
    svg('text', { x: L - 6, y: B + 4, 'text-anchor': 'end' }, `${Math.round(yMin)} g`),
    svg('text', { x: L - 6, y: Z + 4, 'text-anchor': 'end' }, '0 g'),
    svg('text', { x: L - 6, y: Z - S + 8, 'text-anchor': 'end' }, `+${most.toFixed(1)}`),
    svg('text', { x: L - 6, y: Z + S, 'text-anchor': 'end' }, `−${most.toFixed(1)}`),
    svg('text', { x: R, y: H - 2, 'text-anchor': 'end' }, `raw ${xMin} to ${xMax}`),
    svg('text', { x: L, y: H - 2 }, 'below: each point against the curve through the others'),
    svg('polyline', { class: 'curve', points: data.curve.map(([r, g]) => `${x(r).toFixed(1)},${y(g).toFixed(1)}`).join(' ') }),
    ...misses.flatMap(p => [
      svg('line', { class: 'miss', x1: x(p.raw), x2: x(p.raw), y1: Z, y2: Z - p.residual_g / most * S }),
      svg('circle', { class: 'end', cx: x(p.raw), cy: Z - p.residual_g / most * S, r: 4.5 }),
    ]),
    ...data.points.map(p => {
      const point = svg('circle', { class: 'point', cx: x(p.raw), cy: y(p.grams), r: 5 });
      point.append(svg('title', {}, `raw ${p.raw}: ${p.grams.toFixed(1)} g`));
      return point;
    }));
  const head = element('tr', ['Raw', 'Grams', 'Residual g'].map(t => element('th', t, { scope: 'col', class: 'n' })));
  const rows = data.points.map(p => element('tr', [String(p.raw), p.grams.toFixed(1), p.residual_g === null ? 'end' : fixed(p.residual_g, 2)].map(t => element('td', t, { class: 'n' }))));
  box.replaceChildren(picture, element('details', [element('summary', 'The points as a table'), element('table', [element('thead', head), element('tbody', rows)])]));
}
