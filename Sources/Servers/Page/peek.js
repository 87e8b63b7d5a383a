// Peek and pop: the preview of a weighing, its actions, and its page at #weighing-NUMBER.

import { Chart } from './chart.js';
import { MINIMUM, PREVIEW, Press } from './force.js';
import { SOURCES, effectiveWeighings, element, timeOf } from './panels.js';

const $ = id => document.getElementById(id);
const SLIDE = 48; // pixels upwards that show the actions
/** For how long the pad refers to a recalled weighing, in ms. */
export const RECALLED = 10e3;
const CALIBRATIONS = { user: '«pageByPoints»', kernel: '«pageByDriver»', nominal: '«pageByCapacity»' };
const link = w => `#weighing-${w.sequence}`;

/** `page` provides `entries`, `timing`, `mass`, `spread`, `unit`, `name`, `request`, `voidWithQuestion`, `obstacle`, `repeat`, `toast` and `announce`. */
export class Peek {
  constructor(page) {
    Object.assign(this, { page, box: $('peek'), by: null, curves: new Map(), leaving: null });
    const rows = $('weighings');
    let entry = null, isSlid = false;
    const press = new Press(rows, {
      full: () => page.timing().hold_ms,
      onBegin: event => {
        entry = event.target.closest('button') ? null : this.entryOf(event.target.closest('tr'));
        isSlid = false;
        return Boolean(entry) && !document.querySelector('dialog:modal');
      },
      onMove: p => {
        if (!p.isUsed) {
          if (Math.hypot(p.dx, p.dy) > 10) return p.end(false);
          if (p.elapsed < MINIMUM || p.intention < PREVIEW) return;
          p.isUsed = true;
          this.show(entry, 'press');
        }
        if (Math.abs(p.dx) > 2 * SLIDE) return p.end(false);
        isSlid = p.dy < -SLIDE;
        this.box.dataset.acts = isSlid;
        this.fill(p.intention);
        if (!isSlid && p.intention >= page.timing().threshold) { p.end(false); this.pop(entry); }
      },
      onEnd: (isReleased, p) => {
        if (!p.isUsed) return;
        if (isReleased && isSlid) this.open(entry); else this.hide();
      },
    });
    rows.addEventListener('dragstart', e => { if (press.since !== null) e.preventDefault(); });
    rows.addEventListener('click', e => {
      const row = e.target.closest('tr');
      if (e.target.closest('[data-more]')) this.open(this.entryOf(row));
      else if (!e.target.closest('a')) this.pop(this.entryOf(row));
    });
    this.box.addEventListener('click', e => { if (e.target === this.box || e.target.closest('[data-close]')) this.hide(); });
    this.box.addEventListener('close', () => { if (!this.box.open) this.hide(); });
    addEventListener('hashchange', () => { this.hide(); this.route(); });
    // A recalled weighing stays after input on the page.
    for (const name of ['pointerdown', 'keydown']) addEventListener(name, () => { clearTimeout(this.leaving); this.leaving = null; }, true);
  }

  entryOf(row) { return row && this.page.entries().find(e => e.weighing.id === row.dataset.id); }

  /** Shows the preview of a weighing; it performs no action. `by` is `press`, `pad` or `button`. */
  show(entry, by) {
    if (this.by === by && this.entry?.weighing.id === entry.weighing.id) return;
    Object.assign(this, { entry, by });
    const close = element('button', '«pageClose»', { type: 'button', 'data-close': '' });
    const open = element('a', '«pageOpen»', { href: link(entry.weighing), 'data-close': '' });
    this.box.replaceChildren(...this.view(entry, false), element('p', [open, close], { class: 'choice' }));
    this.box.dataset.acts = by === 'button';
    this.fill(0);
    // Set by attribute: no focus moves while a finger or the pad previews.
    if (by !== 'button') this.box.open = true;
    this.box.scrollTop = 0;
    this.mark();
    if (by === 'pad') this.page.announce(`«pagePreview weighing=${this.page.name(entry.weighing)}»`);
  }

  /** Opens the preview with its actions as a dialog. */
  open(entry) {
    this.hide();
    this.show(entry, 'button');
    this.box.showModal();
    this.box.querySelector('button[data-close]').focus();
  }

  hide() {
    if (this.by === null) return;
    const row = document.querySelector(`#weighings [data-id="${this.entry.weighing.id}"] [data-more]`);
    this.by = this.entry = null;
    this.box.close();
    this.mark();
    // Its row was drawn again meanwhile.
    if (document.activeElement === document.body || this.box.contains(document.activeElement)) row?.focus({ preventScroll: true });
  }

  fill(intention) {
    this.box.style.setProperty('--fill', Math.min(Math.max((intention - PREVIEW) / (this.page.timing().threshold - PREVIEW), 0), 1));
  }

  /** Highlights the row of the previewed weighing. */
  mark() {
    for (const row of $('weighings').children) row.classList.toggle('previewed', row.dataset.id === this.entry?.weighing.id);
  }

  /** Opens the page of a weighing. */
  pop(entry) {
    this.hide();
    location.hash = link(entry.weighing);
  }

  /** Follows a change of the list or of the obstacles to actions. */
  refresh() {
    Object.assign(this, { found: null, isListed: true });
    this.mark();
    this.route();
    this.update();
    for (const button of document.querySelectorAll('.acts button')) button.allow();
  }

  /** Shows what has become of the weighing in the dialog. */
  update() {
    const now = this.by === 'button' && this.page.entries().find(e => e.weighing.id === this.entry.weighing.id);
    if (!now || now.label === this.entry.label && now.isVoided === this.entry.isVoided) return;
    this.by = null;
    this.show(now, 'button');
    this.box.querySelector('button[data-close]').focus();
  }

  // ---- What the pad scrubs.

  /** Follows a gesture with the action `history`. */
  follow({ state, intention, preview }) {
    if (this.by !== null && this.by !== 'pad' || document.querySelector('dialog:modal')) return;
    // Once it is confirmed the weighing is recalled, and its page opens.
    if (!preview?.id || !['updating', 'selected'].includes(state) || location.hash === link(preview)) return this.hide();
    this.show(this.known(preview), 'pad');
    this.fill(intention);
    const row = document.querySelector('tr.previewed');
    if (row) row.closest('.scroll').scrollTop = row.offsetTop - 2 * row.offsetHeight;
  }

  known(w) { return this.page.entries().find(e => e.weighing.id === w.id) ?? { weighing: w, label: w.label }; }

  /** Opens the page of a weighing that the pad has recalled; leaves it after 10 s without input. */
  recalled(w) {
    if (document.querySelector('dialog:modal')) return;
    this.page.toast(`«pageRecalled weighing=${this.page.name(w)}»`);
    // A page that was opened by the pad and is untouched gives its place in the history to the next one.
    const isUntouched = this.leaving !== null && location.hash === this.recall, address = link(w);
    if (location.hash === address && !isUntouched) return;
    clearTimeout(this.leaving);
    this.hide();
    this.recall = address;
    if (isUntouched) location.replace(address); else location.hash = address;
    this.leaving = setTimeout(() => { this.leaving = null; if (location.hash === address) history.back(); }, RECALLED);
  }

  // ---- The page of a weighing.

  /** Shows the page that the address names, or the list. */
  route() {
    const number = /^#weighing-(\d{1,15})$/.exec(location.hash)?.[1], page = $('detail'), was = page.dataset.number;
    page.hidden = !number;
    document.body.classList.toggle('detailed', Boolean(number));
    // The history, which hides itself later, would keep the focus from the page.
    if (number) document.body.classList.remove('historic');
    if (!number) {
      delete page.dataset.number;
      page.dataset.content = '';
      if (was) document.querySelector(`#weighings a[href="#weighing-${was}"]`)?.focus();
      return;
    }
    const known = this.page.entries().find(e => e.weighing.sequence === Number(number));
    if (!known && this.found?.number !== number) {
      if (was !== number) { page.replaceChildren(); page.dataset.content = ''; }
      return void (this.isListed && this.find(number));
    }
    const entry = known ?? this.found.entry;
    const content = JSON.stringify([number, entry ?? this.found, this.page.unit()]);
    if (page.dataset.content === content) return;
    Object.assign(page.dataset, { content, number });
    const isNew = was !== number, hadFocus = page.contains(document.activeElement);
    // What is being typed stays if the weighing changes meanwhile.
    const field = () => page.querySelector('.acts input'), old = isNew ? null : field();
    const typed = old?.value === old?.defaultValue ? null : old.value, isTyping = old && old === document.activeElement;
    const retry = element('button', '«historyRetry»', { type: 'button' });
    retry.addEventListener('click', () => this.find(number));
    const missing = [element('h2', `«pageWeighing» #${number}`),
      ...known || this.found.isRead ? [element('p', '«pageUnknownWeighing»')] : [element('p', '«pageJournalUnreadable»', { role: 'alert' }), element('p', retry)]];
    const back = element('a', '«pageAllWeighings»', { href: entry && !known ? '#history' : '#weighings-card' });
    page.replaceChildren(element('p', back), ...entry ? this.view(entry, true) : missing);
    page.querySelector('h2').tabIndex = -1;
    if (typed !== null && field()) field().value = typed;
    if (isTyping && field()) field().focus(); else if (isNew || hadFocus) page.querySelector('h2').focus({ preventScroll: !isNew });
  }

  /** Reads a weighing that is not among the newest. */
  async find(number) {
    if (this.finding === number) return;
    this.finding = number;
    const list = await this.page.load(`api/history?before=${Number(number) + 1}&limit=1`);
    this.finding = null;
    this.found = { number, isRead: Boolean(list), entry: effectiveWeighings(list?.weighings ?? []).find(e => e.weighing.sequence === Number(number)) };
    this.route();
  }

  /** What is known about a weighing, with its curve and its actions. */
  view(entry, isPage) {
    const { weighing: w, label, isVoided } = entry, { mass, spread, unit } = this.page;
    const container = element('dd', w.tare_g ? '…' : '–');
    const rows = [
      ['«pageTime»', timeOf(w)], ['«pageLabel»', label ?? '«pageNone»'], ['«pageTare»', mass(w.tare_g)], ['«pageContainer»', container],
      ['«pageUncertainty»', w.uncertainty_g === null ? '«pageNotKnown»' : `± ${spread(w.uncertainty_g)} ${unit().symbol}`],
      ['«pageCalibration»', `«pageByNumber origin=${CALIBRATIONS[w.calibration] ?? w.calibration} number=${w.calibration_counter}»`],
      ...isPage ? [
        ['«pageGross»', mass(w.gross_g)], ...w.pieces == null ? [] : [['«pagePieces»', String(w.pieces)]], ['«pageSource»', SOURCES[w.source] ?? w.source],
        ['«pageClock»', { synchronised: '«pageSynchronised»', unsynchronised: '«pageUnsynchronised»' }[w.clock] ?? '«pageNotKnown»'], ['«pageConfiguration»', w.configuration_hash], ['«pageIdentifier»', w.id],
      ] : [],
    ];
    const curve = element('div', null, { class: 'chart curve', role: 'img', 'aria-label': '«pageLoadAround»' });
    const note = element('p', '', { class: 'note' });
    this.draw(w, curve, note, container);
    return [
      element('h2', [`#${w.sequence}`, ' ', element('b', mass(w.net_g)), isVoided ? element('span', '«labelVoided»', { class: 'badge' }) : null], isPage ? {} : { id: 'peek-title' }),
      curve, note, element('dl', rows.map(([name, value]) => element('div', [element('dt', name), value.nodeType ? value : element('dd', value)]))),
      this.actions(entry),
    ];
  }

  async draw(w, box, note, container) {
    const curve = this.curves.get(w.id) ?? await this.page.load(`api/curve/${w.id}`);
    if (curve?.complete) this.curves.set(w.id, curve);
    if (this.curves.size > 100) this.curves.delete(this.curves.keys().next().value);
    if (w.tare_g) container.textContent = curve?.points ? curve.container ?? '–' : '«pageNotKnown»';
    if (!curve?.points) {
      box.hidden = true;
      note.textContent = curve ? '«pageNoCurve»' : '«pageCurveUnreadable»';
      return;
    }
    note.textContent = '«pageCurveNote»';
    const chart = new Chart(box, 0, [-8000, 2000]);
    chart.heartbeat = Infinity;
    chart.unit = this.page.unit();
    chart.points = curve.points.map(([t, v, s]) => ({ t, v, s }));
    chart.weighings = [{ t: 0, v: w.net_g, label: this.page.mass(w.net_g) }];
    box.setAttribute('aria-label', chart.summary);
  }

  // In two groups: what changes this weighing, and what the next one takes from it.
  actions(entry) {
    const { weighing: w, label, isVoided } = entry, { page } = this;
    const button = (text, reason, perform, attributes = {}) => {
      const node = element('button', text, { type: 'button', ...attributes });
      const why = () => reason || (perform.isLocal ? '' : page.obstacle());
      node.allow = () => node.setAttribute('aria-disabled', Boolean(why()));
      node.allow();
      node.addEventListener('click', event => {
        event.preventDefault();
        if (why()) return page.toast(`«pageUnavailable reason=${why()}»`, true);
        perform();
      });
      return node;
    };
    const field = element('input', null, { maxlength: 64, autocomplete: 'off', 'aria-label': `«pageNewLabel number=${w.sequence}»`, value: label ?? '' });
    const relabel = () => page.request('relabel', { id: w.id, label: field.value.trim() || null });
    const repeat = () => { this.hide(); page.repeat(label); };
    repeat.isLocal = true;
    const group = (title, ...nodes) => element('fieldset', [element('legend', title), ...nodes]);
    return element('div', [
      group('«pageThisWeighing»',
        element('form', [field, button('«pageRelabel»', '', relabel, { type: 'submit' })], { class: 'row' }),
        button('«pageVoid»', isVoided ? '«pageIsVoided»' : '', () => { this.hide(); page.voidWithQuestion(entry); }, { class: 'risky' })),
      group('«pageNextWeighing»', element('p', [
        button('«pageUseTare»', w.tare_g > 0 ? '' : '«pageHasNoTare»', () => page.request('tare', { tare_g: w.tare_g })),
        button('«pageRepeatLabel»', label ? '' : '«pageHasNoLabel»', repeat),
      ], { class: 'row' })),
    ], { class: 'acts' });
  }
}
