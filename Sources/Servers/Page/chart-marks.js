// The weighings in a chart. Those that would lie over each other are one mark with their number.

import { svg } from './dom.js';
import { word } from './parts.js';

/** The marks, the oldest first, each with its place `x` and `y`, in groups that are at least `near` apart. */
export function groupsOf(marks, near) {
  const groups = [];
  for (const mark of marks) {
    let group = { x: mark.x, marks: [mark] };
    while (groups.length && group.x - groups.at(-1).x < near) {
      const before = groups.pop(), all = [...before.marks, ...group.marks];
      group = { x: (before.x * before.marks.length + group.x * group.marks.length) / all.length, marks: all };
    }
    groups.push(group);
  }
  for (const group of groups) {
    const heights = group.marks.map((mark) => mark.y);
    Object.assign(group, { high: Math.min(...heights), low: Math.max(...heights) });
  }
  return groups;
}

/** The shapes of the groups, and their labels above the plot: all counts, and the numbers for which there is room. */
export function shapesOf(groups, { left, right, top, em, measure }) {
  const shapes = [], labels = [], taken = [];
  const place = (text, at, more) => {
    const width = measure(text) + more;
    return { width, from: Math.min(Math.max(at - width / 2, left), right - width) };
  };
  const stem = (x, high) => svg('path', { class: 'mark', d: `M${x} ${top - em * .3}V${high}` });
  const label = (text, x, kind) => word(text, x, em * 1.2, 'start', { class: kind });
  for (const { x, high, low, marks } of groups.filter((group) => group.marks.length > 1)) {
    const text = String(marks.length), { width, from } = place(text, x, em * .8);
    taken.push([from, from + width]);
    shapes.push(
      stem(x, high),
      svg('path', { class: 'several', d: `M${x} ${high}V${low}` }),
    );
    labels.push(
      svg('rect', { class: 'count', x: from, y: em * .1, width, height: em * 1.6, rx: em * .8 }),
      label(text, from + em * .4, 'count'),
    );
  }
  for (const { x, high, marks: [mark] } of groups.filter((group) => group.marks.length === 1).toReversed()) {
    const { width, from } = place(mark.label, x, 0);
    shapes.push(stem(x, high), svg('path', { class: 'diamond', d: `M${x} ${high - 7}l7 7l-7 7l-7 -7Z` }));
    if (taken.some(([a, b]) => from < b + em * .5 && from + width + em * .5 > a)) continue;
    taken.push([from, from + width]);
    labels.push(label(mark.label, from, 'number'));
  }
  return { shapes, labels };
}
