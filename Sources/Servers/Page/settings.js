// The settings that users change in the page. Loaded when they are opened; the scale checks the values and stores them.

import { TITLES, inOwnWords } from './panels.js';
import { button, choice, clearFaults, field, input, make, number, numberIn, showFault } from './settings-fields.js';
import { Broker, Containers, QuickActions } from './settings-lists.js';
import { texts } from './settings-texts.js';
import { ZoneEditor } from './settings-zones.js';

const PATH = 'api/settings';

class Settings {
  /** `page` provides `send`, `toast`, `ask`, `isDemo` and `health`. */
  constructor(page) {
    this.page = page;
    this.body = make('div', { className: 'body' });
    this.summary = make('p', { className: 'fault', role: 'alert' });
    this.place = make('p');
    this.undo = button(texts.undo, () => this.replace({ undo: true }, texts.undone));
    const form = make('form', { noValidate: true },
      make('div', { className: 'top' }, make('h2', { id: 'settings-title', textContent: texts.title, tabIndex: -1 }), button(texts.close, () => this.close())),
      this.body,
      make('div', { className: 'bottom' }, this.summary, make('button', { className: 'main', textContent: texts.save }), this.undo));
    form.addEventListener('submit', event => { event.preventDefault(); this.save(); });
    this.dialog = make('dialog', { id: 'settings', 'aria-labelledby': 'settings-title' }, form);
    this.dialog.addEventListener('cancel', event => { event.preventDefault(); this.close(); });
    this.dialog.addEventListener('keydown', event => { if (event.key === 'Escape') { event.preventDefault(); this.close(); } });
    // A browser may close a dialog all the same when it is cancelled for the second time.
    this.dialog.addEventListener('close', () => { if (this.isChanged) this.dialog.showModal(); });
    addEventListener('hashchange', () => { if (this.dialog.open) this.close(); });
    document.body.append(this.dialog);
  }

  async open() {
    const state = await this.request(null, () => this.open());
    if (!state) return;
    this.show(state);
    this.dialog.showModal();
    this.dialog.querySelector('h2').focus();
  }

  async close() {
    if (!await this.mayDiscard()) return;
    this.before = this.values();
    this.dialog.close();
  }

  get isChanged() { return Object.keys(this.changes()).length > 0; }

  /** Whether there are no unsaved changes, or the user gives them up. */
  async mayDiscard() {
    const [question, detail, yes, no] = texts.discard;
    return !this.isChanged || this.page.ask(question, '', detail, yes, no, true);
  }

  /** The answer of the scale, or `null` after what it says is shown; calls `again` once a missing token was given. */
  async request(body, again) {
    const answer = await this.page.send(PATH, body, again);
    if (!answer) { this.page.toast(body ? texts.silent : texts.away, true); return null; }
    if (answer.ok) return answer;
    if (answer.reason === 'unknown_path') this.page.toast(texts.missing, true);
    else if (answer.reason === 'invalid') await this.refuse(answer.faults);
    else if (answer.reason === 'conflict') {
      const state = await this.request();
      if (state) this.show(state);
      this.page.toast(texts.conflict, true);
    } else if (answer.detail && !answer.reason?.startsWith('token')) {
      const detail = await inOwnWords(answer, 'detail');
      this.summary.textContent = detail;
      this.page.toast(detail, true);
    }
    return null;
  }

  /** Shows the values in force. */
  show(state) {
    this.state = state;
    this.summary.textContent = '';
    const value = key => state.keys[key].value;
    this.actions = new QuickActions(value('actions'), state.keys.actions.schema.maxItems, state.actions);
    this.containers = new Containers(value('containers'), state.keys.containers.schema.maxItems);
    this.broker = new Broker(value('mqtt.broker'));
    const names = () => [
      ...state.actions.map(name => [name, TITLES[name] ?? name]), ['history', texts.zones.history],
      ...this.actions.value().filter(({ type }) => type).map(({ type, title }) => [type, title ?? type]),
    ];
    this.zones = new ZoneEditor(value('pad.zones'), value('pad.controls'), names, state.surface === 'platter');
    this.fields = {
      'device.name': input(value('device.name')),
      'scale.unit': choice(state.keys['scale.unit'].schema.enum.map(unit => [unit, unit]), value('scale.unit')),
      'scale.minimum_g': number(value('scale.minimum_g')),
      'stability.motion_g': number(value('stability.motion_g')),
      'stability.time_ms': number(value('stability.time_ms')),
      containers_auto: make('input', { type: 'checkbox', checked: value('containers_auto') }),
    };
    const group = (title, keys, ...nodes) => make('fieldset', {}, make('legend', { textContent: title }), ...nodes, ...keys.map(key => this.origin(key)));
    const plain = (...keys) => make('div', { className: 'grid' }, ...keys.map(key => {
      const box = field(texts.fields[key], this.fields[key], key, this.fields[key].inputMode === 'decimal' ? texts.accepts(state.keys[key].accepts) : '');
      box.append(this.origin(key));
      return box;
    }));
    this.body.replaceChildren(
      group(texts.groups.general, [], plain('device.name', 'scale.unit', 'scale.minimum_g')),
      group(texts.groups.stability, [], plain('stability.motion_g', 'stability.time_ms')),
      group(texts.groups.zones, ['pad.zones', 'pad.controls'], this.zones.node),
      group(texts.groups.containers, ['containers'], this.containers.node, plain('containers_auto')),
      group(texts.groups.actions, ['actions'], this.actions.node),
      group(texts.groups.broker, ['mqtt.broker'], this.broker.node), this.place);
    this.undo.disabled = !state.can_undo;
    this.place.textContent = [texts.file(state.path), this.page.isDemo() ? texts.demo : '', state.needs_restart.length ? texts.restart(state.needs_restart) : ''].filter(Boolean).join(' ');
    this.showHealth();
    this.before = this.values();
  }

  /** Where the value of a key comes from, with a button that removes the setting of the page. */
  origin(key) {
    const { source, configured } = this.state.keys[key];
    const node = make('p', { className: 'origin' }, make('span', { textContent: [texts.parts[key], texts.source[source]].filter(Boolean).join(': ') }));
    if (source !== 'page') return node;
    if (configured !== null && typeof configured !== 'object') node.append(make('span', { textContent: texts.configured(configured) }));
    node.append(button(texts.reset, () => this.replace({ reset: [key] }, texts.saved), `${texts.reset}: ${texts.parts[key] ?? texts.fields[key]}`));
    return node;
  }

  showHealth() { this.broker?.showHealth(this.page.health()); }

  /** The values of all fields by their keys. */
  values() {
    const values = {
      'pad.zones': this.zones.value('zones'), 'pad.controls': this.zones.value('controls'),
      containers: this.containers.value(), actions: this.actions.value(), 'mqtt.broker': this.broker.value(),
    };
    for (const [key, control] of Object.entries(this.fields)) {
      values[key] = control.type === 'checkbox' ? control.checked : control.inputMode === 'decimal' ? numberIn(control) : control.value;
    }
    return values;
  }

  /** The values that differ from those that were shown. */
  changes() {
    const values = this.values();
    return Object.fromEntries(Object.entries(values).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(this.before[key])));
  }

  save() {
    clearFaults(this.body);
    this.zones.check();
    this.broker.check();
    if (this.zones.hasTwins || this.broker.node.querySelector('.fault')) return this.summarize(this.body.querySelectorAll('.fault').length);
    const set = this.changes();
    if (!this.isChanged) return this.page.toast(texts.unchanged);
    this.submit({ set }, texts.saved);
  }

  /** Requests a change after which the values of the scale are shown instead of what was typed. */
  async replace(change, sentence) {
    if (await this.mayDiscard()) this.submit(change, sentence);
  }

  async submit(change, sentence) {
    this.summary.textContent = '';
    const state = await this.request({ revision: this.state.revision, ...change });
    if (!state) return;
    this.show(state);
    this.page.toast(sentence);
    this.dialog.querySelector('h2').focus();
  }

  /** Shows each fault at its field; one without a field is shown next to the button. */
  async refuse(reported) {
    const faults = await Promise.all(reported.map(async fault => ({ path: fault.path, message: await inOwnWords(fault, 'message') })));
    clearFaults(this.body);
    const rest = faults.filter(fault => !showFault(this.body, fault)).map(({ path, message }) => `${path}: ${message}`);
    this.summarize(faults.length, rest);
  }

  summarize(count, rest = []) {
    this.summary.textContent = [texts.faults(count), ...rest].join(' ');
    const first = this.body.querySelector('[aria-invalid]');
    (first?.matches('input, select, textarea') ? first : first?.querySelector('input, select, textarea'))?.focus();
  }
}

let settings = null;

/** Opens the settings; returns them, so that the page can show them its state. */
export async function openSettings(page) {
  settings ??= new Settings(page);
  await settings.open();
  return settings;
}
