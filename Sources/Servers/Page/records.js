// The newest records of the journal, and what has become of the weighings among them.

import { $, element } from './dom.js';
import { load } from './requests.js';
import { mass, nameOf, on, scale, spread, tell } from './scale.js';
import { LOCALE, say, texts } from './texts.js';

const MOST = 100; // records
const SHOWN = 3; // weighings

export const SOURCES = {
  pad: texts.sourcePad,
  button: texts.sourceButton,
  mqtt: 'MQTT',
  command_line: texts.sourceCommandLine,
  dashboard: texts.sourcePage,
  start: texts.sourceStart,
  auto: texts.sourceAuto,
  sics: 'MT-SICS',
};

/** The newest first. A list that was asked for before something has happened is not shown: `asked` and `current` count both. */
const records = { entries: [], asked: 0, current: 0 };

/** The newest weighings: `{weighing, isVoided, isAmended, label}`. */
export const weighings = () => scale.weighings;
export const weighingOf = (id) => scale.weighings.find((each) => each.weighing.id === id);

const kindOf = (w) => w.kind ?? (w.voids ? 'void' : w.amends ? 'relabel' : 'weighing');

/** The weighings among the entries; the newest relabel applies. */
export function effectiveWeighings(entries) {
  const voids = new Map(), labels = new Map();
  for (const { weighing: w } of entries) {
    if (kindOf(w) === 'void' && w.voids) voids.set(w.voids, w);
    if (kindOf(w) === 'relabel' && !labels.has(w.amends)) labels.set(w.amends, w.label);
  }
  return entries.filter((e) => kindOf(e.weighing) === 'weighing').map((e) => {
    const { weighing: w, voided_by, relabelled_by, label = w.label } = e;
    return {
      weighing: w,
      isVoided: Boolean(voided_by) || voids.has(w.id),
      isAmended: Boolean(relabelled_by) || labels.has(w.id),
      label: labels.has(w.id) ? labels.get(w.id) : label,
    };
  });
}

export function timeOf(w) {
  const time = new Date(w.time), isToday = time.toDateString() === new Date().toDateString();
  return time.toLocaleString(LOCALE, isToday ? { timeStyle: 'medium' } : { dateStyle: 'short', timeStyle: 'short' });
}

/** Reads the newest records again. */
export async function refresh() {
  const turn = ++records.asked, list = await load('api/weighings');
  if (turn < records.current) return;
  records.current = turn;
  if (list) show(list);
}

function show(list, newest) {
  records.entries = list.slice(0, MOST);
  scale.weighings = effectiveWeighings(records.entries);
  showRows(newest);
  tell('weighings');
}

function showRows(newest) {
  const focused = document.activeElement, row = focused.closest('#weighings tr')?.dataset.id;
  $('weighings').replaceChildren(...scale.weighings.slice(0, SHOWN).map((entry) => rowOf(entry, newest)));
  $('no-weighings').hidden = scale.weighings.length > 0;
  const labels = [...new Set(scale.weighings.map((e) => e.label).filter(Boolean))].slice(0, 12);
  $('labels').replaceChildren(...labels.map((value) => element('option', null, { value })));
  // The rows are new; what had the focus has it again, if it is still there.
  if (!row) return;
  const again = document.querySelector(`#weighings [data-id="${row}"] ${focused.matches('a') ? 'a' : '[data-more]'}`);
  (again ?? document.querySelector('#weighings-card a')).focus({ preventScroll: true });
}

function rowOf({ weighing: w, isVoided, isAmended, label }, newest) {
  const cell = (content, attributes = {}) => element('td', content, { role: 'cell', ...attributes });
  const classes = [isVoided && 'voided', w.sequence === newest && 'new'].filter(Boolean).join(' ');
  const link = { href: `#/history/${w.sequence}`, 'aria-label': `${texts.pageWeighing} ${nameOf(w)}` };
  const more = element('button', '⋯', {
    type: 'button',
    'data-more': '',
    'aria-haspopup': 'dialog',
    'aria-label': say('pagePreviewOf', { weighing: nameOf(w) }),
  });
  const badge = isVoided ? element('span', texts.labelVoided, { class: 'badge' }) : null;
  return element('tr', [
    cell(element('a', `#${w.sequence}`, link)),
    cell(mass(w.net_g), { class: 'n net', title: w.uncertainty_g === null ? '' : `± ${spread(w.uncertainty_g)}` }),
    cell([badge, label ?? '', isAmended ? ` (${texts.pageRelabelled})` : null], { class: 'label' }),
    cell(element('time', timeOf(w), { datetime: w.time })),
    cell(more),
  ], { role: 'row', 'data-id': w.id, class: classes });
}

/** Accepts a record of the feed. After a void, the feed repeats the newest remaining weighing. */
function accept(w) {
  const { entries } = records, known = entries.find((e) => e.weighing.id === w.id)?.weighing;
  if (known) return known.label === w.label || refresh();
  const newest = entries[0]?.weighing.sequence ?? 0;
  if (w.sequence <= newest) return refresh();
  if (kindOf(w) === 'weighing') tell('recorded', w);
  if (w.sequence > newest + 1) return refresh();
  const voided = entries.find((e) => e.weighing.id === w.voids);
  if (voided) voided.voided_by = w.id;
  const isWaiting = records.asked > records.current;
  records.current = ++records.asked;
  show([{ weighing: w, voided_by: null }, ...entries], w.sequence);
  if (isWaiting) refresh();
}

const shown = { symbol: scale.hello.unit.symbol };
on('hello', ({ unit }) => {
  if (unit.symbol !== shown.symbol) show(records.entries);
  shown.symbol = unit.symbol;
});
on('open', refresh);
on('weighing', (w, isOld) => isOld || accept(w));
on('event', ({ type }, isOld) => {
  if (!isOld && ['voided', 'relabelled', 'journal_loss', 'journal_recovered', 'reloaded'].includes(type)) refresh();
});
refresh();
