// The settings that users change in the page. Loaded when they are opened; the scale checks the values and stores them.

import { TITLES } from './panels.js';
import { sentence } from './sentences.js';
import { button, clearFaults, controlFor, field, make, showFault, valueOf } from './settings-fields.js';
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
    else if (answer.reason === 'invalid') this.refuse(answer.faults);
    else if (answer.reason === 'conflict') {
      const state = await this.request();
      if (state) this.show(state);
      this.page.toast(texts.conflict, true);
    } else if (answer.detail && !answer.reason?.startsWith('token')) {
      const detail = sentence(answer, 'detail');
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
    this.editors = {
      'pad.zones': { node: this.zones.node, value: () => this.zones.value('zones') },
      'pad.controls': { value: () => this.zones.value('controls') },
      containers: { node: this.containers.node, value: () => this.containers.value() },
      actions: { node: this.actions.node, value: () => this.actions.value() },
      'mqtt.broker': { node: this.broker.node, value: () => this.broker.value() },
    };
    this.body.replaceChildren(...this.groups(), this.place);
    this.undo.disabled = !state.can_undo;
    this.place.textContent = [texts.file(state.path), this.page.isDemo() ? texts.demo : '', state.needs_restart.length ? texts.restart(state.needs_restart) : ''].filter(Boolean).join(' ');
    this.showHealth();
    this.before = this.values();
  }

  /** The fields of all keys in their groups: a key without an editor of its own has a control for its schema. */
  groups() {
    const groups = new Map();
    for (const [key, setting] of Object.entries(this.state.keys)) {
      const group = groups.get(setting.group_key) ?? { title: sentence(setting, 'group'), nodes: [], fields: [], origins: [] };
      const editor = this.editors[key], plain = editor ? null : controlFor(setting.schema, setting.value);
      if (!editor && !plain) continue;
      groups.set(setting.group_key, group);
      if (editor) {
        group.nodes.push(editor.node);
        group.origins.push(this.origin(key, `${sentence(setting, 'name')}: `));
      } else {
        this.editors[key] = { value: () => valueOf(plain, setting.schema) };
        const box = field(sentence(setting, 'name'), plain, key, plain.inputMode === 'decimal' ? sentence(setting, 'accepts') : '');
        box.append(this.origin(key));
        group.fields.push(box);
      }
    }
    return [...groups.values()].map(({ title, nodes, fields, origins }) => make('fieldset', {}, make('legend', { textContent: title }),
      ...nodes, fields.length ? make('div', { className: 'grid' }, ...fields) : null, ...origins));
  }

  /** Where the value of a key comes from, with a button that removes the setting of the page. */
  origin(key, prefix = '') {
    const setting = this.state.keys[key], { source, configured } = setting;
    const node = make('p', { className: 'origin' }, make('span', { textContent: prefix + texts.source[source] }));
    if (source !== 'page') return node;
    if (configured !== null && typeof configured !== 'object') node.append(make('span', { textContent: texts.configured(configured) }));
    node.append(button(texts.reset, () => this.replace({ reset: [key] }, texts.saved), `${texts.reset}: ${sentence(setting, 'name')}`));
    return node;
  }

  showHealth() { this.broker?.showHealth(this.page.health()); }

  /** The values of all fields by their keys. */
  values() { return Object.fromEntries(Object.entries(this.editors).map(([key, editor]) => [key, editor.value()])); }

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
  async replace(change, said) {
    if (await this.mayDiscard()) this.submit(change, said);
  }

  async submit(change, said) {
    this.summary.textContent = '';
    const state = await this.request({ revision: this.state.revision, ...change });
    if (!state) return;
    this.show(state);
    this.page.toast(said);
    this.dialog.querySelector('h2').focus();
  }

  /** Shows each fault at its field; one without a field is shown next to the button. */
  refuse(reported) {
    const faults = reported.map(fault => ({ path: fault.path, message: sentence(fault, 'message') }));
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
