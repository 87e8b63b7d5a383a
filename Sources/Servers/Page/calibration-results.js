// The result of a calibration: whether it is good, how it is applied, and its residuals in detail.

import { acts, g, nameOf, part, tell } from './calibration-parts.js';
import { ask, toast } from './dialogs.js';
import { button, element, svg } from './dom.js';
import { input, massField, onSubmit } from './forms.js';
import { details, drawn, legend, options, row, soft, table, word } from './parts.js';
import { inOwnWords } from './requests.js';
import { fixed } from './scale.js';
import { say, texts } from './texts.js';

const SHAPES = [
  ['', texts.calBest],
  ['linear', texts.calLinear],
  ['monotone', texts.calMonotone],
  ['polynomial', texts.calPolynomial],
  ['power', texts.calPower],
];

const signed = (mass) => mass === null ? texts.pageEnd : `${mass > 0 ? '+' : ''}${fixed(mass, 2)}`;

/** How right the scale is with a fit, with two digits: the uncertainty between the masses, or the largest error of a mass. */
const accuracyOf = ({ uncertainty_g: uncertainty, points }) =>
  +Math.max(.01, uncertainty, ...points.map((p) => Math.abs(p.residual_g))).toPrecision(2);

/** Draws the residual of each mass over the mass: a dot with its noise, and a bar for the fit without it. */
function draw(points, picture, W, H, { em }) {
  const most = Math.max(
    .1,
    ...points.flatMap((p) => [Math.abs(p.residual_g) + p.uncertainty_g, Math.abs(p.left_out_g ?? 0)]),
  );
  const top = points.at(-1).mass_g, L = em * 4.5, R = W - em * 1.5, T = em * .8, B = H - em * 2.2, M = (T + B) / 2;
  const x = (mass) => L + mass / top * (R - L), y = (mass) => M - mass / most * (M - T);
  const line = (kind, x1, y1, x2, y2) => svg('line', { class: kind, x1, y1, x2, y2 });
  let labelled = -Infinity;
  const labels = points.filter((p) => {
    const isFree = x(p.mass_g) - labelled > em * 4;
    if (isFree) labelled = x(p.mass_g);
    return isFree;
  });
  picture.ariaLabel = say('calPlot', { number: points.length, mass: most.toFixed(2) });
  picture.replaceChildren(
    line('line', L, T, R, T),
    line('zero', L, M, R, M),
    line('line', L, B, R, B),
    ...[most, 0, -most].map((mass) => word(`${signed(mass)} g`, L - em * .5, y(mass) + em * .35, 'end')),
    ...labels.map((p) => word(g(p.mass_g), x(p.mass_g), H - em * .5, 'middle')),
    ...points.flatMap((p) => [
      ...p.left_out_g === null ? [] : [line('left', x(p.mass_g), M, x(p.mass_g), y(p.left_out_g))],
      line('noise', x(p.mass_g), y(p.residual_g - p.uncertainty_g), x(p.mass_g), y(p.residual_g + p.uncertainty_g)),
      svg(
        'circle',
        { class: 'point', cx: x(p.mass_g), cy: y(p.residual_g), r: 4.5 },
        svg('title', {}, `${g(p.mass_g)}: ${signed(p.residual_g)} g`),
      ),
    ]),
  );
}

/** The fit: how it is applied, or why it is refused and how it is corrected. */
export class FitView {
  constructor(calibration) {
    this.calibration = calibration;
    this.node = element('section', null, { class: 'part', 'aria-label': texts.calResult });
    this.known = '';
    this.areDetailsOpen = false;
  }

  show(state, isReady) {
    const { fit, steps, applied, can_undo: canUndo, storage, curve } = state;
    // The result of a calibration that is over stays readable.
    const isShown = fit !== null && (isReady || state.state === 'ended');
    const known = isShown &&
      JSON.stringify([fit, applied, canUndo, storage, curve, steps.map((each) => each.mass_g), isReady]);
    this.node.hidden = !isShown;
    if (known === this.known || !isShown) return;
    this.known = known;
    this.node.replaceChildren(
      element('h3', texts.calResult),
      ...(fit.ok ? this.accepted(state, isReady) : this.refused(state, isReady)).filter(Boolean),
    );
  }

  verdict(isGood, text) {
    return element('p', text, { class: `verdict ${isGood ? 'good' : 'bad'}`, role: 'status' });
  }

  accepted(state, isReady) {
    const { fit, applied, can_undo: canUndo, storage } = state, beyond = fit.extrapolated_above_g;
    const doubt = element('p', null, { role: 'alert' });
    if (fit.doubt) tell(doubt, [fit, 'doubt'], (own) => say('calibrationCheck', { reason: own }));
    const apply = applied ? null : button(
      fit.doubt ? texts.calApplyAnyway : texts.calApply,
      () => this.apply(fit, storage),
      fit.doubt ? {} : { class: 'main' },
    );
    const undo = canUndo && button(texts.calUndo, async () => {
      if (await this.calibration.command('undo')) toast(texts.calUndone);
    });
    return [
      fit.doubt
        ? this.verdict(false, texts.calDoubtful)
        : this.verdict(true, say('calGood', { mass: accuracyOf(fit) })),
      fit.doubt && element('div', [doubt, isReady && !applied ? this.corrections(fit.suspect_g) : null], {
        class: 'question',
      }),
      beyond !== null && soft(say('calBeyond', { mass: g(beyond) })),
      applied && element('p', texts.calInUse, { class: 'good', role: 'status' }),
      isReady && acts(apply, undo || null),
      this.details(state, isReady),
    ];
  }

  /** The curve and its residuals, for those who want to know. */
  details({ fit, curve }, isReady) {
    const shapes = element('select', options(SHAPES));
    shapes.value = curve ?? '';
    shapes.addEventListener(
      'change',
      () => this.calibration.command('fit', shapes.value ? { curve: shapes.value } : {}),
    );
    const why = element('p');
    const uncertainty = say('calibrationUncertainty', { mass: fit.uncertainty_g.toFixed(2) });
    tell(why, [fit, 'explanation'], (own) => `${say('calibrationCurve', { explanation: own })} ${uncertainty}`);
    const heads = [texts.calMass, texts.calCounts, texts.calResidual, texts.calLeftOut, texts.calNoise];
    const rows = fit.points.map((p) => [
      g(p.mass_g),
      p.counts.toFixed(1),
      signed(p.residual_g),
      signed(p.left_out_g),
      `± ${p.uncertainty_g.toFixed(2)}`,
    ]);
    const node = details(
      texts.calDetails,
      part(
        why,
        drawn(texts.calResult, (...picture) => draw(fit.points, ...picture)),
        legend({ point: texts.calKeyResidual, left: texts.calKeyLeftOut }),
        table(texts.calTable, heads, rows),
        soft(texts.calNote),
        isReady ? element('label', [element('span', texts.calCurve), shapes]) : null,
      ),
    );
    node.open = this.areDetailsOpen;
    node.addEventListener('toggle', () => this.areDetailsOpen = node.open);
    return node;
  }

  refused({ fit }, isReady) {
    const reason = element('p', null, { role: 'alert' });
    tell(reason, [fit, 'detail'], (own) => say('calibrationCheck', { reason: own }));
    return [this.verdict(false, texts.calRefused), reason, isReady && this.corrections(fit.suspect_g)];
  }

  /** Measures the mass again that does not fit, or corrects what was typed. */
  corrections(suspect) {
    const { steps } = this.calibration.state, index = steps.findIndex((step) => step.mass_g === suspect);
    if (index < 0) return null;
    const again = button(
      say('calRepeatIt', { name: nameOf(steps[index]) }),
      () => this.calibration.command('select', { step: index }),
      { class: 'main' },
    );
    if (!suspect) return row(again);
    const fields = [
      input(texts.calCorrectMass, massField('mass', { required: '', min: '0.001', value: suspect })),
      element('button', texts.calCorrect),
    ];
    const form = onSubmit(element('form', fields, { class: 'fields' }), ({ mass }) => {
      this.calibration.command('correct', { step: index, mass_g: Number(mass) });
    });
    return part(row(again), form);
  }

  async apply(fit, storage) {
    if (fit.doubt) {
      const doubt = await inOwnWords(fit, 'doubt');
      if (!await ask(texts.calAskDoubtful, '', doubt, texts.calApply, texts.pageCancel, true)) return;
    }
    if (await this.calibration.command('apply', fit.doubt ? { accept_doubt: true } : {})) {
      toast(storage === 'memory' ? texts.calAppliedMemory : texts.calApplied);
    }
  }
}
