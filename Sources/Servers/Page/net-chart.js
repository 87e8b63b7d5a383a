// The chart of the net in the history: its ranges, its legend, the values at its cursor, and what it marks.

import { Chart, chartBox } from './chart.js';
import { enableCursor, enableZoom } from './chart-input.js';
import { button, element, set } from './dom.js';
import { readAll } from './journal.js';
import { legend } from './parts.js';
import { HoursChart } from './ranges.js';
import { weighings } from './records.js';
import { load } from './requests.js';
import { mass, on } from './scale.js';
import { LOCALE, texts } from './texts.js';
import { isShown } from './views.js';
import { link } from './weighing.js';

const FRAME = 500; // ms between two drawings
const DAY = 864e5; // ms
const SPOKEN = 10e3; // ms between two changes of what screen readers are told
const MOST = 1000; // weighings that are marked
const LISTED = 6; // weighings at the cursor

/** The ranges: the shown time in s, the name of a range of hours, and the label. */
const RANGES = [
  { span: 60, text: `1 ${texts.pageMin}` },
  { span: 300, text: `5 ${texts.pageMin}` },
  { span: 3600, name: '1h', text: `1 ${texts.pageHour}` },
  { span: 21600, name: '6h', text: `6 ${texts.pageHour}` },
  { span: 86400, name: '24h', text: `24 ${texts.pageHour}` },
];
const LEGEND = {
  net: texts.pageKeyNet,
  stable: texts.stateStable,
  weighing: texts.pageKeyWeighing,
  several: texts.historyKeySeveral,
  over: texts.pageKeyOverload,
  gap: texts.pageNoData,
};

/** The mark of a weighing in a chart. */
const markOf = ({ weighing: w, label }, t) => ({
  t,
  v: w.net_g,
  label: `#${w.sequence}`,
  name: [`#${w.sequence}`, mass(w.net_g), label].filter(Boolean).join(' · '),
  href: link(w),
});

/** A card with the chart of minutes, and that of hours and of a day. */
export class NetChart {
  constructor() {
    this.skew = 0; // how far the clock of the appliance is ahead of the reader's, in ms
    Object.assign(this, { range: RANGES[1], day: null, older: [], read: '' });
    this.minutes = new Chart(chartBox({ id: 'chart' }));
    this.hours = new HoursChart(chartBox({ id: 'hours', hidden: '' }));
    this.spans = RANGES.map((range) => this.button(range));
    this.dayRange = { span: 86400, name: '24h', text: '' };
    this.dayButton = this.button(this.dayRange);
    const zoom = (key, sign, label) =>
      element('button', sign, { type: 'button', 'data-zoom': key, 'aria-label': label, title: label });
    this.heading = element('h2', texts.pageNet, { tabindex: '-1' });
    this.days = element('span', null, { class: 'links', id: 'chart-days' });
    this.readout = element('p', null, { class: 'readout' });
    this.note = element('p', texts.historyDayNote, { class: 'note' });
    this.reset = zoom('0', '↺', texts.historyReset);
    this.card = element('section', [
      element('div', [
        this.heading,
        element('span', [this.reset, zoom('-', '−', texts.pageZoomOut), zoom('+', '+', texts.pageZoomIn)]),
      ], { class: 'head' }),
      element('div', [
        element('span', [...this.spans, this.dayButton], { role: 'group', 'aria-label': texts.pageTimeRange }),
        this.days,
      ], { id: 'spans' }),
      this.readout,
      this.minutes.box,
      this.hours.box,
      this.note,
      legend(LEGEND),
    ], { class: 'card', id: 'chart-card' });
    for (const chart of [this.minutes, this.hours]) {
      enableZoom(chart, this.card);
      enableCursor(chart, this.card);
      chart.onChange = () => this.showRange();
      chart.onCursor = (probe) => chart === this.shown && this.showProbe(probe);
    }
    this.follow();
    this.showRange();
  }

  get shown() {
    return this.minutes.box.hidden ? this.hours : this.minutes;
  }

  button(range) {
    return button(range.text, () => this.choose(range), { 'data-span': range.span });
  }

  follow() {
    on('live', (r, isOld) => {
      if (!isOld) this.compareClocks(r.time);
      for (const chart of [this.minutes, this.hours]) chart.add(performance.now(), r.net_g, r.state);
    });
    on('link', (state, heard) => {
      if (state === 'stale') this.minutes.unknownFrom = heard;
      else {
        if (this.minutes.unknownFrom !== null) this.reload();
        this.minutes.reconnect(performance.now());
      }
    });
    on('open', () => this.reload());
    on('weighings', () => isShown('history') && this.mark());
    const isSeen = () => !document.hidden && isShown('history');
    setInterval(() => isSeen() && this.shown.draw(), FRAME);
    // What has the focus would be announced again with each change.
    setInterval(() => {
      const { box, summary } = this.shown;
      if (isSeen() && box !== document.activeElement) box.ariaLabel = summary;
    }, SPOKEN);
    document.addEventListener('visibilitychange', () => isSeen() && this.shown.draw());
    this.reload();
    this.mark();
  }

  async reload() {
    const trace = await load('api/trace'), now = performance.now();
    if (!trace) return;
    this.minutes.replace(trace.map(([age, v, s]) => ({ t: now - age, v, s })));
    this.minutes.draw();
    this.hours.reload();
  }

  /** A reading that has just been made tells the time of the appliance. */
  compareClocks(time) {
    const found = Date.parse(time) - Date.now();
    if (!(Math.abs(found - this.skew) > 1000)) return;
    this.skew = found;
    this.mark();
  }

  /** Marks the weighings of the shown time. */
  async mark() {
    const now = performance.now(), wall = Date.now() + this.skew, newest = weighings().filter((e) => !e.isVoided);
    const place = (entry) => markOf(entry, now - Math.max(wall - Date.parse(entry.weighing.time), 0));
    const recent = (list) => list.map(place).toReversed().filter((mark) => now - mark.t < DAY);
    this.minutes.weighings = recent(newest);
    if (this.day) return this.markDay();
    this.hours.weighings = [...recent(this.older), ...this.minutes.weighings];
    this.shown.draw();
    if (this.shown === this.hours) await this.markOlder(newest.at(-1)?.weighing, wall);
  }

  /** Reads what the newest records do not include of the last hours; again when there are others. */
  async markOlder(oldest, wall) {
    if (!oldest || wall - Date.parse(oldest.time) > DAY || this.read === oldest.id) return;
    this.read = oldest.id;
    const list = await readAll('from=24h&voided=false', MOST, { before: oldest.sequence });
    if (this.read !== oldest.id) return;
    this.older = list?.weighings ?? [];
    this.mark();
  }

  async markDay() {
    const { day } = this, list = await readAll(day.selection, MOST, { isCurrent: () => this.day === day });
    if (!list || this.day !== day) return;
    const here = performance.now() - Date.now(), times = list.weighings.map((e) => Date.parse(e.weighing.time));
    // Days are those of the scale. Elsewhere, a weighing can be on another one.
    day.start = Math.min(day.start, ...times);
    day.end = Math.max(day.end, ...times);
    this.hours.span = day.end - day.start;
    this.hours.weighings = list.weighings.filter((e) => !e.voided_by)
      .map((e) => markOf(e, Date.parse(e.weighing.time) + here)).toReversed();
    this.hours.draw();
    this.hours.box.ariaLabel = this.hours.summary;
    this.showRange();
  }

  /** Offers the chart of a day with the weighings of a selection. It is shown if it is another day than before. */
  offer(date, selection, addressOf) {
    const isOther = this.date !== date;
    this.date = date;
    this.selection = selection;
    this.dayButton.hidden = this.days.hidden = !date;
    if (!date) return isOther && this.day ? this.choose(RANGES[1]) : null;
    const noon = new Date(`${date}T12:00`);
    const other = (days, text) => element('a', text, { href: addressOf(isoOf(new Date(+noon + days * DAY))) });
    this.dayRange.text = noon.toLocaleDateString(LOCALE, { day: 'numeric', month: 'short' });
    set(this.dayButton, this.dayRange.text);
    this.days.replaceChildren(other(-1, texts.historyPrevious), other(1, texts.historyNext));
    this.days.lastChild.hidden = date >= isoOf(new Date(Date.now() + this.skew));
    // On the way back from a weighing, a zoom stays.
    if (this.day && !isOther && this.day.selection === String(selection)) return this.mark();
    return isOther || this.day ? this.choose(this.dayRange) : null;
  }

  choose(range) {
    this.range = range;
    this.day = range === this.dayRange ? this.dayOf(this.date) : null;
    this.minutes.box.hidden = Boolean(range.name);
    this.hours.box.hidden = !range.name;
    this.shown.point(null);
    if (!range.name) {
      this.minutes.span = range.span * 1000;
      return this.minutes.reset();
    }
    const { day } = this, span = day ? day.end - day.start : range.span * 1000;
    this.hours.choose(range.name, span, day);
    this.showRange();
    return this.mark();
  }

  dayOf(date) {
    const start = new Date(`${date}T00:00`), end = new Date(start);
    end.setDate(end.getDate() + 1);
    return { name: dateOf(date), start: start.getTime(), end: end.getTime(), selection: String(this.selection) };
  }

  /** Says what is shown; a range is pressed only while all of it is shown. */
  showRange() {
    const { shown, range, day } = this, isWhole = shown.isWhole;
    for (const node of [...this.spans, this.dayButton]) {
      const isChosen = node === this.dayButton ? Boolean(day) : !day && node.dataset.span === String(range.span);
      node.ariaPressed = isChosen && isWhole;
    }
    this.reset.toggleAttribute('data-unused', isWhole);
    this.card.toggleAttribute('data-day', Boolean(day));
    this.note.hidden = !day;
    set(this.heading, day?.name ?? texts.pageNet);
    this.showProbe(shown.probe ?? null);
  }

  /** Shows what is at the cursor, with links to the weighings there. */
  showProbe(probe) {
    const { caption } = this.shown, key = JSON.stringify(probe ?? caption);
    if (this.told === key) return;
    this.told = key;
    if (!probe?.marks.length) return this.readout.replaceChildren(probe?.text ?? caption);
    const { marks, text } = probe, only = marks.length === 1;
    const links = marks.slice(-LISTED).toReversed().map((mark) =>
      element('a', only ? text : mark.label, { href: mark.href, 'aria-label': mark.name })
    );
    this.readout.replaceChildren(...only ? links : [text, ...links, marks.length > LISTED ? '…' : '']);
  }
}

const isoOf = (time) =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((n) => String(n).padStart(2, '0')).join('-');

/** A day in words. */
export const dateOf = (day) =>
  new Date(`${day}T12:00`).toLocaleDateString(LOCALE, {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  });
