// The chart of hours, or of a day, in clock time: the extremes of each bucket as a band, its last value as a line.

import { Chart } from './chart.js';
import { LATE, pathsOf } from './chart-curve.js';
import { load } from './requests.js';
import { mass, scale } from './scale.js';
import { say, texts } from './texts.js';

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map((minutes) => minutes * 60e3);
const NARROWEST = 2; // px of a bucket; narrower ones are drawn together

export class HoursChart extends Chart {
  constructor(box) {
    super(box);
    Object.assign(this, { size: 0, last: null, turn: 0, day: null });
  }

  /** Reads a range, such as `1h`, which is shown then; of a day, `{name, start, end}`, what is known of it. */
  choose(choice, span, day = null) {
    Object.assign(this, { choice, span, day, size: 0, points: [], weighings: [], zoom: 1, end: null });
    return this.reload();
  }

  /** Reads the range again: after an outage the server knows more. */
  async reload() {
    if (this.box.hidden) return;
    const turn = ++this.turn, answer = await load(`api/trace?range=${this.choice}`);
    if (turn !== this.turn || !answer) return;
    const now = performance.now();
    this.size = answer.bucket_ms;
    this.points = answer.buckets.map(([age, low, high, v, over]) => ({ t: now - age, low, high, v, over }));
    const newest = this.points.at(-1);
    this.last = newest && newest.t + 2 * this.size > now
      ? { t: now, v: newest.v, s: newest.v === null ? 'overload' : '' }
      : null;
    this.draw();
    this.box.ariaLabel = this.summary;
    this.onChange?.();
  }

  /** Follows a reading, as the server does: the one before it is valid until then, unless it is too old. */
  add(t, v, s) {
    if (!this.size) return;
    if (this.last && t - this.last.t <= scale.hello.heartbeat_ms + LATE) this.merge(this.last, this.last.t, t);
    this.merge({ v, s }, t, t);
    this.last = { t, v, s };
    const old = this.points.findIndex((p) => p.t + this.size > t - this.span);
    if (old > 0) this.points.splice(0, old);
  }

  merge({ v, s }, from, to) {
    const over = s === 'overload';
    if (v === null && !over) return;
    const zero = this.points[0]?.t ?? from, { size } = this;
    for (let n = Math.floor((from - zero) / size); zero + n * size <= to; n++) {
      const t = zero + n * size;
      let bucket = this.points.at(-1);
      if (!bucket || bucket.t < t - size / 2) {
        this.points.push(bucket = { t, low: null, high: null, v: null, over: false });
      }
      include(bucket, { low: v, high: v, v, over });
    }
  }

  /** A day has an end of its own. */
  latest(now) {
    return this.day ? now + this.day.end - Date.now() : now;
  }

  visible(now) {
    const [from, to] = this.range(now);
    return this.points.filter((p) => p.t + this.size > from && p.t <= to);
  }

  get summary() {
    const seen = this.visible(performance.now()).filter((p) => p.v !== null);
    if (this.day) return say('historyOfDay', { day: this.day.name, weighings: this.caption });
    if (!seen.length) return `${texts.pageNetOverTime}: ${texts.pageNoData}`;
    return this.summarise(seen.at(-1).v, Math.min(...seen.map((p) => p.low)), Math.max(...seen.map((p) => p.high)));
  }

  get caption() {
    return this.day ? say('pageWeighingCount', { count: this.weighings.length }) : this.summary;
  }

  at(t) {
    return this.points.find((p) => p.t <= t && t < p.t + this.size) ?? null;
  }

  describe(t, now) {
    const found = this.at(t), { v, low, high, over } = found ?? {};
    const words = !found || (v === null && !over) ? [texts.pageNoData] : [
      v === null ? null : low === high ? mass(v) : `${mass(low)} – ${mass(high)}`,
      over ? texts.stateOverload : null,
    ];
    return [this.timeOf(t, now, this.size < 6e4 ? 'medium' : 'short'), ...words].filter(Boolean).join(' · ');
  }

  values(points) {
    return points.filter((p) => p.v !== null).flatMap((p) => [p.low, p.high].map((g) => g / scale.hello.unit.grams));
  }

  ticks(start, until, now) {
    const every = STEPS.find((step) => step * 6.1 >= until - start) ?? STEPS.at(-1);
    const offset = Date.now() - now, times = [];
    const zone = new Date(start + offset).getTimezoneOffset() * 60e3;
    for (let at = Math.floor((until + offset - zone) / every) * every + zone - offset; at >= start - 1; at -= every) {
      times.push(at);
    }
    return times.map((t) => [t, this.timeOf(t + 1, now, 'short')]);
  }

  curve(points, until) {
    const { x, y, start } = this.plot, bands = [], path = { band: '', move: '' }, { grams } = scale.hello.unit;
    // Where the net is not kept any longer, a day has its weighings.
    let known = this.day && points.length ? points[0].t : start, isOpen = false;
    for (const { t, to, low, high, v, over } of this.thin(points, x)) {
      const end = Math.min(to, until);
      if (t - known > this.size / 2) {
        bands.push(this.band('gap', known, t));
        isOpen = false;
      }
      known = Math.max(known, end);
      if (over) bands.push(this.band('over', t, end));
      if (v === null) {
        isOpen = false;
        continue;
      }
      path.band += `M${x(t)} ${y(high / grams)}H${x(end)}V${y(low / grams)}H${x(t)}Z`;
      path.move += `${isOpen ? 'L' : 'M'}${x(t)} ${y(v)}L${x(end)} ${y(v)}`;
      isOpen = true;
    }
    if (until - known > this.size && !this.day) bands.push(this.band('gap', known, until));
    return [...bands, ...pathsOf(path)];
  }

  /** Joins buckets that would be too narrow to be seen. */
  thin(points, x) {
    const all = [];
    for (const point of points) {
      const last = all.at(-1), to = point.t + this.size;
      const isJoined = last && point.t - last.to < this.size / 2 && x(point.t) - x(last.t) < NARROWEST;
      if (isJoined) include(Object.assign(last, { to }), point);
      else all.push({ ...point, to });
    }
    return all;
  }
}

/** Includes values in a bucket. */
function include(bucket, { low, high, v, over }) {
  bucket.over ||= over;
  if (v === null) return;
  bucket.low = Math.min(bucket.low ?? low, low);
  bucket.high = Math.max(bucket.high ?? high, high);
  bucket.v = v;
}
