// The view of a weighing: its values, its curve and its actions; and its page.

import { Chart, chartBox } from './chart.js';
import { enableCursor } from './chart-input.js';
import { toast } from './dialogs.js';
import { $, button, element, set } from './dom.js';
import { commonObstacle } from './effects.js';
import { pairs } from './parts.js';
import { effectiveWeighings, SOURCES, timeOf, weighings } from './records.js';
import { load, request } from './requests.js';
import { mass, on, scale, spread } from './scale.js';
import { say, texts } from './texts.js';
import { isShown } from './views.js';

const MOST = 100; // curves that are kept
const CALIBRATIONS = {
  user: texts.pageByPoints,
  kernel: texts.pageByDriver,
  known: texts.pageByList,
  nominal: texts.pageByCapacity,
};

/** Curves by the identifiers of their weighings. */
const curves = new Map();

/** The address of the page of a weighing. */
export const link = (w) => `#/history/${w.sequence}`;

/** What is known about a weighing, with its curve and its actions. */
export function viewOf(entry, isPage) {
  const { weighing: w, label, isVoided } = entry, { unit } = scale.hello;
  const container = element('dd', w.tare_g ? '…' : '–');
  const rows = [
    [texts.pageTime, timeOf(w)],
    [texts.pageLabel, label ?? texts.pageNone],
    [texts.pageTare, mass(w.tare_g)],
    [texts.pageContainer, container],
    [
      texts.pageUncertainty,
      w.uncertainty_g === null ? texts.pageNotKnown : `± ${spread(w.uncertainty_g)} ${unit.symbol}`,
    ],
    [
      texts.pageCalibration,
      say('pageByNumber', { origin: CALIBRATIONS[w.calibration] ?? w.calibration, number: w.calibration_counter }),
    ],
    ...isPage
      ? [
        [texts.pageGross, mass(w.gross_g)],
        ...w.pieces == null ? [] : [[texts.pagePieces, String(w.pieces)]],
        [texts.pageSource, SOURCES[w.source] ?? w.source],
        [
          texts.pageClock,
          { synchronised: texts.pageSynchronised, unsynchronised: texts.pageUnsynchronised }[w.clock] ??
            texts.pageNotKnown,
        ],
        [texts.pageConfiguration, w.configuration_hash || '–'],
        [texts.pageIdentifier, w.id],
      ]
      : [],
  ];
  const curve = chartBox({ class: 'chart curve', 'aria-label': texts.pageLoadAround });
  const note = element('p', '', { class: 'note' });
  draw(w, curve, note, container);
  const details = pairs(rows);
  // On the page, what can be done comes before what is known in detail.
  return [
    element('h2', [
      `#${w.sequence}`,
      ' ',
      element('b', mass(w.net_g)),
      isVoided ? element('span', texts.labelVoided, { class: 'badge' }) : null,
    ], isPage ? {} : { id: 'peek-title' }),
    curve,
    note,
    ...isPage ? [actionsOf(entry), details] : [details, actionsOf(entry)],
  ];
}

async function draw(w, box, note, container) {
  const curve = curves.get(w.id) ?? await load(`api/curve/${w.id}`);
  if (curve?.complete) curves.set(w.id, curve);
  if (curves.size > MOST) curves.delete(curves.keys().next().value);
  if (w.tare_g) container.textContent = curve?.points ? curve.container ?? '–' : texts.pageNotKnown;
  if (!curve?.points) {
    box.hidden = true;
    note.textContent = curve ? texts.pageNoCurve : texts.pageCurveUnreadable;
    return;
  }
  const chart = new Chart(box, 0, [-8000, 2000]);
  chart.onCursor = (probe) => set(note, probe?.text ?? texts.pageCurveNote);
  chart.points = curve.points.map(([t, v, s]) => ({ t, v, s }));
  chart.weighings = [{ t: 0, v: w.net_g, label: mass(w.net_g) }];
  chart.draw();
  enableCursor(chart, box);
  box.ariaLabel = chart.summary;
}

// In two groups: what changes this weighing, and what the next one takes from it.
function actionsOf(entry) {
  const { weighing: w, label, isVoided } = entry;
  const act = (text, reason, perform, attributes) => {
    const why = () => reason || (perform.isLocal ? '' : commonObstacle());
    const node = button(text, (event) => {
      event.preventDefault();
      if (why()) toast(say('pageUnavailable', { reason: why() }), true);
      else perform();
    }, attributes);
    node.allow = () => node.ariaDisabled = Boolean(why());
    node.allow();
    return node;
  };
  const field = element('input', null, {
    maxlength: 64,
    autocomplete: 'off',
    placeholder: texts.pageLabel,
    'aria-label': say('pageNewLabel', { number: w.sequence }),
    value: label ?? '',
  });
  const relabel = () => request('relabel', { id: w.id, label: field.value.trim() || null });
  const repeat = () => repeatLabel(label);
  repeat.isLocal = true;
  const voiding = element('div', null, { class: 'voiding' });
  const offer = () => {
    const open = act(texts.pageVoid, isVoided ? texts.pageIsVoided : '', question, { class: 'risky' });
    voiding.replaceChildren(open);
    return open;
  };
  // The question stands where the button was; the focus is on what changes nothing, and Escape does the same.
  const question = () => {
    const keep = act(texts.pageKeep, '', end), number = w.sequence;
    const agree = act(say('pageVoidNumber', { number }), '', () => request('void', { id: w.id }), {
      class: 'risky',
    });
    const ask = say('pageAskVoid', { number });
    const group = element('p', [element('span', ask), agree, keep], { class: 'row', role: 'group', 'aria-label': ask });
    group.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      end();
    });
    voiding.replaceChildren(group);
    keep.focus();
  };
  const end = () => offer().focus();
  end.isLocal = true;
  offer();
  const group = (title, ...nodes) => element('fieldset', [element('legend', title), ...nodes]);
  return element('div', [
    group(
      texts.pageThisWeighing,
      element('form', [field, act(texts.pageRelabel, '', relabel, { type: 'submit' })], { class: 'row' }),
      voiding,
    ),
    group(
      texts.pageNextWeighing,
      element('p', [
        act(texts.pageUseTare, w.tare_g > 0 ? '' : texts.pageHasNoTare, () => request('tare', { tare_g: w.tare_g })),
        act(texts.pageRepeatLabel, label ? '' : texts.pageHasNoLabel, repeat),
      ], { class: 'row' }),
    ),
  ], { class: 'acts' });
}

/** Labels the next weighing like this one. */
function repeatLabel(label) {
  $('peek').close();
  $('label').value = label;
  const focus = () => $('label').focus();
  if (isShown('scale')) {
    focus();
  } else {
    // The preview gives the focus to the row of the weighing first.
    addEventListener('hashchange', () => requestAnimationFrame(() => requestAnimationFrame(focus)), { once: true });
    location.hash = '#/';
  }
  toast(say('pageNextLabel', { label }));
}

on('changed', () => {
  for (const button of document.querySelectorAll('.acts button')) button.allow();
});

/** The page of a weighing, in the place of the list of the history. */
export class WeighingPage {
  constructor() {
    /** The number in the address, what the journal has, the number that is looked for, and the address of the list. */
    Object.assign(this, { number: null, found: null, finding: null, content: '', list: '#/history' });
    this.section = element('section', null, {
      class: 'card',
      id: 'detail',
      tabindex: '-1',
      'aria-label': texts.pageWeighing,
      hidden: '',
    });
    on('weighings', () => {
      this.found = null;
      this.show(this.number, false);
    });
  }

  /** Shows the weighing with a number; `null` hides the page. */
  show(number, isNew = number !== this.number) {
    this.number = number;
    this.section.hidden = number === null;
    if (number === null) return;
    const known = weighings().find((e) => e.weighing.sequence === number);
    if (!known && this.found?.number !== number) {
      if (isNew) {
        this.section.replaceChildren();
        this.content = '';
      }
      return this.find(number);
    }
    const entry = known ?? this.found.entry, content = JSON.stringify([number, entry ?? this.found, scale.hello.unit]);
    if (this.content === content && !isNew) return;
    this.content = content;
    this.replace(entry, isNew);
  }

  replace(entry, isNew) {
    const page = this.section, hadFocus = page.contains(document.activeElement);
    // What is being typed stays if the weighing changes meanwhile.
    const field = () => page.querySelector('.acts input'), old = isNew ? null : field();
    const typed = old && old.value !== old.defaultValue ? old.value : null,
      isTyping = old && old === document.activeElement;
    page.replaceChildren(
      element('p', element('a', texts.pageAllWeighings, { href: this.list }), { class: 'back' }),
      ...entry ? viewOf(entry, true) : this.missing(),
    );
    page.querySelector('h2').tabIndex = -1;
    if (typed !== null && field()) field().value = typed;
    if (isTyping && field()) field().focus();
    else if (isNew || hadFocus) page.querySelector('h2').focus({ preventScroll: !isNew });
  }

  missing() {
    const heading = element('h2', `${texts.pageWeighing} #${this.number}`),
      retry = button(texts.historyRetry, () => this.find(this.number));
    return this.found.isRead
      ? [heading, element('p', texts.pageUnknownWeighing)]
      : [heading, element('p', texts.pageJournalUnreadable, { role: 'alert' }), element('p', retry)];
  }

  /** Reads a weighing that is not among the newest. */
  async find(number) {
    if (this.finding === number) return;
    this.finding = number;
    const list = await load(`api/history?before=${number + 1}&limit=1`);
    this.finding = null;
    const entry = effectiveWeighings(list?.weighings ?? []).find((e) => e.weighing.sequence === number);
    const isNew = this.content === '';
    this.found = { number, isRead: Boolean(list), entry };
    if (this.number === number) this.show(number, isNew);
  }
}
