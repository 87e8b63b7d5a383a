// The history: the weighings of the whole journal by day, with their totals, filters and an export. Loaded when it is opened.

import { texts } from './history-texts.js';
import { LOCALE, element } from './panels.js';

const ADDRESS = '#history';
const LIMIT = 50;
const DATE = { type: 'date', min: '1970-01-01', max: '2199-12-31' };
const PAUSE = 250; // ms after the last letter until a search begins
const PATIENCE = 300; // ms for which a list waits for its totals
const LAG = 5000; // ms until totals that lag behind are asked for again
const after = delay => new Promise(done => setTimeout(done, delay));

class History {
  /** `page` provides `mass`. */
  constructor(page) {
    Object.assign(this, { page, turn: 0, sumTurn: 0, pages: [null], totals: null, isShown: false, left: '' });
    const control = (name, node, text) => {
      node.name = name;
      return element('label', [element('span', text), node]);
    };
    const option = (text, value) => element('option', text, { value });
    this.labels = element('select', null);
    this.filters = element('form', [
      control('search', element('input', null, { type: 'search', autocomplete: 'off' }), texts.search),
      control('label', this.labels, texts.label),
      control('from', element('input', null, DATE), texts.from),
      control('until', element('input', null, DATE), texts.until),
      control('voided', element('select', ['', 'false', 'true'].map((value, i) => option(texts.states[i], value))), texts.state),
      element('button', texts.reset, { type: 'button' }),
    ], { class: 'filters', role: 'search' });
    this.filters.addEventListener('submit', event => { event.preventDefault(); this.restart(); });
    this.filters.addEventListener('input', event => {
      // While the year is typed, the date is one of the first centuries.
      if (!event.target.validity.valid) return;
      clearTimeout(this.pending);
      this.pending = setTimeout(() => this.restart(), event.target.name === 'search' ? PAUSE : 0);
    });
    this.filters.querySelector('button').addEventListener('click', () => { this.filters.reset(); this.restart(); });
    this.heading = element('h2', texts.title, { id: 'history-title', tabindex: '-1' });
    this.csv = element('a', texts.csv, { download: 'weighings.csv' });
    this.summary = element('p', null, { class: 'summary', role: 'status' });
    this.days = element('div', null, { class: 'days', role: 'region', 'aria-label': texts.days });
    this.range = element('span', null);
    this.newer = element('button', texts.newer, { type: 'button' });
    this.older = element('button', texts.older, { type: 'button' });
    this.newer.addEventListener('click', () => { if (this.pages.length > 1) { this.pages.pop(); this.turnPage(); } });
    this.older.addEventListener('click', () => { if (this.next) { this.pages.push(this.next); this.turnPage(); } });
    this.paging = element('p', [this.newer, this.range, this.older], { class: 'row', role: 'group', 'aria-label': texts.pages });
    this.section = element('section', [
      element('div', [this.heading, element('span', [this.csv, element('a', texts.back, { href: '#weighings-card' })], { class: 'links' })], { class: 'head' }),
      this.filters, this.summary, this.days, this.paging,
    ], { id: 'history', class: 'card', 'aria-labelledby': 'history-title' });
    document.querySelector('main').append(this.section);
    this.showLabels([]);
  }

  /** Shows or hides the history, as the address says. */
  route() {
    const isShown = location.hash === ADDRESS, was = this.isShown;
    this.isShown = isShown;
    this.section.hidden = !isShown;
    document.body.classList.toggle('historic', isShown);
    if (!isShown && was) this.left = /^#weighing-\d+$/.test(location.hash) ? location.hash : '';
    if (!isShown || was) return;
    // On the way back from a weighing its row has the focus.
    const row = this.left ? this.days.querySelector(`a[href="${this.left}"]`) : null;
    (row ?? this.heading).focus({ preventScroll: !row });
    if (!row) scrollTo(0, 0);
    // On a phone, the weight fills the screen.
    if (!row && this.heading.getBoundingClientRect().top > innerHeight / 2) this.section.scrollIntoView({ behavior: 'instant' });
    this.load(true);
  }

  /** Follows a change of the journal, which shows in the newest page only. */
  refresh() {
    if (!this.isShown || this.pages.length > 1) return;
    clearTimeout(this.following);
    this.following = setTimeout(() => this.load(true), PAUSE);
  }

  /** Shows the first page of what the filters select. */
  restart() {
    clearTimeout(this.pending);
    this.pages = [null];
    this.load(true);
  }

  turnPage() {
    this.next = null;
    this.load(false).then(() => this.heading.focus());
  }

  /** The filters in use as parameters of a request. */
  parameters() {
    const { search, label, from, until, voided } = this.filters.elements, result = new URLSearchParams();
    if (search.value.trim()) result.set('search', search.value.trim());
    if (label.value) result.set('label', label.value.slice(1));
    for (const { name, value } of [from, until, voided]) if (value) result.set(name, value);
    return result;
  }

  async load(hasNewTotals) {
    const selection = this.parameters(), query = String(selection), turn = ++this.turn;
    const [from, until] = [selection.get('from'), selection.get('until')];
    this.csv.href = `api/weighings.csv${query && `?${query}`}`;
    if (from && until && from > until) return this.fail(texts.order);
    const page = new URLSearchParams(selection);
    this.days.setAttribute('aria-busy', 'true');
    if (!this.summary.textContent) this.summary.textContent = texts.loading;
    const isCurrent = () => turn === this.turn;
    if (hasNewTotals) this.sumUp(query);
    // A search that takes long answers with what it has found, and continues with the next request.
    const list = { weighings: [], next: this.pages.at(-1) };
    do {
      page.set('limit', LIMIT - list.weighings.length);
      if (list.next) page.set('before', list.next);
      const part = await read(`api/history?${page}`, isCurrent);
      if (!isCurrent()) return;
      if (!part) return this.fail(texts.failed, true);
      list.weighings.push(...part.weighings);
      Object.assign(list, { sequence: part.sequence, next: part.next });
      if (part.next && list.weighings.length < LIMIT) this.tell(texts.searching(part.next));
    } while (list.next && list.weighings.length < LIMIT);
    if (await Promise.race([this.summing, after(PATIENCE).then(() => true)]) === true && isCurrent()) {
      this.totals = null;
      this.show(list, query !== '');
    }
    const totals = await this.summing;
    if (!isCurrent()) return;
    if (!totals) return this.fail(texts.failed, true);
    this.totals = totals;
    this.show(list, query !== '');
    clearTimeout(this.following);
    if (totals.sequence < list.sequence) this.following = setTimeout(() => this.refresh(), LAG);
  }

  /** Begins to read the totals of a selection, and the labels, which are those of all weighings. */
  sumUp(query) {
    const turn = ++this.sumTurn, isCurrent = () => turn === this.sumTurn;
    this.summing = this.sum(query, isCurrent);
    const all = query ? this.summing.then(() => this.sum('', isCurrent)) : this.summing;
    all.then(totals => { if (totals && isCurrent()) this.showLabels(totals.groups); });
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
    if (this.summary.textContent !== text) this.summary.textContent = text;
  }

  fail(text, canRetry = false) {
    const retry = element('button', texts.retry, { type: 'button' });
    retry.addEventListener('click', () => { this.heading.focus(); this.load(true); });
    this.summary.dataset.bad = '';
    this.summary.replaceChildren(text, ...canRetry ? [retry] : []);
    this.days.replaceChildren();
    this.days.setAttribute('aria-busy', 'false');
    this.paging.hidden = true;
  }

  /** Offers the labels of the newest days. The first letter of a value tells a label from the choice of all. */
  showLabels(groups) {
    const known = [...new Set(groups.map(g => g.label))].filter(label => label !== null && label !== '').sort((a, b) => a.localeCompare(b));
    const chosen = this.labels.value, values = known.map(label => `=${label}`);
    if (chosen.length > 1 && !values.includes(chosen)) values.push(chosen);
    const options = [['', texts.any], ['=', texts.none], ...values.map(value => [value, value.slice(1)])];
    if ([...this.labels.options].map(o => o.value).join('\n') === options.map(([value]) => value).join('\n')) return;
    this.labels.replaceChildren(...options.map(([value, text]) => element('option', text, { value })));
    this.labels.value = chosen;
  }

  show({ next, weighings }, isFiltered) {
    const { mass } = this.page, { totals } = this, focused = document.activeElement?.getAttribute('href');
    const sum = ({ weighings: count, net_g }) => texts.sum(count, mass(net_g));
    const days = new Map(), sums = new Map();
    for (const entry of weighings) days.set(entry.day, [...days.get(entry.day) ?? [], entry]);
    for (const { day, weighings: count, net_g } of totals?.groups ?? []) {
      const last = sums.get(day) ?? { weighings: 0, net_g: 0 };
      sums.set(day, { weighings: last.weighings + count, net_g: last.net_g + net_g });
    }
    // Of the last day of incomplete totals a part may be missing.
    const isKnown = day => totals && (totals.complete || day > totals.groups.at(-1).day);
    this.tell(!weighings.length ? isFiltered ? texts.nothing : texts.empty : totals ? sum(totals) : texts.summing);
    this.days.replaceChildren(...[...days].map(([day, entries]) => element('section', [
      element('h3', [element('time', dateOf(day), { datetime: day, id: `day-${day}` }),
        isKnown(day) ? element('span', sum(sums.get(day) ?? { weighings: 0, net_g: 0 })) : null]),
      element('ul', entries.map(entry => this.row(entry))),
    ], { 'aria-labelledby': `day-${day}` })));
    this.days.setAttribute('aria-busy', 'false');
    this.next = next;
    this.paging.hidden = this.pages.length === 1 && !next;
    this.newer.setAttribute('aria-disabled', this.pages.length === 1);
    this.older.setAttribute('aria-disabled', !next);
    this.range.textContent = weighings.length ? texts.range(weighings[0].weighing.sequence, weighings.at(-1).weighing.sequence) : '';
    if (focused?.startsWith('#weighing-')) this.days.querySelector(`a[href="${focused}"]`)?.focus();
  }

  row({ weighing: w, label, day, voided_by, relabelled_by }) {
    const time = timeOf(w.time, day), net = this.page.mass(w.net_g);
    return element('li', element('a', [
      element('time', time, { datetime: w.time }), element('b', net),
      element('i', [voided_by && element('span', texts.voided, { class: 'badge' }), label ?? '', relabelled_by ? ` (${texts.relabelled})` : null].filter(Boolean)),
      element('span', `#${w.sequence}`, { class: 'number' }),
    ], { href: `#weighing-${w.sequence}` }), voided_by ? { class: 'voided' } : {});
  }
}

const dateOf = day => new Date(`${day}T12:00`).toLocaleDateString(LOCALE, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });

/** Reads from the journal, later if too many searches are running; `null` if it cannot be read. */
async function read(path, isCurrent) {
  try {
    for (;;) {
      const answer = await fetch(path, { cache: 'no-store' });
      if (answer.ok) return await answer.json();
      const delay = Number(answer.headers.get('Retry-After'));
      if (!delay || !isCurrent()) return null;
      await after(delay * 1000);
      if (!isCurrent()) return null;
    }
  } catch { return null; }
}

// Days are those of the scale. Elsewhere, a weighing can be on another one.
function timeOf(text, day) {
  const time = new Date(text);
  const local = new Date(time - time.getTimezoneOffset() * 60e3).toISOString().slice(0, 10);
  return time.toLocaleString(LOCALE, local === day ? { timeStyle: 'medium' } : { dateStyle: 'short', timeStyle: 'short' });
}

let history = null;

/** Opens the history; returns it, so that the page can tell it about changes. */
export function openHistory(page) {
  history ??= new History(page);
  return history;
}
