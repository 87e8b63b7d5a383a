// The card of the calibration in use: its curve with the residuals, and its points.

import { element, svg } from './dom.js';
import { details, drawn, table, word } from './parts.js';
import { load } from './requests.js';
import { fixed, on, scale, stateOf } from './scale.js';
import { say, texts } from './texts.js';

const SHAPES = {
  linear: texts.shapeLinear,
  monotone: texts.shapeMonotone,
  polynomial: texts.shapePolynomial,
  power: texts.shapePower,
};

// A load cell that was not calibrated has no origin.
const originOf = (r) => stateOf(r) === 'uncalibrated' ? 'none' : r?.calibration;

const ORIGINS = {
  kernel: texts.pageKernelOrigin,
  known: texts.pageKnownOrigin,
  nominal: texts.pageNominalOrigin,
  none: texts.warningNotCalibrated,
};

/** The calibration in use: its curve and its points. */
export class CurveCard {
  constructor() {
    this.word = element('span', null, { id: 'calibration-word' });
    this.box = element('div', null, { id: 'calibration' });
    this.node = element('section', [
      element('div', [element('h2', texts.pageCalibration), this.word], { class: 'head' }),
      this.box,
    ], { class: 'card', id: 'calibration-card' });
    this.data = null;
    on('event', ({ type }, isOld) => {
      if (!isOld && (type === 'calibrated' || type === 'reloaded')) this.reload();
    });
    on('open', () => this.reload());
    on('live', (r) => {
      if (this.data && this.origin !== originOf(r)) this.update();
    });
  }

  async reload() {
    this.data = await load('api/calibration') ?? this.data;
    if (this.data) this.update();
  }

  update() {
    const { data, box } = this, origin = this.origin = originOf(scale.reading);
    if (!data.shape) {
      this.word.textContent = {
        kernel: texts.originKernel,
        known: texts.originKnown,
        nominal: texts.originNominal,
        none: texts.stateNotCalibrated,
      }[origin] ?? origin ?? '';
      box.replaceChildren(element('p', ORIGINS[origin] ?? texts.pageNoCalibration));
      return;
    }
    this.word.textContent = say('pageCurve', {
      shape: SHAPES[data.shape] ?? data.shape,
      points: data.points.length,
      uncertainty: data.uncertainty_g,
    });
    const rows = data.points.map((p) => [
      String(p.raw),
      p.grams.toFixed(1),
      p.residual_g === null ? texts.pageEnd : fixed(p.residual_g, 2),
    ]);
    box.replaceChildren(
      drawn(texts.pageCalibration, (...picture) => draw(data, ...picture)),
      element('p', texts.pageResidualsBelow),
      details(
        texts.pagePointsTable,
        table(texts.pagePointsTable, [texts.pageRaw, texts.pageGrams, texts.pageResidual], rows),
      ),
    );
  }
}

// Draws the curve with the residuals below it.
function draw(data, picture, W, H, { em, measure }) {
  const xMax = data.points.at(-1).raw, xMin = data.points[0].raw;
  const yMax = data.points.at(-1).grams, yMin = Math.min(0, data.points[0].grams);
  const misses = data.points.filter((p) => p.residual_g !== null);
  const most = Math.max(1, ...misses.map((p) => Math.abs(p.residual_g)));
  const marks = [
    `${Math.round(yMax)} g`,
    `${Math.round(yMin)} g`,
    `+${most.toFixed(1)} g`,
    '0 g',
    `−${most.toFixed(1)} g`,
  ];
  const L = Math.max(...marks.map(measure)) + em * .7;
  const R = W - 8, T = 10, S = em * 1.7, Z = H - em * 1.8 - S, B = Z - S - em * 2;
  const x = (r) => L + 8 + (r - xMin) / (xMax - xMin) * (R - L - 8),
    y = (g) => B - (g - yMin) / (yMax - yMin) * (B - T);
  const axis = (y) => svg('line', { class: 'axis', x1: L, x2: R, y1: y, y2: y });
  const values = { points: data.points.length, mass: Math.round(yMax), residual: most.toFixed(1) };
  picture.ariaLabel = say('pageCurveSummary', values);
  picture.replaceChildren(
    axis(B),
    axis(Z),
    ...[T + em * .4, B, Z - S, Z, Z + S].map((at, i) => word(marks[i], L - em * .4, at + em * .35, 'end')),
    word(say('pageRawRange', { from: xMin, to: xMax }), R, H - em * .3, 'end'),
    svg('polyline', {
      class: 'curve',
      points: data.curve.map(([r, g]) => `${x(r).toFixed(1)},${y(g).toFixed(1)}`).join(' '),
    }),
    ...misses.flatMap((p) => [
      svg('line', { class: 'miss', x1: x(p.raw), x2: x(p.raw), y1: Z, y2: Z - p.residual_g / most * S }),
      svg('circle', { class: 'end', cx: x(p.raw), cy: Z - p.residual_g / most * S, r: 4.5 }),
    ]),
    ...data.points.map((p) =>
      svg(
        'circle',
        { class: 'point', cx: x(p.raw), cy: y(p.grams), r: 5 },
        svg('title', {}, `${texts.pageRaw} ${p.raw}: ${p.grams.toFixed(1)} g`),
      )
    ),
  );
}
