// The history: the weighings of the whole journal by day, with their totals, their chart, an export and a print.

import { button, element, set } from './dom.js';
import { Filters } from './history-filters.js';
import { after, read, readAll } from './journal.js';
import { dateOf, NetChart } from './net-chart.js';
import { details } from './parts.js';
import { mass, on, scale } from './scale.js';
import { LOCALE, say, texts } from './texts.js';
import { isShown } from './views.js';
import { link, WeighingPage } from './weighing.js';

const LIMIT = 50; // weighings of a page
const PRINTED = 2000; // weighings of a print
const PAUSE = 250; // ms in which changes are collected
const PATIENCE = 300; // ms for which a list waits for its totals
const LAG = 5000; // ms until totals that lag behind are asked for again

class History {
  constructor(section) {
    Object.assign(this, { turn: 0, sumTurn: 0, pages: [null], totals: null, next: null, shown: null });
    this.filters = new Filters(() => this.restart());
    this.heading = element('h2', texts.pageHistory, { id: 'history-title', tabindex: '-1' });
    this.csv = element('a', texts.historyExport, { download: 'weighings.csv' });
    this.summary = element('p', null, { class: 'summary', role: 'status' });
    this.printed = element('p', null, { class: 'printed' });
    this.labels = element('ul');
    this.byLabel = details(texts.historyByLabel, this.labels);
    this.byLabel.className = 'by-label';
    this.days = element('div', null, { class: 'days', role: 'region', 'aria-label': texts.historyDays });
    this.range = element('span', null);
    this.newer = button(texts.historyNewer, () => this.pages.length > 1 && this.turnPage(this.pages.pop()));
    this.older = button(texts.historyOlder, () => this.next && this.turnPage(this.pages.push(this.next)));
    this.paging = element('p', [this.newer, this.range, this.older], {
      class: 'row',
      role: 'group',
      'aria-label': texts.historyPages,
    });
    this.list = element('section', [
      element('div', [
        this.heading,
        element('span', [this.csv, button(texts.historyPrint, () => this.print())], { class: 'links' }),
      ], { class: 'head' }),
      this.printed,
      this.filters.form,
      this.summary,
      this.byLabel,
      this.days,
      this.paging,
    ], { id: 'history', class: 'card', 'aria-labelledby': 'history-title' });
    this.weighing = new WeighingPage();
    this.chart = new NetChart();
    section.append(this.weighing.section, this.chart.card, this.list);
    on('weighings', () => this.refresh());
  }

  /** Shows the weighing whose number the address has, or the list that its parameters select. */
  show(rest) {
    const number = /^\d{1,15}$/.test(rest) ? Number(rest) : null, left = this.weighing.number;
    this.list.hidden = this.chart.card.hidden = number !== null;
    this.weighing.show(number);
    if (number !== null) return;
    const day = this.filters.day;
    this.filters.read(new URLSearchParams(rest.replace(/^\?/, '')));
    this.keepAddress();
    this.chart.mark();
    // On the way back from a weighing its row has the focus, and the heading of the chart after the choice of a day.
    const row = left === null ? null : this.days.querySelector(`a[href="${link({ sequence: left })}"]`);
    const isChosen = left === null && this.shown !== null && this.filters.day && this.filters.day !== day;
    (row ?? (isChosen ? this.chart.heading : this.heading)).focus({ preventScroll: !row && !isChosen });
    if (String(this.filters.parameters()) !== this.shown) this.pages = [null];
    this.load(true);
  }

  /** Another view is shown. */
  hide() {
    this.weighing.show(null);
  }

  /** The address of the list has its filters, so that a link and the way back keep them. */
  keepAddress() {
    this.weighing.list = this.filters.address();
    document.querySelector('#views [data-view=history]').hash = this.weighing.list;
    this.chart.offer(this.filters.day, this.filters.parameters(), (day) => this.filters.address(day));
  }

  /** Follows a change of the journal, which shows in the newest page only. */
  refresh() {
    if (!isShown('history') || this.weighing.number !== null || this.pages.length > 1) return;
    clearTimeout(this.following);
    this.following = setTimeout(() => this.load(true), PAUSE);
  }

  /** Shows the first page of what the filters select. */
  restart() {
    this.pages = [null];
    history.replaceState(history.state, '', this.filters.address());
    this.keepAddress();
    this.load(true);
  }

  turnPage() {
    this.next = null;
    this.load(false).then(() => this.heading.focus());
  }

  async load(hasNewTotals) {
    const selection = this.filters.parameters(), query = String(selection), turn = ++this.turn;
    const [from, until] = [selection.get('from'), selection.get('until')];
    this.shown = query;
    this.csv.href = `api/weighings.csv${query && `?${query}`}`;
    if (from && until && from > until) return this.fail(texts.historyOrder);
    this.days.ariaBusy = true;
    if (!this.summary.textContent) this.summary.textContent = texts.historyLoading;
    const isCurrent = () => turn === this.turn;
    if (hasNewTotals) this.sumUp(query);
    const list = await readAll(selection, LIMIT, {
      before: this.pages.at(-1),
      isCurrent,
      onProgress: ({ next }) => this.tell(say('historySearching', { number: next })),
    });
    if (!isCurrent()) return;
    if (!list) return this.fail(texts.historyFailed, true);
    if (await Promise.race([this.summing, after(PATIENCE).then(() => true)]) === true && isCurrent()) {
      this.totals = null;
      this.showList(list);
    }
    const totals = await this.summing;
    if (!isCurrent()) return;
    if (!totals) return this.fail(texts.historyFailed, true);
    this.totals = totals;
    this.showList(list);
    clearTimeout(this.following);
    if (totals.sequence < list.sequence) this.following = setTimeout(() => this.refresh(), LAG);
  }

  /** Prints all that the filters select, up to a limit; afterwards the list has its pages again. */
  async print() {
    const turn = ++this.turn, isCurrent = () => turn === this.turn;
    this.days.ariaBusy = true;
    this.tell(texts.historyLoading);
    const list = await readAll(this.filters.parameters(), PRINTED, {
      isCurrent,
      onProgress: ({ weighings }) => this.tell(say('pageWeighingCount', { count: weighings.length })),
    });
    if (!isCurrent()) return;
    if (!list) return this.fail(texts.historyFailed, true);
    this.showList(list);
    addEventListener('afterprint', () => isCurrent() && this.load(false), { once: true });
    print();
  }

  /** Begins to read the totals of a selection, and the labels, which are those of all weighings. */
  sumUp(query) {
    const turn = ++this.sumTurn, isCurrent = () => turn === this.sumTurn;
    this.summing = this.sum(query, isCurrent);
    const all = query ? this.summing.then(() => this.sum('', isCurrent)) : this.summing;
    all.then((totals) => {
      if (totals && isCurrent()) this.filters.offer(totals.groups);
    });
  }

  /** The totals of a selection, which may take several requests; `null` if they cannot be read. */
  async sum(query, isCurrent) {
    for (;;) {
      const totals = await read(`api/totals?${query}`, isCurrent);
      if (!totals?.next || !isCurrent()) return totals;
    }
  }

  tell(text) {
    delete this.summary.dataset.bad;
    set(this.summary, text);
  }

  fail(text, canRetry = false) {
    const retry = button(texts.historyRetry, () => {
      this.heading.focus();
      this.load(true);
    });
    this.summary.dataset.bad = '';
    this.summary.replaceChildren(text, ...canRetry ? [retry] : []);
    this.days.replaceChildren();
    this.days.ariaBusy = false;
    this.paging.hidden = this.byLabel.hidden = true;
  }

  showList({ next, weighings }) {
    const { totals } = this, focused = document.activeElement?.getAttribute('href');
    const days = new Map(), sums = sumsBy(totals?.groups ?? [], 'day');
    for (const entry of weighings) days.set(entry.day, [...days.get(entry.day) ?? [], entry]);
    // Of the last day of incomplete totals a part may be missing.
    const isKnown = (day) => totals && (totals.complete || day > totals.groups.at(-1).day);
    this.tell(
      !weighings.length
        ? this.shown ? texts.historyNothing : texts.historyEmpty
        : totals
        ? sumOf(totals)
        : texts.historySumming,
    );
    this.days.replaceChildren(...[...days].map(([day, entries]) =>
      element('section', [
        element('h3', [
          element('a', element('time', dateOf(day), { datetime: day, id: `day-${day}` }), {
            href: this.filters.address(day),
            title: texts.historyChart,
          }),
          isKnown(day) ? element('span', sumOf(sums.get(day) ?? { weighings: 0, net_g: 0 })) : null,
        ]),
        element('ul', entries.map((entry) => rowOf(entry))),
      ], { 'aria-labelledby': `day-${day}` })
    ));
    this.showLabels();
    this.days.ariaBusy = false;
    this.next = next;
    this.paging.hidden = this.pages.length === 1 && !next;
    this.newer.ariaDisabled = this.pages.length === 1;
    this.older.ariaDisabled = !next;
    const [first, last] = [weighings[0], weighings.at(-1)].map((entry) => entry?.weighing.sequence);
    set(this.range, first ? say('historyRange', { first, last }) : '');
    // What a print without the button "Print" has, and what it leaves out.
    const part = weighings.length >= PRINTED ? 'historyPrintLimit' : 'historyPrintPart';
    this.printed.replaceChildren(
      [scale.hello.name, new Date().toLocaleString(LOCALE, { dateStyle: 'long', timeStyle: 'short' })].join(', '),
      ...this.filters.words().map((text) => element('span', text)),
      ...next || this.pages.length > 1 ? [element('b', say(part, { first, last, count: weighings.length }))] : [],
    );
    if (/^#\/history[/?]/.test(focused)) this.days.querySelector(`a[href="${focused}"]`)?.focus();
  }

  /** The totals of the labels, if there are several. */
  showLabels() {
    const groups = this.totals?.complete ? [...sumsBy(this.totals.groups, 'label')] : [];
    this.byLabel.hidden = groups.length < 2;
    this.labels.replaceChildren(
      ...groups.sort(([, a], [, b]) => b.net_g - a.net_g).map(([label, sum]) =>
        element('li', [element('b', label || texts.pageNoLabel), ' ', element('span', sumOf(sum))])
      ),
    );
  }
}

const sumOf = ({ weighings: count, net_g }) => `${say('pageWeighingCount', { count })}, ${mass(net_g)}`;

/** Sums of groups that have a property in common. */
function sumsBy(groups, name) {
  const sums = new Map();
  for (const { [name]: key, weighings, net_g } of groups) {
    const last = sums.get(key ?? '') ?? { weighings: 0, net_g: 0 };
    // Sums of decimal masses have no more decimals than these.
    sums.set(key ?? '', { weighings: last.weighings + weighings, net_g: +(last.net_g + net_g).toFixed(6) });
  }
  return sums;
}

function rowOf({ weighing: w, label, day, voided_by, relabelled_by }) {
  const badge = voided_by ? element('span', texts.labelVoided, { class: 'badge' }) : null;
  return element(
    'li',
    element('a', [
      element('time', timeOf(w.time, day), { datetime: w.time }),
      element('b', mass(w.net_g)),
      element('i', [badge, label ?? '', relabelled_by ? ` (${texts.pageRelabelled})` : null]),
      element('span', `#${w.sequence}`, { class: 'number' }),
    ], { href: link(w) }),
    voided_by ? { class: 'voided' } : {},
  );
}

// Days are those of the scale. Elsewhere, a weighing can be on another one.
function timeOf(text, day) {
  const time = new Date(text);
  const local = new Date(time - time.getTimezoneOffset() * 60e3).toISOString().slice(0, 10);
  return time.toLocaleString(
    LOCALE,
    local === day ? { timeStyle: 'medium' } : { dateStyle: 'short', timeStyle: 'short' },
  );
}

/** Builds the view; `show` takes the rest of its address. */
export const open = (section) => new History(section);
