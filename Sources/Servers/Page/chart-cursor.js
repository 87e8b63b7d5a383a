// The cursor of a chart: a line with what is known at its time, or with the weighings that are marked there.

import { svg } from './dom.js';
import { scale } from './scale.js';
import { say } from './texts.js';

const SNAP = 10; // px from a mark in which the cursor is on it

/** Draws the cursor over the chart as it was drawn last, and tells what is at it. */
export function drawCursor(chart) {
  const { cursor } = chart, { left, right, top, bottom, y, start, until, now } = chart.plot;
  if (cursor === null) {
    chart.layers.cursor.replaceChildren();
    Object.assign(chart, { groupAtCursor: null, probe: null });
    return chart.onCursor?.(null);
  }
  const at = left + cursor * (right - left), group = chart.groups.find((each) => Math.abs(each.x - at) < SNAP);
  const t = start + cursor * (until - start),
    marks = group?.marks ?? [],
    v = group ? null : chart.at(t, now)?.v ?? null;
  chart.layers.cursor.replaceChildren(
    svg('path', { class: 'cursor', d: `M${group?.x ?? at} ${top}V${bottom}` }),
    ...v === null ? [] : [svg('circle', { class: 'cursor', cx: at, cy: y(v / scale.hello.unit.grams), r: 5 })],
  );
  chart.groupAtCursor = group ?? null;
  chart.probe = { text: marks.length ? textOf(chart, marks, now) : chart.describe(t, now), marks };
  chart.onCursor?.(chart.probe);
}

/** The time of the weighings, and what they are. */
function textOf(chart, marks, now) {
  const [first, last] = [marks[0], marks.at(-1)];
  if (first === last) return [chart.timeOf(first.t, now), first.name ?? first.label].join(' · ');
  const times = [first, last].map((mark) => chart.timeOf(mark.t, now, 'short'));
  return `${[...new Set(times)].join(' – ')} · ${say('pageWeighingCount', { count: marks.length })}`;
}
