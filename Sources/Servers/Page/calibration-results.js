// The results of a calibration: the fit with its residuals, a verification, a self-test and its certificate.

import { texts } from './calibration-texts.js';
import { svg } from './chart.js';
import { inOwnWords, set } from './panels.js';
import { button, choice, field, input, make, number, numberIn } from './settings-fields.js';

/** Shows a text, or the sentence `[message, name]` of the scale in the language of the page, in a form of the page. */
export function tell(node, text = '', form = own => own) {
  if (!Array.isArray(text)) {
    node.told = text;
    return set(node, form(text));
  }
  const [from, name] = text;
  node.told = from[name];
  inOwnWords(from, name).then(own => { if (node.told === from[name]) set(node, form(own)); });
}

function reasonOf(fit) {
  const node = make('p', { className: 'bad', role: 'alert' });
  tell(node, [fit, 'detail'], texts.fit.reason);
  return node;
}

const signed = g => g === null ? texts.fit.end : `${g > 0 ? '+' : ''}${g.toFixed(2)}`.replace('-', '−');

function table(label, heads, rows) {
  const cells = (tag, words, more = {}) => words.map((word, index) => make(tag, { textContent: word, className: index ? 'n' : '', ...more }));
  return make('div', { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': label }, make('table', {}, make('thead', {}, make('tr', {}, ...cells('th', heads, { scope: 'col' }))),
    make('tbody', {}, ...rows.map(row => make('tr', {}, ...cells('td', row))))));
}

/** Draws the residual of each mass over the mass: a dot with its noise, and a bar for the fit without it. */
function draw(picture, points) {
  const W = Math.max(picture.clientWidth, 200), H = picture.clientHeight || 192, em = parseFloat(getComputedStyle(picture).fontSize);
  const most = Math.max(.1, ...points.flatMap(p => [Math.abs(p.residual_g) + p.uncertainty_g, Math.abs(p.left_out_g ?? 0)]));
  const top = points.at(-1).mass_g, L = em * 4.5, R = W - em * 1.5, T = em * .8, B = H - em * 2.2, M = (T + B) / 2;
  const x = mass => L + mass / top * (R - L), y = g => M - g / most * (M - T);
  const line = (kind, x1, y1, x2, y2) => svg('line', { class: kind, x1, y1, x2, y2 });
  const word = (text, x, y, anchor) => svg('text', { x, y, 'text-anchor': anchor }, text);
  let labelled = -Infinity;
  const labels = points.filter(p => { const isFree = x(p.mass_g) - labelled > em * 4; if (isFree) labelled = x(p.mass_g); return isFree; });
  picture.setAttribute('viewBox', `0 0 ${W} ${H}`);
  picture.setAttribute('aria-label', texts.fit.plot(points.length, most));
  picture.replaceChildren(
    line('line', L, T, R, T), line('zero', L, M, R, M), line('line', L, B, R, B),
    ...[most, 0, -most].map(g => word(`${signed(g)} g`, L - em * .5, y(g) + em * .35, 'end')),
    ...labels.map(p => word(texts.g(p.mass_g), x(p.mass_g), H - em * .5, 'middle')),
    ...points.flatMap(p => [
      ...p.left_out_g === null ? [] : [line('left', x(p.mass_g), M, x(p.mass_g), y(p.left_out_g))],
      line('noise', x(p.mass_g), y(p.residual_g - p.uncertainty_g), x(p.mass_g), y(p.residual_g + p.uncertainty_g)),
      svg('circle', { class: 'point', cx: x(p.mass_g), cy: y(p.residual_g), r: 4.5 }, svg('title', {}, `${texts.g(p.mass_g)}: ${signed(p.residual_g)} g`)),
    ]));
}

/** The fit: its residuals and how it is applied, or why it is refused and how it is corrected. */
export class FitView {
  constructor(calibration) {
    this.calibration = calibration;
    this.node = make('section', { className: 'part', 'aria-label': texts.fit.title });
    this.known = '';
  }

  show(state, isReady) {
    const { fit, steps, applied, can_undo: canUndo, storage, curve } = state;
    // The result of a calibration that is over stays readable.
    const isShown = fit !== null && (isReady || state.state === 'ended');
    const known = isShown && JSON.stringify([fit, applied, canUndo, storage, curve, steps.map(step => step.mass_g), isReady]);
    this.node.hidden = !isShown;
    if (known === this.known || !isShown) return;
    this.known = known;
    this.node.replaceChildren(...fit.ok ? this.accepted(state, isReady) : this.refused(state, isReady));
  }

  accepted({ fit, applied, can_undo: canUndo, storage, curve }, isReady) {
    const t = texts.fit, picture = svg('svg', { role: 'img' });
    const draws = () => { if (picture.isConnected && picture.clientWidth) draw(picture, fit.points); else if (!picture.isConnected) watch.disconnect(); };
    const watch = new ResizeObserver(draws);
    watch.observe(picture);
    const shapes = choice([['', t.best], ...Object.entries(t.shapes)], curve ?? '');
    shapes.addEventListener('change', () => this.calibration.command('fit', shapes.value ? { curve: shapes.value } : {}));
    const rows = fit.points.map(p => [texts.g(p.mass_g), p.counts.toFixed(1), signed(p.residual_g), signed(p.left_out_g), `± ${p.uncertainty_g.toFixed(2)}`]);
    const more = [t.uncertainty(fit.uncertainty_g), fit.extrapolated_above_g !== null && t.beyond(fit.extrapolated_above_g)].filter(Boolean);
    const why = make('p'), doubt = make('p', { className: 'bad', role: 'alert' });
    tell(why, [fit, 'explanation'], own => [t.chosen(own), ...more].join(' '));
    if (fit.doubt) tell(doubt, [fit, 'doubt'], t.check);
    return [
      make('h3', { textContent: t.title }), why,
      fit.doubt && make('div', { className: 'question' }, doubt, isReady ? this.corrections(fit.suspect_g) : ''),
      picture, make('ul', { className: 'legend', 'aria-hidden': 'true' }, make('li', { className: 'k-point', textContent: t.legend.residual }), make('li', { className: 'k-left', textContent: t.legend.left })),
      table(t.table, t.heads, rows), make('p', { className: 'soft', textContent: t.note }),
      isReady && field(t.curve, shapes, 'curve'),
      make('p', { className: 'good', role: 'status', textContent: applied ? texts.apply.done : '' }),
      isReady && make('p', { className: 'row' },
        applied ? null : make('button', { type: 'button', className: 'main', textContent: fit.doubt ? texts.apply.anyway : texts.apply.go, onclick: () => this.apply(fit, storage) }),
        canUndo ? button(texts.apply.undo, async () => { if (await this.calibration.command('undo')) this.calibration.page.toast(texts.apply.undone); }) : null),
    ].filter(Boolean);
  }

  refused({ fit }, isReady) {
    return [make('h3', { textContent: texts.fit.refused }), reasonOf(fit), isReady ? this.corrections(fit.suspect_g) : ''];
  }

  /** Measures the mass again that does not fit, or corrects what was typed. */
  corrections(suspect) {
    const steps = this.calibration.state.steps, index = steps.findIndex(step => step.mass_g === suspect);
    if (index < 0) return '';
    const name = suspect > 0 ? texts.g(suspect) : texts.steps.empty;
    const again = make('button', { type: 'button', className: 'main', textContent: texts.steps.repeat(name), onclick: () => this.calibration.command('select', { step: index }) });
    if (!suspect) return make('p', { className: 'row' }, again);
    const mass = number(suspect);
    const form = make('form', { className: 'fields', noValidate: true }, field(texts.fit.correct, mass, 'mass'), make('button', { textContent: texts.fit.correctGo }));
    form.addEventListener('submit', event => { event.preventDefault(); this.calibration.command('correct', { step: index, mass_g: numberIn(mass) }); });
    return make('div', { className: 'part' }, make('p', { className: 'row' }, again), form);
  }

  async apply(fit, storage) {
    const { page } = this.calibration, [question, yes, no] = texts.apply.ask;
    if (fit.doubt && !await page.ask(question, '', await inOwnWords(fit, 'doubt'), yes, no, true)) return;
    if (await this.calibration.command('apply', fit.doubt ? { accept_doubt: true } : {})) page.toast(texts.apply.saved(storage));
  }
}

/** Weighs a known mass. */
export class VerifyView {
  constructor(calibration) {
    const t = texts.verify, mass = number(''), tolerance = number('');
    this.result = make('p', { role: 'status' });
    this.form = make('form', { className: 'fields', noValidate: true }, field(t.mass, mass, 'verify.mass'), field(t.tolerance, tolerance, 'verify.tolerance'), make('button', { textContent: t.go }));
    this.form.addEventListener('submit', event => {
      event.preventDefault();
      const given = numberIn(tolerance);
      calibration.command('verify', { mass_g: numberIn(mass), ...given !== null && { tolerance_g: given } });
    });
    this.tolerance = tolerance;
    this.node = make('section', { className: 'part', 'aria-label': t.title }, make('h3', { textContent: t.title }), this.form, this.result);
  }

  show({ verification: v, step, state, fit, calibration, division_g: division }, isReady) {
    // Without a calibration there is nothing to verify.
    const isOpen = isReady && step === null && (fit === null || fit.ok) && calibration !== null;
    this.tolerance.placeholder = division;
    this.form.hidden = !isOpen;
    this.node.hidden = !isOpen && !(state === 'ended' && v);
    set(this.result, v ? texts.verify.result(v) : '');
    this.result.className = v?.ok ? 'good' : 'bad';
  }
}

/** Tests repeatability, zero return and creep, and offers the certificate. */
export class TestView {
  constructor(calibration) {
    const t = texts.test, fields = { mass_g: number(''), times: number(5), creep_s: number(60), conditions: input('', { maxLength: 200, placeholder: t.example }) };
    this.unused = make('p', { className: 'soft', textContent: t.unused });
    this.form = make('form', { className: 'part', noValidate: true }, make('p', { textContent: t.intro }),
      make('div', { className: 'fields' }, field(t.mass, fields.mass_g, 'test.mass'), field(t.times, fields.times, 'test.times'), field(t.creep, fields.creep_s, 'test.creep')),
      field(t.conditions, fields.conditions, 'test.conditions'), make('p', { className: 'row' }, make('button', { textContent: t.go })));
    this.form.addEventListener('submit', event => {
      event.preventDefault();
      const values = Object.fromEntries(Object.entries(fields).map(([key, control]) => [key, key === 'conditions' ? control.value.trim() || null : numberIn(control)]).filter(([, value]) => value !== null));
      calibration.command('self_test', values);
    });
    this.results = make('div', { className: 'part' });
    this.node = make('section', { className: 'part', 'aria-label': t.title }, make('h3', { textContent: t.title }), this.unused, this.form, this.results);
    this.known = '';
  }

  show({ self_test: test, step, state, fit, calibration, applied }, isReady) {
    const t = texts.test, isUnused = Boolean(fit?.ok) && !applied, isOpen = isReady && step === null && (fit === null || fit.ok) && calibration !== null;
    this.node.hidden = !isOpen && !(state === 'ended' && test);
    this.unused.hidden = !isOpen || !isUnused;
    this.form.hidden = !isOpen || isUnused;
    const known = JSON.stringify(test);
    if (known === this.known) return;
    this.known = known;
    const rows = test?.results.map(r => [t.names[r.name] ?? r.name, texts.g(r.found_g), texts.g(r.limit_g), r.ok ? t.pass : t.fail]);
    this.results.replaceChildren(...test ? [make('p', { className: test.ok ? 'good' : 'bad', role: 'status', textContent: test.ok ? t.passed : t.failed }), table(t.title, t.heads, rows),
      make('p', {}, make('a', { href: 'api/calibration/certificate', download: 'grampad-certificate.txt', textContent: t.certificate }))] : []);
  }
}
