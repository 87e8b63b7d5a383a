// The curve of a chart of minutes: a changing load as a line, a settled one as a step, what is unknown as a gap.

import { svg } from './dom.js';

export const LATE = 1000; // ms, tolerated delay of a heartbeat

/** The elements of the curve of a chart; `until` is the time until which the last value is valid. */
export function curveOf(chart, points, { x, y, top, bottom, until }) {
  const path = { move: '', rest: '', ground: '' }, bands = [];
  for (let i = 0; i < points.length; i++) {
    const { t, v, s } = points[i], next = points[i + 1];
    const [end, isJoined] = chart.hold(points[i], next, until);
    const [a, b] = [x(t), x(end)];
    if (s === 'overload') {
      bands.push(
        svg('rect', {
          x: a,
          y: top,
          width: Math.max(b - a, 1),
          height: bottom - top,
          class: 'over',
          fill: chart.hatch,
        }),
      );
    }
    // Unknown values: after the end of validity, or without a pad.
    const last = next?.t ?? until;
    const unknownFrom = v === null && s !== 'overload' ? t : end;
    if (!isJoined && last - unknownFrom > LATE || (v === null && s !== 'overload')) {
      bands.push(
        svg('rect', {
          x: x(unknownFrom),
          y: top,
          width: Math.max(x(last) - x(unknownFrom), 1),
          height: bottom - top,
          class: 'gap',
        }),
      );
    }
    if (v === null) continue;
    const before = points[i - 1];
    const isLinked = i > 0 && before.v !== null && chart.hold(before, points[i], until)[1];
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
  return [
    ...bands,
    ...['ground', 'move', 'rest'].map((name) => svg('path', { class: name, d: path[name] || 'M0 0' })),
  ];
}
