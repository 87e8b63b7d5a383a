// The net over the last minutes. Readings come on change only, so that a value holds until the next one.

const KEEP = 300e3;

export class Chart {
  constructor(canvas) {
    this.canvas = canvas;
    this.points = []; // {t: performance.now(), v: grams or null, s: state}
    this.weighings = []; // {t, v, label}
    this.span = KEEP;
    this.unknownFrom = null; // since when nobody knows, while the line is down
    this.decimals = 0;
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  add(t, v, s) {
    const last = this.points.at(-1);
    if (last && t <= last.t) return;
    this.points.push({ t, v, s });
    const old = t - KEEP;
    if (this.points.length > 1 && this.points[1].t < old) this.points.splice(0, this.points.findIndex(p => p.t >= old) - 1);
  }

  replace(points) {
    this.points = points;
  }

  mark(t, v, label) {
    this.weighings.push({ t, v, label });
    this.weighings = this.weighings.filter(w => w.t > t - KEEP);
  }

  get summary() {
    const seen = this.visible(performance.now()).filter(p => p.v !== null).map(p => p.v);
    if (!seen.length) return 'Net over time: no reading';
    return `Net over the last ${this.span / 60e3} minutes: now ${seen.at(-1)} g, between ${Math.min(...seen)} and ${Math.max(...seen)} g`;
  }

  visible(now) {
    const start = now - this.span;
    const first = this.points.findLastIndex(p => p.t <= start);
    return this.points.slice(Math.max(first, 0));
  }

  draw() {
    const { canvas } = this;
    const [w, h] = [canvas.clientWidth, canvas.clientHeight];
    if (!w || !h) return;
    const scale = devicePixelRatio || 1;
    if (canvas.width !== Math.round(w * scale) || canvas.height !== Math.round(h * scale)) {
      canvas.width = Math.round(w * scale);
      canvas.height = Math.round(h * scale);
    }
    const style = getComputedStyle(canvas);
    const color = name => style.getPropertyValue(name).trim();
    const c = canvas.getContext('2d');
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, w, h);
    const now = performance.now();
    const points = this.visible(now);
    const values = points.filter(p => p.v !== null).map(p => p.v);
    const [left, right, top, bottom] = [46, w - 8, 22, h - 22];
    const [low, high, step] = scaleFor(Math.min(0, ...values), Math.max(10, ...values), Math.max(2, Math.floor((bottom - top) / 44)));
    const x = t => right - (now - t) / this.span * (right - left);
    const y = v => bottom - (v - low) / (high - low) * (bottom - top);
    c.font = `12px ${style.fontFamily}`;

    // The grid.
    c.lineWidth = 1;
    c.strokeStyle = color('--line');
    c.fillStyle = color('--soft');
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    for (let v = low; v <= high + step / 2; v += step) {
      c.beginPath(); c.moveTo(left, Math.round(y(v)) + .5); c.lineTo(right, Math.round(y(v)) + .5); c.stroke();
      c.fillText(String(+v.toFixed(3)), left - 8, y(v));
    }
    c.textBaseline = 'alphabetic';
    const every = this.span > 60e3 ? 60e3 : 15e3;
    for (let back = 0; back <= this.span; back += every) {
      c.textAlign = back === 0 ? 'right' : back === this.span ? 'left' : 'center';
      c.fillText(back === 0 ? 'now' : every === 60e3 ? `−${back / 60e3} min` : `−${back / 1e3} s`, x(now - back), h - 4);
    }
    c.save();
    c.beginPath(); c.rect(left, 0, right - left, h); c.clip();

    const end = Math.min(now, this.unknownFrom ?? now);
    const stretch = i => [x(points[i].t), x(i + 1 < points.length ? points[i + 1].t : end)];
    // What was at rest, as ground; what was too much, hatched.
    for (let i = 0; i < points.length; i++) {
      const [a, b] = stretch(i);
      if (points[i].s === 'stable') {
        c.fillStyle = color('--rest-tint');
        c.fillRect(a, y(points[i].v), b - a + .5, y(0) - y(points[i].v));
      } else if (points[i].s === 'overload') {
        c.save();
        c.beginPath(); c.rect(a, top, b - a + .5, bottom - top); c.clip();
        c.fillStyle = color('--bad-tint'); c.fillRect(a, top, b - a + .5, bottom - top);
        c.strokeStyle = color('--bad-fill'); c.lineWidth = 1.5;
        c.beginPath();
        for (let d = Math.floor(a / 9) * 9 - h; d < b; d += 9) { c.moveTo(d, bottom); c.lineTo(d + h / 2, top); }
        c.stroke(); c.restore();
      }
    }
    // The line, heavier at rest.
    c.lineJoin = 'round';
    for (const isRest of [false, true]) {
      c.strokeStyle = color(isRest ? '--rest-fill' : '--line-net');
      c.lineWidth = isRest ? 4 : 2;
      c.beginPath();
      for (let i = 0; i < points.length; i++) {
        const { v, s } = points[i];
        if (v === null || (isRest && s !== 'stable')) continue;
        const [a, b] = stretch(i);
        const next = points[i + 1];
        c.moveTo(a, y(v));
        // While it moves the line goes to the next value; at rest it holds.
        if (!isRest && next && next.v !== null && next.t - points[i].t < 700) c.lineTo(b, y(next.v));
        else { c.lineTo(b, y(v)); if (!isRest && next && next.v !== null) c.lineTo(b, y(next.v)); }
      }
      c.stroke();
    }
    // Weighings.
    c.textAlign = 'center';
    let free = -Infinity;
    for (const mark of this.weighings) {
      const mx = x(mark.t);
      c.strokeStyle = c.fillStyle = color('--ink');
      c.lineWidth = 1;
      c.setLineDash([3, 3]);
      c.beginPath(); c.moveTo(mx, top - 4); c.lineTo(mx, bottom); c.stroke();
      c.setLineDash([]);
      c.save(); c.translate(mx, y(mark.v)); c.rotate(Math.PI / 4); c.fillRect(-5, -5, 10, 10); c.restore();
      // Of two that are too close, the first keeps its number.
      const lx = Math.min(Math.max(mx, left + 12), right - 12);
      if (lx > free) { c.fillText(mark.label, lx, top - 9); free = lx + c.measureText(mark.label).width + 4; }
    }
    c.restore();
  }
}

// A range of round numbers around the values, with their distance.
function scaleFor(low, high, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= rough);
  return [Math.floor(low / step) * step, Math.ceil(high * 1.02 / step) * step, step];
}
