// Pointers and keys on a chart: they read values, zoom, and open the weighings that it marks.

import { MINIMUM, Press, PREVIEW } from './force.js';

const FORCED = 8; // zoom at a force of 1
const REACH = 22; // px from a mark in which a click opens it
const STEP = .02; // of the width, by which an arrow key moves the cursor
const SLIP = 5; // px by which a click may move
const ZOOMS = { '+': 2, '=': 2, '-': .5 };

/** The charts with a cursor: their boxes, and functions that remove the cursor when something else is touched. */
const cursors = new Set();
addEventListener('pointerdown', ({ target }) => {
  for (const { leave } of cursors) leave(target);
});

/** Reads values under the pointer or a finger, which leaves the cursor where it was, and with the arrow keys. */
export function enableCursor(chart, card) {
  const { box } = chart, state = { isPinned: false };
  box.addEventListener('pointermove', (e) => {
    if (!state.isPinned && (e.pointerType === 'touch' || !e.buttons)) chart.point(chart.fraction(e.clientX));
  });
  box.addEventListener('pointerdown', (e) => {
    if (e.isPrimary) chart.point(chart.fraction(e.clientX));
  });
  box.addEventListener('pointerleave', (e) => {
    if (e.pointerType !== 'touch' && !state.isPinned) chart.point(null);
  });
  // A click keeps the cursor, so that the links that it shows can be reached.
  box.addEventListener('click', (e) => {
    state.isPinned = !state.isPinned && e.detail > 0;
  });
  for (const other of cursors) if (!other.box.isConnected) cursors.delete(other);
  cursors.add({
    box,
    leave: (target) => {
      if (card.contains(target) || chart.cursor === null) return;
      state.isPinned = false;
      chart.point(null);
    },
  });
  box.addEventListener('keydown', (e) => {
    const at = { ArrowLeft: step(chart, -1), ArrowRight: step(chart, 1), Home: 0, End: 1 }[e.key];
    if (at === undefined || e.shiftKey || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    // At an edge the shown time moves.
    if (at === chart.cursor && !chart.fixed) pan(chart, at ? .25 : -.25);
    chart.point(at);
  });
  box.addEventListener('keydown', (e) => {
    if (e.key !== 'Escape') return;
    state.isPinned = false;
    chart.point(null);
  });
}

/** Where the cursor is after an arrow key: it stops at each mark. */
function step(chart, sign) {
  const { left, right } = chart.plot, from = chart.cursor ?? (sign < 0 ? 1 : 1 - STEP);
  const to = Math.min(Math.max(from + sign * STEP, 0), 1);
  const marks = chart.groups.filter((group) => group !== chart.groupAtCursor)
    .map(({ x }) => (x - left) / (right - left)).filter((at) => (at - from) * sign > 0 && (to - at) * sign >= 0);
  return marks.length ? marks[sign < 0 ? marks.length - 1 : 0] : to;
}

/** Moves the shown time by a part of it. */
const pan = (chart, part) => chart.show(chart.range(chart.drawn)[1] + part * chart.span / chart.zoom);

/** Opens the weighing of a mark, or zooms in to the weighings of a mark; returns whether there is something to see. */
function open(chart, group) {
  const { marks } = group;
  if (marks.length === 1) {
    if (marks[0].href) location.hash = marks[0].href;
    return Boolean(marks[0].href);
  }
  const length = Math.max(marks.at(-1).t - marks[0].t, 1), before = chart.zoom;
  chart.zoom = Math.max(Math.min(chart.span / length * .6, chart.deepest), before);
  chart.point(null);
  chart.show((marks[0].t + marks.at(-1).t + chart.span / chart.zoom) / 2);
  return chart.zoom > before * 1.1;
}

/** The mark at a place on the screen: its count or number above the plot, or its shape. */
function groupAt(chart, e) {
  const box = chart.box.getBoundingClientRect(), [x, y] = [e.clientX - box.left, e.clientY - box.top];
  const isNear = (group) => y < chart.plot.top || (y > group.high - REACH && y < group.low + REACH);
  return chart.groups?.filter((group) => Math.abs(group.x - x) <= REACH && isNear(group))
    .sort((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0];
}

/** Marks as links, and the zoom: by force as long as it lasts, by pinching, the wheel and keys until they zoom out. */
export function enableZoom(chart, card) {
  const { box } = chart, fingers = new Map();
  let before = null, pinch = null, drag = null, scrolled = -1e9;
  new Press(box, {
    full: () => Infinity, // without a sensor there is no zoom by time
    onBegin: (e) => {
      before = [chart.zoom, chart.end, chart.fraction(e.clientX)];
      return true;
    },
    onMove: (p) => {
      if (p.elapsed < MINIMUM || (!p.isUsed && p.intention < PREVIEW)) return;
      if (!p.isUsed) chart.end = chart.range(chart.drawn)[1];
      p.isUsed = true;
      chart.zoomTo(before[0] * FORCED ** Math.max((p.intention - PREVIEW) / (1 - PREVIEW), 0), before[2]);
    },
    onEnd: (_, p) => {
      if (!p.isUsed) return;
      chart.zoom = before[0];
      chart.show(before[1] ?? Infinity);
    },
  });
  box.addEventListener('pointerdown', (e) => {
    drag = { x: e.clientX, end: chart.range(chart.drawn)[1], isMoved: false };
    if (e.pointerType === 'touch') fingers.set(e.pointerId, e.clientX);
    if (fingers.size !== 2) return;
    const [a, b] = fingers.values();
    pinch = { zoom: chart.zoom, width: Math.max(Math.abs(a - b), 20), at: chart.fraction((a + b) / 2) };
    chart.point(null);
  });
  addEventListener('pointermove', (e) => {
    if (drag && e.buttons && e.pointerType !== 'touch') {
      drag.isMoved ||= Math.abs(e.clientX - drag.x) > SLIP;
      const { left, right } = chart.plot;
      if (drag.isMoved && chart.zoom > 1) {
        chart.show(drag.end - (e.clientX - drag.x) / (right - left) * chart.span / chart.zoom);
      }
    }
    if (!fingers.has(e.pointerId)) return;
    if (drag) drag.isMoved ||= Math.abs(e.clientX - drag.x) > SLIP;
    fingers.set(e.pointerId, e.clientX);
    if (!pinch) return;
    const [a, b] = fingers.values();
    chart.zoomTo(pinch.zoom * Math.abs(a - b) / pinch.width, pinch.at);
  });
  for (const name of ['pointerup', 'pointercancel']) {
    addEventListener(name, (e) => {
      if (fingers.delete(e.pointerId)) pinch = null;
    });
  }
  box.addEventListener('pointermove', (e) => {
    box.classList.toggle('on-mark', Boolean(groupAt(chart, e)));
  });
  box.addEventListener('click', (e) => {
    const group = drag?.isMoved ? null : groupAt(chart, e);
    if ((group && open(chart, group)) || drag?.isMoved) e.stopImmediatePropagation();
    drag = null;
  });
  // A wheel that is scrolling the page goes on scrolling it.
  addEventListener('wheel', (e) => {
    const isFree = box.contains(e.target) && e.timeStamp - scrolled > 400 && (chart.zoom > 1 || e.deltaY < 0);
    if (!isFree) {
      scrolled = e.timeStamp;
      return;
    }
    e.preventDefault();
    if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) return pan(chart, e.deltaX / box.clientWidth);
    chart.zoomTo(chart.zoom * Math.exp(-e.deltaY * (e.ctrlKey ? .01 : .002)), chart.fraction(e.clientX));
  }, { passive: false });
  const turn = (key) =>
    key in ZOOMS ? chart.zoomTo(chart.zoom * ZOOMS[key], chart.cursor ?? (chart.end === null ? 1 : .5)) : chart.reset();
  card.addEventListener('keydown', (e) => {
    if (box.hidden || e.ctrlKey || e.metaKey || e.altKey) return;
    const group = e.key === 'Enter' && e.target === box && chart.cursor !== null && chart.groupAtCursor;
    if (group) open(chart, group);
    else if (e.shiftKey && ['ArrowLeft', 'ArrowRight'].includes(e.key)) pan(chart, e.key === 'ArrowLeft' ? -.25 : .25);
    else if (e.key in ZOOMS || ['0', 'Escape'].includes(e.key)) turn(e.key);
    else return;
    e.preventDefault();
  });
  for (const button of card.querySelectorAll('[data-zoom]')) {
    button.addEventListener('click', () => box.hidden || turn(button.dataset.zoom));
  }
}
