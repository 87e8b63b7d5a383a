// The curve of a chart of minutes: a changing load as a line, a settled one as a step, what is unknown as a gap.

import { svg } from './dom.js';

export const LATE = 1000; // ms, tolerated delay of a heartbeat

/** The elements of the curve of a chart; `until` is the time until which the last value is valid. */
export function curveOf(chart, points, until) {
  const { x, y } = chart.plot, path = { ground: '', move: '', rest: '' }, bands = [];
  for (const [i, point] of points.entries()) {
    const { t, v, s } = point, before = points[i - 1], next = points[i + 1];
    const [end, isJoined] = chart.hold(point, next, until), [a, b] = [x(t), x(end)];
    if (s === 'overload') bands.push(chart.band('over', t, end));
    // Unknown values: after the end of validity, or without a pad.
    const last = next?.t ?? until, isUnknown = v === null && s !== 'overload';
    if (isUnknown || !isJoined && last - end > LATE) bands.push(chart.band('gap', isUnknown ? t : end, last));
    if (v === null) continue;
    const isLinked = before && before.v !== null && chart.hold(before, point, until)[1];
    if (!isLinked) path.move += `M${a} ${y(v)}`;
    // A changing load is drawn as a straight line to the next value, a settled one as a step.
    const isFollowed = isJoined && next.v !== null;
    if (!isFollowed || next.t - t >= 700) path.move += `L${b} ${y(v)}`;
    if (isFollowed) path.move += `L${x(next.t)} ${y(next.v)}`;
    if (s === 'stable') {
      path.rest += `M${a} ${y(v)}H${b}`;
      path.ground += `M${a} ${y(v)}H${b}V${y(0)}H${a}Z`;
    }
  }
  return [...bands, ...pathsOf(path)];
}

/** Paths by their classes. */
export const pathsOf = (paths) =>
  Object.entries(paths).map(([name, d]) => svg('path', { class: name, d: d || 'M0 0' }));
