// The chart of hours: the lowest and the highest net of each bucket as a band, the last one as a line, in clock time. Loaded when a
// range of hours is chosen.

import { Chart, LATE, svg } from './chart.js';
import { LOCALE } from './panels.js';

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map(minutes => minutes * 60e3);

class HoursChart extends Chart {
  /** `page` provides `load` and `chart`, that of minutes. */
  constructor(box, page) {
    super(box);
    Object.assign(this, { page, size: 0, last: null, turn: 0 });
  }

  /** Reads a range, such as `1h`, which is shown then. */
  choose(choice, span) {
    Object.assign(this, { choice, span, size: 0, points: [], zoom: 1, end: null });
    return this.reload();
  }

  /** Reads the range again: after an outage the server knows more. */
  async reload() {
    if (this.box.hidden) return;
    const turn = ++this.turn, answer = await this.page.load(`api/trace?range=${this.choice}`);
    if (turn !== this.turn || !answer) return;
    const now = performance.now();
    this.size = answer.bucket_ms;
    this.points = answer.buckets.map(([age, low, high, v, over]) => ({ t: now - age, low, high, v, over }));
    const newest = this.points.at(-1);
    this.last = newest && newest.t + 2 * this.size > now ? { t: now, v: newest.v, s: newest.v === null ? 'overload' : '' } : null;
    this.draw();
    this.box.setAttribute('aria-label', this.summary);
  }

  /** Follows a reading, as the server does: the one before it is valid until then, unless it is too old. */
  add(t, v, s) {
    if (!this.size) return;
    if (this.last && t - this.last.t <= this.heartbeat + LATE) this.merge(this.last, this.last.t, t);
    this.merge({ v, s }, t, t);
    this.last = { t, v, s };
    const old = this.points.findIndex(p => p.t + this.size > t - this.span);
    if (old > 0) this.points.splice(0, old);
  }

  merge({ v, s }, from, to) {
    const over = s === 'overload';
    if (v === null && !over) return;
    const zero = this.points[0]?.t ?? from, { size } = this;
    for (let n = Math.floor((from - zero) / size); zero + n * size <= to; n++) {
      const t = zero + n * size;
      let bucket = this.points.at(-1);
      if (!bucket || bucket.t < t - size / 2) this.points.push(bucket = { t, low: null, high: null, v: null, over: false });
      bucket.over ||= over;
      if (v === null) continue;
      bucket.low = Math.min(bucket.low ?? v, v);
      bucket.high = Math.max(bucket.high ?? v, v);
      bucket.v = v;
    }
  }

  get heartbeat() { return this.page?.chart.heartbeat ?? 5000; }
  set heartbeat(_) {}
  get unit() { return this.page?.chart.unit ?? { symbol: 'g', grams: 1, decimals: 0 }; }
  set unit(_) {}
  get weighings() { return this.page?.chart.weighings ?? []; }
  set weighings(_) {}

  get summary() {
    const seen = this.visible(performance.now()).filter(p => p.v !== null);
    if (!seen.length) return '«pageNetOverTime»: «pageNoData»';
    const [least, most] = [Math.min(...seen.map(p => p.low)), Math.max(...seen.map(p => p.high))];
    return `«pageChartSummary time=${this.choice.replace('h', ' h')} latest=${this.name(seen.at(-1).v)} least=${this.name(least)} most=${this.name(most)}»`;
  }

  values(points) { return points.filter(p => p.v !== null).flatMap(p => [p.low, p.high].map(g => g / this.unit.grams)); }

  ticks(start, until, now) {
    const every = STEPS.find(step => step * 5.1 >= until - start) ?? STEPS.at(-1);
    const offset = Date.now() - now, zone = new Date().getTimezoneOffset() * 60e3;
    const times = [];
    for (let at = Math.floor((until + offset - zone) / every) * every + zone - offset; at >= start; at -= every) times.push(at);
    return times.map(t => [t, new Date(t + offset).toLocaleTimeString(LOCALE, { timeStyle: 'short' })]);
  }

  curve(points, { x, y, top, bottom, start, until }) {
    const bands = [], path = { ground: '', move: '' }, { grams } = this.unit;
    const rect = (from, to, name, more = {}) => svg('rect', { x: x(from), y: top, width: Math.max(x(to) - x(from), 1), height: bottom - top, class: name, ...more });
    let known = start, isOpen = false;
    for (const { t, low, high, v, over } of points) {
      const end = Math.min(t + this.size, until);
      if (t - known > this.size / 2) { bands.push(rect(known, t, 'gap')); isOpen = false; }
      known = Math.max(known, end);
      if (over) bands.push(rect(t, end, 'over', { fill: this.hatch }));
      if (v === null) { isOpen = false; continue; }
      path.ground += `M${x(t)} ${y(high / grams)}H${x(end)}V${y(low / grams)}H${x(t)}Z`;
      path.move += `${isOpen ? 'L' : 'M'}${x(t)} ${y(v)}L${x(end)} ${y(v)}`;
      isOpen = true;
    }
    if (until - known > this.size) bands.push(rect(known, until, 'gap'));
    return [...bands, svg('path', { class: 'band', d: path.ground || 'M0 0' }), svg('path', { class: 'move', d: path.move || 'M0 0' })];
  }
}

let hours = null;

/** Makes the chart of hours next to that of minutes, once. */
export function openRanges(page) {
  if (hours) return hours;
  const box = document.createElement('div');
  Object.assign(box, { id: 'hours', className: 'chart', tabIndex: 0, hidden: true });
  box.setAttribute('role', 'img');
  page.chart.box.after(box);
  hours = new HoursChart(box, page);
  hours.enableZoom(box.closest('.card'));
  return hours;
}
