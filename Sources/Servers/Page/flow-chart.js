// The curves of a brew: the net as a line and the flow as an area, since the start of the timer or over some minutes.

import { clock } from './display.js';
import { element, svg } from './dom.js';
import { fontOf, legend, word } from './parts.js';
import { load } from './requests.js';
import { scale } from './scale.js';
import { say, texts } from './texts.js';

const KEPT = 900e3; // ms
const SPAN = 240e3; // ms that are shown without a timer
const LEAST = 30e3; // ms, the shortest time that fills the width
const APART = 150; // ms between two points, so that a quarter of an hour is drawn in time
const FRAME = 250; // ms between two drawings
const MOST_FLOW = 5; // g/s, the least end of the axis of the flow
const STEPS = [5, 10, 30, 60, 120, 300]; // s between two lines

/** The end of an axis for a value: 1, 1.5, 2, ... 9.5, 10 times a power of ten. */
const endOf = (value) => {
  const half = 10 ** Math.floor(Math.log10(value)) / 2;
  return Math.ceil(value / half) * half;
};

export class FlowChart {
  /** `timer` has the time at which a brew began and that at which it ended. */
  constructor(timer) {
    Object.assign(this, { timer, points: [], drawn: 0, target: null }); // points: {t, net, flow}, in grams
    this.picture = svg('svg', { 'aria-hidden': 'true' });
    this.box = element('div', this.picture, { class: 'chart', role: 'img', 'aria-label': texts.pageBrewChart });
    this.node = element('div', [this.box, legend({ net: texts.pageNet, flow: texts.pageFlow })], { class: 'curves' });
    new ResizeObserver(() => this.draw()).observe(this.box);
    this.fetch();
  }

  /** Begins with what the scale remembers of the net; of the flow it remembers nothing. */
  async fetch() {
    const trace = await load('api/trace') ?? [], now = performance.now(), first = this.points[0]?.t ?? now;
    const earlier = trace.map(([age, net]) => ({ t: now - age, net, flow: 0 })).filter(({ t }) => t < first);
    this.points.unshift(...earlier);
    this.draw();
  }

  /** Adds a reading; a gap has a `net` of null. */
  add(t, r) {
    this.target = r.target?.target_g ?? null;
    const point = { t, net: r.net_g, flow: r.flow_g_s ?? 0 }, { points } = this;
    if (points.length > 1 && t - points.at(-2).t < APART) points.pop();
    points.push(point);
    while (points[1]?.t < t - KEPT) points.shift();
    if (t - this.drawn > FRAME) this.draw(t);
  }

  draw(now = performance.now()) {
    const W = this.box.clientWidth, H = this.box.clientHeight, { zero, end, state } = this.timer;
    if (!W || !H || this.points.length < 2) return;
    this.drawn = now;
    const isTimed = zero !== null && (state === 'running' || end !== null);
    const last = isTimed ? end ?? now : now;
    const from = isTimed ? zero : Math.max(last - SPAN, Math.min(this.points[0].t, last - LEAST));
    const to = isTimed ? Math.max(last, from + LEAST) : last;
    const points = this.points.filter(({ t }, i, all) => t <= last && (all[i + 1]?.t ?? t) >= from);
    const { em, measure } = fontOf(this.box), { unit } = scale.hello;
    const top = endOf(Math.max(10, this.target ?? 0, ...points.map((p) => p.net ?? 0)) / unit.grams) * unit.grams;
    const flood = endOf(Math.max(MOST_FLOW, ...points.map((p) => p.flow)));
    const words = [`${+(top / unit.grams).toFixed(2)} ${unit.symbol}`, `${flood} g/s`];
    const [L, R] = words.map((text) => measure(text) + em * .6);
    const T = em, B = H - em * 1.6, place = (t) => L + (Math.max(t, from) - from) / (to - from) * (W - L - R);
    const x = (t) => place(t).toFixed(1), y = (share) => (B - Math.min(Math.max(share, 0), 1) * (B - T)).toFixed(1);
    const level = (share) => `M${L} ${y(share)}H${W - R}`;
    let line = '', isOpen = false;
    for (const { t, net } of points) {
      line += net === null ? '' : `${isOpen ? 'L' : 'M'}${x(t)} ${y(net / top)}`;
      isOpen = net !== null;
    }
    const flows = points.map((p) => `L${x(p.t)} ${y(p.flow / flood)}`).join('');
    const area = points.length < 2 ? 'M0 0' : `M${x(points[0].t)} ${B}${flows}L${x(points.at(-1).t)} ${B}Z`;
    const most = (W - L - R) / (em * 4), step = STEPS.find((s) => (to - from) / s <= most * 1e3) ?? 300, lines = [];
    for (let s = step; s * 1e3 < to - from; s += step) lines.push(s);
    const at = (s) => isTimed ? from + s * 1e3 : to - s * 1e3;
    this.picture.setAttribute('viewBox', `0 0 ${W} ${H}`);
    this.picture.replaceChildren(
      svg('path', {
        class: 'line',
        d: [...[0, .5, 1].map(level), ...lines.map((s) => `M${x(at(s))} ${T}V${B}`)].join(''),
      }),
      svg('path', { class: 'band', d: area }),
      svg('path', { class: 'move', d: line || 'M0 0' }),
      this.target === null ? '' : svg('path', { class: 'mark', d: level(this.target / top) }),
      word(words[0], L - em * .3, T + em * .35, 'end'),
      word('0', L - em * .3, B + em * .35, 'end'),
      word(words[1], W - R + em * .3, T + em * .35, 'start'),
      ...lines.slice(0, -1).map((s) => word(isTimed ? clock(s) : `−${clock(s)}`, x(at(s)), H - em * .2, 'middle')),
      word(isTimed ? '0:00' : texts.pageNow, isTimed ? L : W - R, H - em * .2, 'middle'),
    );
    const { net, flow } = points.at(-1) ?? this.points.at(-1);
    this.box.ariaLabel = say('pageBrewSummary', { mass: net ?? '–', flow: flow.toFixed(1) });
  }
}
