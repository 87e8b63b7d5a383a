// The chart of a net: over the last minutes, with a zoom, or around a weighing. Readings arrive on change and with each
// heartbeat: a value is valid until the next reading, but at most for a heartbeat; after that the chart shows a gap.

import { curveOf, LATE } from './chart-curve.js';
import { drawCursor } from './chart-cursor.js';
import { groupsOf, shapesOf } from './chart-marks.js';
import { STATES } from './display.js';
import { element, svg } from './dom.js';
import { fontOf, word } from './parts.js';
import { mass, scale } from './scale.js';
import { LOCALE, say, texts } from './texts.js';

const KEEP = 300e3; // ms
const DEEPEST = 16; // maximum zoom of minutes

/** The box of a chart: a slider, whose value is what the chart shows at its cursor. */
export const chartBox = (attributes = {}) =>
  element('div', null, {
    class: 'chart',
    role: 'slider',
    tabindex: '0',
    'aria-label': texts.pageNetOverTime,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': 100,
    'aria-valuetext': '–',
    ...attributes,
  });

export class Chart {
  /** `origin` is the time of the weighing, in a chart of the time around it. */
  constructor(box, origin = null, range = null) {
    Object.assign(this, { box, origin, fixed: range, zoom: 1 });
    this.end = null; // the end of the shown time; null for now
    this.drawn = performance.now(); // the time of the picture, at which a pointer points
    this.cursor = null; // where values are read, as a fraction of the width
    this.points = []; // {t: performance.now(), v: grams or null, s: state}
    this.weighings = []; // {t, v, label, href}, oldest first
    this.outages = []; // [from, to]: times without contact with the appliance
    this.span = KEEP;
    this.unknownFrom = null; // start of the current outage
    this.onChange = null; // called when another time is shown
    this.onCursor = null; // called with what is at the cursor, `{text, marks}`, or `null`
    this.svg = svg('svg', { 'aria-hidden': 'true' });
    const id = Chart.count = (Chart.count ?? 0) + 1;
    this.hatch = `url(#hatch${id})`;
    const hatch = svg('pattern', {
      id: `hatch${id}`,
      width: 7,
      height: 7,
      patternUnits: 'userSpaceOnUse',
      patternTransform: 'rotate(25)',
    }, svg('rect', { width: 2.5, height: 7 }));
    this.clip = svg('rect');
    this.svg.append(svg('defs', {}, hatch, svg('clipPath', { id: `plot${id}` }, this.clip)));
    this.layers = {};
    for (const name of ['grid', 'plot', 'cursor', 'words']) {
      this.svg.append(this.layers[name] = svg('g', name === 'plot' ? { 'clip-path': `url(#plot${id})` } : {}));
    }
    box.append(this.svg);
    new ResizeObserver(() => this.draw()).observe(box);
  }

  add(t, v, s) {
    const last = this.points.at(-1);
    if (last && t <= last.t) return;
    this.points.push({ t, v, s });
    const old = t - KEEP;
    this.points.splice(0, this.points.findIndex((p) => p.t >= old) - 1);
    this.outages = this.outages.filter(([, to]) => to > old);
  }

  /** Replaces all points except those in an outage: the page did not receive them when they were current. */
  replace(points) {
    this.points = points.filter((p) => !this.outages.some(([from, to]) => p.t > from && p.t < to));
  }

  /** Ends the current outage. */
  reconnect(now) {
    if (this.unknownFrom !== null) this.outages.push([this.unknownFrom, now]);
    this.unknownFrom = null;
  }

  get summary() {
    const seen = this.visible(performance.now()).filter((p) => p.v !== null).map((p) => p.v);
    if (!seen.length) return `${texts.pageNetOverTime}: ${texts.pageNoData}`;
    return this.summarise(seen.at(-1), Math.min(...seen), Math.max(...seen));
  }

  /** What is said above the chart while no value is read. */
  get caption() {
    return this.summary;
  }

  summarise(latest, least, most) {
    const seconds = Math.round(this.span / this.zoom / 1e3), minutes = Math.round(seconds / 6) / 10;
    const time = seconds < 3600
      ? seconds % 60 && seconds < 600 ? `${seconds} s` : say('pageMinutes', { count: Math.round(minutes) })
      : `${Math.round(minutes / 6) / 10} ${texts.pageHour}`;
    return say('pageChartSummary', { time, latest: mass(latest), least: mass(least), most: mass(most) });
  }

  /** The last time that can be shown. */
  latest(now) {
    return now;
  }

  get deepest() {
    return Math.max(DEEPEST, this.span / KEEP);
  }

  /** Whether the whole range is shown, up to its end. */
  get isWhole() {
    return this.zoom === 1 && this.end === null;
  }

  /** The first and the last shown time. */
  range(now) {
    if (this.fixed) return this.fixed;
    const span = this.span / this.zoom, last = this.latest(now);
    // What is older than the range of the chart is not shown for longer.
    const to = Math.max(this.end ?? last, last - this.span + span);
    return [to - span, to];
  }

  /** The points of the shown time, with the ones before and after it. */
  visible(now) {
    const [from, to] = this.range(now);
    const first = this.points.findLastIndex((p) => p.t <= from), after = this.points.findIndex((p) => p.t > to);
    return this.points.slice(Math.max(first, 0), after < 0 ? undefined : after + 1);
  }

  /** Zooms so that the time at a fraction of the width stays there. */
  zoomTo(zoom, at, now = this.drawn) {
    const [from, to] = this.range(now);
    this.zoom = zoom < 1.02 ? 1 : Math.min(zoom, this.deepest);
    this.show(from + at * (to - from) + (1 - at) * this.span / this.zoom, now);
  }

  /** Shows the time up to `end`, within the range of the chart. */
  show(end, now = performance.now()) {
    const last = this.latest(now);
    this.end = end < last && this.zoom > 1 ? Math.max(end, last - this.span + this.span / this.zoom) : null;
    this.draw(now);
    this.box.ariaLabel = this.summary;
    this.onChange?.();
  }

  /** Shows the whole range. */
  reset() {
    this.zoom = 1;
    this.show(Infinity);
  }

  /** The fraction of the width at a place on the screen. */
  fraction(clientX) {
    const { left, right } = this.plot;
    return Math.min(Math.max((clientX - this.box.getBoundingClientRect().left - left) / (right - left), 0), 1);
  }

  /** Reads values at a fraction of the width; `null` ends that. */
  point(at) {
    if (this.cursor === at || !this.plot) return;
    this.cursor = at;
    drawCursor(this);
    this.box.ariaValueNow = Math.round((at ?? 1) * 100);
    this.box.ariaValueText = this.probe?.text ?? '–';
  }

  /** What is known at a time: a mass and a state; `null` if nothing is. */
  at(t, now) {
    const i = this.points.findLastIndex((p) => p.t <= t), point = this.points[i];
    return point && t <= this.hold(point, this.points[i + 1], now)[0] ? point : null;
  }

  /** The time of day, or the time before and after the weighing. */
  timeOf(t, now, timeStyle = 'medium') {
    if (this.origin !== null) return `${t > 0 ? '+' : ''}${(t / 1e3).toFixed(1).replace('-', '−')} s`;
    return new Date(Date.now() - now + t).toLocaleTimeString(LOCALE, { timeStyle });
  }

  describe(t, now) {
    const found = this.at(t, now), known = found && (found.v !== null || found.s === 'overload');
    const words = known ? [found.v === null ? null : mass(found.v), STATES[found.s]] : [texts.pageNoData];
    return [this.timeOf(t, now), ...words].filter(Boolean).join(' · ');
  }

  /** The time until which the value of a point is valid, and whether the next point follows without a gap. */
  hold(point, next, now) {
    const limit = this.origin === null ? scale.hello.heartbeat_ms + LATE : Infinity;
    const end = next?.t ?? Math.min(now, this.unknownFrom ?? now);
    const outage = this.outages.find(([from]) => from >= point.t && from < end);
    if (outage) return [outage[0], false];
    // No reading for longer than a heartbeat: the value is unknown after the last reading.
    return end - point.t > limit ? [point.t, false] : [end, Boolean(next)];
  }

  /** The values that the vertical axis has to cover. */
  values(points) {
    return points.filter((p) => p.v !== null).map((p) => p.v);
  }

  /** The times with a label, `[time, text]`, the last one first. */
  ticks(start, until, now) {
    const every = [1, 2, 5, 15, 30, 60].map((s) => s * 1e3).find((t) => t * 5.1 >= until - start) ?? 60e3,
      zero = this.origin ?? now;
    const times = [];
    for (let n = Math.floor((until - zero) / every + .001); n * every >= start - zero - 1; n--) times.push(n * every);
    return times.map((at) => [
      zero + at,
      !at
        ? this.origin === null ? texts.pageNow : '0 s'
        : every === 60e3
        ? `${at / 60e3} ${texts.pageMin}`
        : `${at > 0 ? '+' : ''}${at / 1e3} s`,
    ]);
  }

  /** The elements of the curve; `until` is the time until which the last value is valid. */
  curve(points, until) {
    return curveOf(this, points, until);
  }

  /** A time that has no value: `over` the range, or a `gap`. */
  band(kind, from, to) {
    const { x, top, bottom } = this.plot, width = Math.max(x(to) - x(from), 1);
    const more = kind === 'over' ? { fill: this.hatch } : {};
    return svg('rect', { x: x(from), y: top, width, height: bottom - top, class: kind, ...more });
  }

  draw(now = performance.now()) {
    const [w, h] = [this.box.clientWidth, this.box.clientHeight];
    if (!w || !h) return;
    this.drawn = now;
    this.svg.setAttribute('viewBox', `0 0 ${w} ${h}`);
    const { em, measure } = fontOf(this.box), { grams } = scale.hello.unit;
    const [start, until] = this.range(now);
    const points = this.visible(now).map((p) => ({ ...p, v: p.v === null ? null : p.v / grams }));
    const marks = this.weighings.filter((mark) => mark.t >= start && mark.t <= until).sort((a, b) => a.t - b.t);
    const values = [...this.values(points), ...marks.map((mark) => mark.v / grams)];
    const [top, bottom, right] = [em * 2.1, h - em * 1.7, w - 6];
    const [low, high, step] = scaleFor(
      Math.min(0, ...values),
      Math.max(10 / grams, ...values),
      Math.max(2, Math.floor((bottom - top) / (em * 2.6))),
    );
    const steps = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => +(low + i * step).toFixed(6));
    const name = (v) => String(v).replace('-', '−');
    const left = Math.ceil(Math.max(...steps.map((v) => measure(name(v))))) + em * .7;
    const x = (t) => +(right - (until - t) / (until - start) * (right - left)).toFixed(1);
    const y = (v) => +(bottom - (v - low) / (high - low) * (bottom - top)).toFixed(1);
    this.plot = { left, right, top, bottom, x, y, em, measure, start, until, now };
    for (const [key, value] of Object.entries({ x: left, y: 0, width: Math.max(right - left, 0), height: h })) {
      this.clip.setAttribute(key, value);
    }

    const words = steps.map((v) => word(name(v), left - em * .5, y(v) + em * .35, 'end'));
    // Every second or third time is named if there is no room for all; those at the edges are shifted inwards.
    const ticks = this.ticks(start, until, now), room = ticks.length > 1 ? x(ticks[0][0]) - x(ticks[1][0]) : 1;
    const thin = Math.ceil((Math.max(...ticks.map(([, text]) => measure(text))) * 1.5 + em * .7) / room);
    for (const [t, text] of ticks.filter((_, i) => i % thin === 0)) {
      const width = measure(text), from = Math.max(Math.min(x(t) - width / 2, right - width), left);
      words.push(word(name(text), from, h - em * .35, 'start'));
    }
    this.groups = groupsOf(marks.map((mark) => ({ ...mark, x: x(mark.t), y: y(mark.v / grams) })), em * 2);
    const { shapes, labels } = shapesOf(this.groups, this.plot);
    this.layers.grid.replaceChildren(
      ...steps.map((v) =>
        svg('path', { class: v === 0 ? 'line zero' : 'line', d: `M${left} ${Math.round(y(v)) + .5}H${right}` })
      ),
    );
    this.layers.plot.replaceChildren(
      ...this.curve(points, this.fixed ? until : now),
      ...shapes,
    );
    this.layers.words.replaceChildren(...words, ...labels);
    drawCursor(this);
  }
}

// A range with round limits around the values, and its step.
function scaleFor(low, high, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough);
  return [Math.floor(low / step) * step, Math.ceil(high * 1.02 / step) * step, step];
}
