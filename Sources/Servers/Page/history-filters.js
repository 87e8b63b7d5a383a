// The filters of the history: a part of a label, a label, days, and whether voided weighings are included.

import { button, element } from './dom.js';
import { options } from './parts.js';
import { texts } from './texts.js';

const STATES = [['', texts.historyIncluded], ['false', texts.historyLeftOut], ['true', texts.historyOnlyThese]];
const DATE = { type: 'date', min: '1970-01-01', max: '2199-12-31' };
const PAUSE = 250; // ms after the last letter until a search begins
const NAMES = ['search', 'label', 'from', 'until', 'voided'];

export class Filters {
  /** `onChange` is called when something else is selected. */
  constructor(onChange) {
    this.labels = element('select', null);
    this.titles = {
      search: texts.historySearch,
      label: texts.pageLabel,
      from: texts.historyFrom,
      until: texts.historyUntil,
      voided: texts.historyVoided,
    };
    const fields = {
      search: element('input', null, { type: 'search', autocomplete: 'off' }),
      label: this.labels,
      from: element('input', null, DATE),
      until: element('input', null, DATE),
      voided: element('select', options(STATES)),
    };
    const labelled = NAMES.map((name) => {
      fields[name].name = name;
      return element('label', [element('span', this.titles[name]), fields[name]]);
    });
    this.more = button(texts.historyFilters, () => this.unfold(!this.isUnfolded), { class: 'more' });
    const reset = button(texts.pageReset, () => {
      this.form.reset();
      change();
    });
    this.form = element('form', [...labelled.slice(0, 2), this.more, ...labelled.slice(2), reset], {
      class: 'filters',
      role: 'search',
    });
    const change = () => {
      clearTimeout(this.pending);
      onChange();
    };
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      change();
    });
    this.form.addEventListener('input', (event) => {
      // While the year is typed, the date is one of the first centuries.
      if (!event.target.validity.valid) return;
      clearTimeout(this.pending);
      this.pending = setTimeout(change, event.target.name === 'search' ? PAUSE : 0);
    });
    this.offer([]);
    this.unfold(false);
  }

  /** On small screens, days and voided weighings are filters that are unfolded. */
  unfold(isUnfolded) {
    this.isUnfolded = isUnfolded;
    this.form.toggleAttribute('data-unfolded', isUnfolded);
    this.more.ariaExpanded = isUnfolded;
  }

  /** The only day that is selected, if there is one. */
  get day() {
    const { from, until } = this.form.elements;
    return from.value && from.value === until.value ? from.value : '';
  }

  /** The filters in use as parameters of a request. */
  parameters() {
    const result = new URLSearchParams();
    for (const name of NAMES) {
      const value = this.form.elements[name].value.trim();
      // The first letter of a value tells a label from the choice of all.
      if (value) result.set(name, name === 'label' ? value.slice(1) : value);
    }
    return result;
  }

  /** The address of the list with the filters, with another day if one is given. */
  address(day) {
    const parameters = this.parameters();
    for (const name of day ? ['from', 'until'] : []) parameters.set(name, day);
    return `#/history${parameters.size ? `?${parameters}` : ''}`;
  }

  /** Sets the filters to the parameters of an address. */
  read(parameters) {
    if (String(parameters) === String(this.parameters())) return;
    const label = parameters.get('label');
    this.form.reset();
    this.offer(this.groups, label === null ? '' : `=${label}`);
    for (const name of NAMES) if (name !== 'label') this.form.elements[name].value = parameters.get(name) ?? '';
    if (['from', 'until', 'voided'].some((name) => parameters.has(name)) && !this.day) this.unfold(true);
  }

  /** Offers the labels of the newest days, and the chosen one. */
  offer(groups, chosen = this.labels.value) {
    this.groups = groups;
    const known = [...new Set(groups.map((g) => g.label))].filter(Boolean).sort((a, b) => a.localeCompare(b));
    const values = known.map((label) => `=${label}`);
    if (chosen.length > 1 && !values.includes(chosen)) values.push(chosen);
    const offered = options([
      ['', texts.historyAnyLabel],
      ['=', texts.pageNoLabel],
      ...values.map((value) => [value, value.slice(1)]),
    ]);
    const valuesOf = (list) => [...list].map(({ value }) => value).join('\n');
    if (valuesOf(this.labels.options) !== valuesOf(offered)) this.labels.replaceChildren(...offered);
    this.labels.value = chosen;
  }

  /** The filters in use in words. */
  words() {
    return NAMES.filter((name) => this.form.elements[name].value).map((name) => {
      const { value, selectedOptions } = this.form.elements[name];
      return `${this.titles[name]}: ${selectedOptions?.[0].textContent ?? value}`;
    });
  }
}
