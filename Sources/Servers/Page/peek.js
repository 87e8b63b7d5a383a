// Peek and pop: the preview of a weighing with its actions, by a press on its row, by the pad or by a button.

import { toast } from './dialogs.js';
import { $, announce, element, isKiosk } from './dom.js';
import { MINIMUM, Press, PREVIEW } from './force.js';
import { weighingOf } from './records.js';
import { RECALLED } from './ring.js';
import { nameOf, on, scale } from './scale.js';
import { say, texts } from './texts.js';
import { link, viewOf } from './weighing.js';

const SLIDE = 48; // pixels upwards that show the actions

class Peek {
  constructor() {
    Object.assign(this, { box: $('peek'), by: null, entry: null, leaving: null });
    const rows = $('weighings');
    let entry = null, isSlid = false;
    const press = new Press(rows, {
      full: () => scale.hello.hold_ms,
      onBegin: (event) => {
        entry = event.target.closest('button') ? null : this.entryOf(event.target.closest('tr'));
        isSlid = false;
        return Boolean(entry) && !document.querySelector('dialog:modal');
      },
      onMove: (p) => {
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
        if (!isSlid && p.intention >= scale.hello.threshold) {
          p.end(false);
          this.pop(entry);
        }
      },
      onEnd: (isReleased, p) => {
        if (!p.isUsed) return;
        if (isReleased && isSlid) this.open(entry);
        else this.hide();
      },
    });
    rows.addEventListener('dragstart', (e) => {
      if (press.since !== null) e.preventDefault();
    });
    rows.addEventListener('click', (e) => {
      const row = e.target.closest('tr');
      if (e.target.closest('[data-more]')) this.open(this.entryOf(row));
      else if (!e.target.closest('a')) this.pop(this.entryOf(row));
    });
    this.box.addEventListener('click', (e) => {
      if (e.target === this.box || e.target.closest('[data-close]')) this.hide();
    });
    this.box.addEventListener('close', () => {
      if (!this.box.open) this.hide();
    });
    addEventListener('hashchange', ({ oldURL }) => {
      this.hide();
      // On the way back from a weighing its row has the focus.
      const number = /#\/history\/(\d+)$/.exec(oldURL)?.[1];
      requestAnimationFrame(() => number && rows.querySelector(`a[href="#/history/${number}"]`)?.focus());
    });
    // A recalled weighing stays after input on the page.
    for (const name of ['pointerdown', 'keydown']) {
      addEventListener(name, () => {
        clearTimeout(this.leaving);
        this.leaving = null;
      }, true);
    }
  }

  entryOf(row) {
    return row && weighingOf(row.dataset.id);
  }

  /** Shows the preview of a weighing; it performs no action. `by` is `press`, `pad` or `button`. */
  show(entry, by) {
    if (this.by === by && this.entry?.weighing.id === entry.weighing.id) return;
    Object.assign(this, { entry, by });
    const close = element('button', texts.pageClose, { type: 'button', 'data-close': '' });
    const open = element('a', texts.pageOpen, { href: link(entry.weighing), 'data-close': '' });
    this.box.replaceChildren(...viewOf(entry, false), element('p', [open, close], { class: 'choice' }));
    this.box.dataset.acts = by === 'button';
    this.fill(0);
    // Set by attribute: no focus moves while a finger or the pad previews.
    if (by !== 'button') this.box.open = true;
    this.box.scrollTop = 0;
    this.mark();
    if (by === 'pad') announce(say('pagePreview', { weighing: nameOf(entry.weighing) }));
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
    if (document.activeElement === document.body || this.box.contains(document.activeElement)) {
      row?.focus({ preventScroll: true });
    }
  }

  fill(intention) {
    this.box.style.setProperty(
      '--fill',
      Math.min(Math.max((intention - PREVIEW) / (scale.hello.threshold - PREVIEW), 0), 1),
    );
  }

  /** Highlights the row of the previewed weighing. */
  mark() {
    for (const row of $('weighings').children) {
      row.classList.toggle('previewed', row.dataset.id === this.entry?.weighing.id);
    }
  }

  /** Opens the page of a weighing. */
  pop(entry) {
    this.hide();
    location.hash = link(entry.weighing);
  }

  /** Follows a change of the list. */
  refresh() {
    this.mark();
    this.update();
  }

  /** Shows what has become of the weighing in the dialog. */
  update() {
    const now = this.by === 'button' && weighingOf(this.entry.weighing.id);
    if (!now || now.label === this.entry.label && now.isVoided === this.entry.isVoided) return;
    this.by = null;
    this.show(now, 'button');
    this.box.querySelector('button[data-close]').focus();
  }

  // ---- What the pad scrubs.

  /** Follows a gesture with the action `history`. */
  follow({ state, intention, preview }) {
    if (isKiosk) return;
    if (this.by !== null && this.by !== 'pad' || document.querySelector('dialog:modal')) return;
    // Once it is confirmed the weighing is recalled, and its page opens.
    if (!preview?.id || !['updating', 'selected'].includes(state) || location.hash === link(preview)) {
      return this.hide();
    }
    this.show(this.known(preview), 'pad');
    this.fill(intention);
  }

  known(w) {
    return weighingOf(w.id) ?? { weighing: w, label: w.label };
  }

  /** Opens the page of a weighing that the pad has recalled; leaves it after 10 s without input. */
  recalled(w) {
    if (document.querySelector('dialog:modal')) return;
    toast(say('pageRecalled', { weighing: nameOf(w) }));
    // A page that was opened by the pad and is untouched gives its place in the history to the next one.
    const isUntouched = this.leaving !== null && location.hash === this.recall, address = link(w);
    if (location.hash === address && !isUntouched) return;
    clearTimeout(this.leaving);
    this.hide();
    this.recall = address;
    if (isUntouched) location.replace(address);
    else location.hash = address;
    this.leaving = setTimeout(() => {
      this.leaving = null;
      if (location.hash === address) history.back();
    }, RECALLED);
  }
}

const peek = new Peek();
on('weighings', () => peek.refresh());
on('gesture', (g) => (g.action === 'history' || g.state === 'idle') && peek.follow(g));
on('event', (e, isOld) => !isOld && e.type === 'recalled' && peek.recalled(e.weighing));
