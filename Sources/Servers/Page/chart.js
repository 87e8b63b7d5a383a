// The chart of a net: over the last minutes, with a zoom, or around a weighing. Readings arrive on change and with each heartbeat: a
// value is valid until the next reading, but at most for a heartbeat; after that the chart shows a gap.

import { MINIMUM, PREVIEW, Press } from './force.js';

const KEEP = 300e3;
export const LATE = 1000; // ms, tolerated delay of a heartbeat
const DEEPEST = 16; // maximum zoom; a force of 1 gives half of it
const pen = document.createElement('canvas').getContext('2d');

/** Makes an SVG element. */
export function svg(name, attributes = {}, ...content) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...content);
  return node;
}

/** The width of a text in a CSS font. */
export function widthOf(text, font) {
  pen.font = font;
  return pen.measureText(text).width;
}

export class Chart {
  /** `origin` is the time of the weighing, in a chart of the time around it. */
  constructor(box, origin = null, range = null) {
    Object.assign(this, { box, origin, fixed: range, zoom: 1 });
    this.end = null; // the end of the shown time; null for now

    this.points = []; // {t: performance.now(), v: grams or null, s: state}
    this.weighings = []; // {t, v, label}
    this.outages = []; // [from, to]: times without contact with the appliance
    this.span = KEEP;
    this.unknownFrom = null; // start of the current outage
    this.heartbeat = 5000;
    this.unit = { symbol: 'g', grams: 1, decimals: 0 };
    this.svg = svg('svg', { 'aria-hidden': 'true' });
    const id = Chart.count = (Chart.count ?? 0) + 1;
    this.hatch = `url(#hatch${id})`;
    const hatch = svg('pattern', { id: `hatch${id}`, width: 7, height: 7, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(25)' },
      svg('rect', { width: 2.5, height: 7 }));
    this.clip = svg('rect');
    this.svg.append(svg('defs', {}, hatch, svg('clipPath', { id: `plot${id}` }, this.clip)));
    this.layers = {};
    for (const name of ['grid', 'plot', 'words']) this.svg.append(this.layers[name] = svg('g', name === 'plot' ? { 'clip-path': `url(#plot${id})` } : {}));
    box.append(this.svg);
    new ResizeObserver(() => this.draw()).observe(box);
  }

  add(t, v, s) {
    const last = this.points.at(-1);
    if (last && t <= last.t) return;
    this.points.push({ t, v, s });
    const old = t - KEEP;
    if (this.points.length > 1 && this.points[1].t < old) this.points.splice(0, this.points.findIndex(p => p.t >= old) - 1);
    this.outages = this.outages.filter(([, to]) => to > old);
  }

  /** Replaces all points except those in an outage: the page did not receive them when they were current. */
  replace(points) {
    this.points = points.filter(p => !this.outages.some(([from, to]) => p.t > from && p.t < to));
  }

  /** Ends the current outage. */
  reconnect(now) {
    if (this.unknownFrom !== null) this.outages.push([this.unknownFrom, now]);
    this.unknownFrom = null;
  }

  get summary() {
    const seen = this.visible(performance.now()).filter(p => p.v !== null).map(p => p.v);
    if (!seen.length) return '«pageNetOverTime»: «pageNoData»';
    const seconds = Math.round(this.span / this.zoom / 1e3);
    return `«pageChartSummary time=${seconds % 60 ? `${seconds} s` : `«pageMinutes count=${seconds / 60}»`} latest=${this.name(seen.at(-1))} least=${this.name(Math.min(...seen))} most=${this.name(Math.max(...seen))}»`;
  }

  /** A mass with its unit; grams as they are. */
  name(v) {
    const { symbol, grams, decimals } = this.unit;
    return symbol === 'g' ? `${v} g` : `${(v / grams).toFixed(decimals)} ${symbol}`;
  }

  /** The first and the last shown time. */
  range(now) {
    if (this.fixed) return this.fixed;
    const span = this.span / this.zoom;
    // What is older than the chart's minutes is not shown for longer.
    const to = Math.max(this.end ?? now, now - this.span + span);
    return [to - span, to];
  }

  /** The points of the shown time, with the ones before and after it. */
  visible(now) {
    const [from, to] = this.range(now);
    const first = this.points.findLastIndex(p => p.t <= from), after = this.points.findIndex(p => p.t > to);
    return this.points.slice(Math.max(first, 0), after < 0 ? undefined : after + 1);
  }

  /** Zooms so that the time at a fraction of the width stays there. */
  zoomTo(zoom, at, now = performance.now()) {
    const [from, to] = this.range(now);
    this.zoom = zoom < 1.02 ? 1 : Math.min(zoom, DEEPEST);
    const span = this.span / this.zoom;
    this.show(from + at * (to - from) + (1 - at) * span, now);
  }

  /** Shows the time up to `end`, within the chart's minutes. */
  show(end, now = performance.now()) {
    this.end = end < now && this.zoom > 1 ? Math.max(end, now - this.span + this.span / this.zoom) : null;
    this.draw(now);
    this.box.setAttribute('aria-label', this.summary);
  }

  /** Force zooms as long as it lasts; pinching, the wheel and keys zoom until they zoom out again. */
  enableZoom(card) {
    const { box } = this, fingers = new Map();
    let before = null, pinch = null, scrolled = -1e9;
    const fraction = x => {
      const { x: left, width } = this.clip;
      return Math.min(Math.max((x - box.getBoundingClientRect().left - left.baseVal.value) / width.baseVal.value, 0), 1);
    };
    new Press(box, {
      full: () => Infinity, // without a sensor there is no zoom by time
      onBegin: e => { before = [this.zoom, this.end, fraction(e.clientX)]; return true; },
      onMove: p => {
        if (p.elapsed < MINIMUM || (!p.isUsed && p.intention < PREVIEW)) return;
        if (!p.isUsed) this.end = this.range(performance.now())[1];
        p.isUsed = true;
        this.zoomTo(before[0] * (DEEPEST / 2) ** Math.max((p.intention - PREVIEW) / (1 - PREVIEW), 0), before[2]);
      },
      onEnd: (_, p) => {
        if (!p.isUsed) return;
        this.zoom = before[0];
        this.show(before[1] ?? Infinity);
      },
    });
    box.addEventListener('pointerdown', e => {
      if (e.pointerType === 'touch') fingers.set(e.pointerId, e.clientX);
      if (fingers.size !== 2) return;
      const [a, b] = fingers.values();
      pinch = { zoom: this.zoom, width: Math.max(Math.abs(a - b), 20), at: fraction((a + b) / 2) };
    });
    window.addEventListener('pointermove', e => {
      if (!fingers.has(e.pointerId)) return;
      fingers.set(e.pointerId, e.clientX);
      if (!pinch) return;
      const [a, b] = fingers.values();
      this.zoomTo(pinch.zoom * Math.abs(a - b) / pinch.width, pinch.at);
    });
    for (const name of ['pointerup', 'pointercancel']) window.addEventListener(name, e => {
      if (fingers.delete(e.pointerId)) pinch = null;
    });
    // A wheel that is scrolling the page goes on scrolling it.
    window.addEventListener('wheel', e => {
      const isFree = box.contains(e.target) && e.timeStamp - scrolled > 400 && (this.zoom > 1 || e.deltaY < 0);
      if (!isFree) { scrolled = e.timeStamp; return; }
      e.preventDefault();
      this.zoomTo(this.zoom * Math.exp(-e.deltaY * (e.ctrlKey ? .01 : .002)), fraction(e.clientX));
    }, { passive: false });
    const zoom = { '+': 2, '=': 2, '-': .5, 0: 0, Escape: 0 }, pan = { ArrowLeft: -.25, ArrowRight: .25 };
    const turn = key => key in zoom ? this.zoomTo(this.zoom * zoom[key], this.end === null ? 1 : .5)
      : this.show(this.range(performance.now())[1] + pan[key] * this.span / this.zoom);
    card.addEventListener('keydown', e => {
      if (box.hidden || e.ctrlKey || e.metaKey || e.altKey || !(e.key in zoom || e.key in pan)) return;
      e.preventDefault();
      turn(e.key);
    });
    for (const button of card.querySelectorAll('[data-zoom]')) button.addEventListener('click', () => { if (!box.hidden) turn(button.dataset.zoom); });
  }

  /** The time until which the value of a point is valid, and whether the next point follows without a gap. */
  hold(point, next, now) {
    const limit = this.heartbeat + LATE;
    const end = next?.t ?? Math.min(now, this.unknownFrom ?? now);
    const outage = this.outages.find(([from]) => from >= point.t && from < end);
    if (outage) return [outage[0], false];
    // No reading for longer than a heartbeat: the value is unknown after the last reading.
    return end - point.t > limit ? [point.t, false] : [end, Boolean(next)];
  }

  /** The values that the vertical axis has to cover. */
  values(points) { return points.filter(p => p.v !== null).map(p => p.v); }

  /** The times with a label, `[time, text]`: both ends first, then those in between if there is room. */
  ticks(start, until, now) {
    const every = [1, 2, 5, 15, 30, 60].map(s => s * 1e3).find(t => t * 5.1 >= until - start) ?? 60e3, zero = this.origin ?? now;
    const times = [];
    for (let n = Math.floor((until - zero) / every + .001); n * every >= start - zero - 1; n--) times.push(n * every);
    return [times[0], ...times.slice(1).toReversed()].map(at => [zero + at,
      !at ? this.origin === null ? '«pageNow»' : '0 s' : every === 60e3 ? `${at / 60e3} «pageMin»` : `${at > 0 ? '+' : ''}${at / 1e3} s`]);
  }

  /** The elements of the curve; `until` is the time until which the last value is valid. */
  curve(points, { x, y, top, bottom, until }) {
    const path = { move: '', rest: '', ground: '' }, bands = [];
    for (let i = 0; i < points.length; i++) {
      const { t, v, s } = points[i], next = points[i + 1];
      const [end, isJoined] = this.hold(points[i], next, until);
      const [a, b] = [x(t), x(end)];
      if (s === 'overload') bands.push(svg('rect', { x: a, y: top, width: Math.max(b - a, 1), height: bottom - top, class: 'over', fill: this.hatch }));
      // Unknown values: after the end of validity, or without a pad.
      const last = next?.t ?? until;
      const unknownFrom = v === null && s !== 'overload' ? t : end;
      if (!isJoined && last - unknownFrom > LATE || (v === null && s !== 'overload')) {
        bands.push(svg('rect', { x: x(unknownFrom), y: top, width: Math.max(x(last) - x(unknownFrom), 1), height: bottom - top, class: 'gap' }));
      }
      if (v === null) continue;
      const before = points[i - 1];
      const isLinked = i > 0 && before.v !== null && this.hold(before, points[i], until)[1];
      if (!isLinked) path.move += `M${a} ${y(v)}`;
      // A changing load is drawn as a straight line to the next value, a settled one as a step.
      const isMoving = isJoined && next.v !== null && next.t - t < 700;
      if (!isMoving) path.move += `L${b} ${y(v)}`;
      if (isJoined && next.v !== null) path.move += `L${x(next.t)} ${y(next.v)}`;
      if (s === 'stable') {
        path.rest += `M${a} ${y(v)}H${b}`;
        path.ground += `M${a} ${y(v)}H${b}V${y(0)}H${a}Z`;
      }
    }
    return [...bands, ...['ground', 'move', 'rest'].map(name => svg('path', { class: name, d: path[name] || 'M0 0' }))];
  }

  draw(now = performance.now()) {
    const [w, h] = [this.box.clientWidth, this.box.clientHeight];
    if (!w || !h) return;
    this.svg.setAttribute('viewBox', `0 0 ${w} ${h}`);
    const style = getComputedStyle(this.box);
    const em = parseFloat(style.fontSize);
    const measure = text => widthOf(text, `${style.fontSize} ${style.fontFamily}`);
    const inUnit = g => g === null ? null : g / this.unit.grams;
    const points = this.visible(now).map(p => ({ ...p, v: inUnit(p.v) }));
    const values = this.values(points);
    const [top, bottom, right] = [em * 1.9, h - em * 1.7, w - 6];
    const [low, high, step] = scaleFor(Math.min(0, ...values), Math.max(10 / this.unit.grams, ...values), Math.max(2, Math.floor((bottom - top) / (em * 2.6))));
    const steps = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => +(low + i * step).toFixed(6));
    const name = v => String(v).replace('-', '−');
    const left = Math.ceil(Math.max(...steps.map(v => measure(name(v))))) + em * .7;
    const [start, until] = this.range(now);
    const x = t => +(right - (until - t) / (until - start) * (right - left)).toFixed(1);
    const y = v => +(bottom - (v - low) / (high - low) * (bottom - top)).toFixed(1);
    for (const [key, value] of Object.entries({ x: left, y: 0, width: Math.max(right - left, 0), height: h })) this.clip.setAttribute(key, value);

    const word = (text, at, base, anchor, kind = 'tick') => svg('text', { x: at, y: base, 'text-anchor': anchor, class: kind }, text);
    const words = steps.map(v => word(name(v), left - em * .5, y(v) + em * .35, 'end'));
    const taken = [];
    for (const [t, text] of this.ticks(start, until, now)) {
      const width = measure(text);
      const from = Math.max(Math.min(x(t) - width / 2, right - width), left);
      if (claim(taken, from, width, em)) words.push(word(name(text), from, h - em * .35, 'start'));
    }

    // Weighings; if two labels would overlap, only the newer is shown.
    const marks = [], numbers = [];
    for (const mark of this.weighings.toReversed()) {
      const at = x(mark.t);
      if (at < left || at > right) continue;
      const width = measure(mark.label);
      marks.push(svg('path', { class: 'mark', d: `M${at} ${top - 4}V${bottom}` }),
        svg('path', { class: 'diamond', d: `M${at} ${y(inUnit(mark.v)) - 7}l7 7l-7 7l-7 -7Z` }));
      const from = Math.min(Math.max(at - width / 2, left), right - width);
      if (claim(numbers, from, width, em * .5)) words.push(word(mark.label, from, em * 1.1, 'start', 'number'));
    }
    this.layers.grid.replaceChildren(...steps.map(v => svg('path', { class: v === 0 ? 'line zero' : 'line', d: `M${left} ${Math.round(y(v)) + .5}H${right}` })));
    this.layers.plot.replaceChildren(...this.curve(points, { x, y, top, bottom, start, until: this.fixed ? until : now }), ...marks);
    this.layers.words.replaceChildren(...words);
  }
}

// Reserves a range unless it is closer than `distance` to a reserved one.
function claim(taken, from, width, distance) {
  if (taken.some(([a, b]) => from < b + distance && from + width + distance > a)) return false;
  taken.push([from, from + width]);
  return true;
}

// A range with round limits around the values, and its step.
function scaleFor(low, high, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= rough);
  return [Math.floor(low / step) * step, Math.ceil(high * 1.02 / step) * step, step];
}
