// The settings that users change in the page. Loaded when they are opened; the scale checks the values and stores them.

import { ask, toast } from './dialogs.js';
import { button, element } from './dom.js';
import { healthCard } from './health-card.js';
import { soft } from './parts.js';
import { send, titleOf } from './requests.js';
import { pairedCard } from './pairing.js';
import { on, scale } from './scale.js';
import { sentence } from './sentences.js';
import { clearFaults, controlFor, field, inWords, showFault, valueOf } from './settings-fields.js';
import { Broker, Containers, QuickActions } from './settings-lists.js';
import { ZoneEditor } from './settings-zones.js';
import { say, texts } from './texts.js';
import { isShown } from './views.js';

const PATH = 'api/settings', RARE = { ct: texts.settingsCarat, gn: texts.settingsGrain };
const aside = () => element('div', [healthCard(), pairedCard()], { class: 'aside' });

class Settings {
  constructor(section) {
    this.heading = element('h2', texts.pageSettings, { id: 'settings-title', tabindex: '-1' });
    this.body = element('div', null, { class: 'groups' });
    this.summary = element('p', null, { class: 'fault', role: 'alert' });
    this.absence = element('p', null, { class: 'card', role: 'status', hidden: '' });
    this.place = soft();
    this.undo = button(texts.settingsUndo, () => this.replace({ undo: true }, texts.settingsUndone));
    this.bar = element('div', [
      this.summary,
      element('button', texts.pageSave, { class: 'main' }),
      button(texts.settingsDiscard, () => this.discard()),
    ], { class: 'bar', hidden: '' });
    this.form = element('form', [this.body, element('div', [this.place, this.undo], { class: 'stored' }), this.bar], {
      novalidate: '',
      hidden: '',
    });
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.save();
    });
    // Every way to change a value ends with one of these.
    for (const name of ['input', 'change', 'click', 'keyup', 'pointerup']) {
      this.form.addEventListener(name, () => this.state && this.showChanges());
    }
    this.form.addEventListener('focusin', (event) => {
      this.used = event.target.closest('[data-group]')?.dataset.group ?? this.used;
    });
    section.append(this.heading, aside(), this.absence, this.form);
    this.opened = new Set(['scale']);
    this.before = {};
    // What was typed stays while another view is shown; only a page that is left loses it.
    addEventListener('beforeunload', (event) => {
      if (this.isChanged) event.preventDefault();
    });
    on('health', () => this.broker?.showHealth(scale.health));
    on('open', () => !this.state && isShown('settings') && this.show());
  }

  /** Shows the values in force, unless there are unsaved changes, and opens the group that the address names. */
  async show(group = '') {
    this.heading.focus({ preventScroll: true });
    if (!this.isChanged) {
      const state = await this.request(null, () => this.show(group));
      if (state && !this.isChanged) this.adopt(state);
    }
    const node = this.groupNamed(group);
    if (!node) return;
    node.open = true;
    node.scrollIntoView();
    node.firstChild.focus({ preventScroll: true });
  }

  groupNamed(name) {
    return [...this.body.children].find((node) => node.dataset.group === name);
  }

  get isChanged() {
    return Boolean(this.state) && Object.keys(this.changes()).length > 0;
  }

  /** Whether there are no unsaved changes, or the user gives them up. */
  mayDiscard() {
    return !this.isChanged || ask(
      texts.settingsAskDiscard,
      '',
      texts.settingsNotSaved,
      texts.settingsDiscard,
      texts.settingsKeepEditing,
      true,
    );
  }

  /** Shows the values in force again. The group that was edited has the focus: a field would open a phone's keyboard. */
  discard() {
    this.adopt(this.state);
    if (document.activeElement !== this.undo) {
      (this.groupNamed(this.used)?.firstChild ?? this.heading).focus({ preventScroll: true });
    }
  }

  /** The answer of the scale, or `null` after what it says is shown; calls `again` once a missing token was given. */
  async request(body, again) {
    const answer = await send(PATH, body, again);
    if (answer?.ok) return answer;
    if (!answer) toast(body ? texts.settingsSilent : texts.pageNotLoaded, true);
    if (!answer) return null;
    if (answer.reason === 'unknown_path') this.absence.textContent = texts.settingsMissing;
    else if (answer.reason === 'invalid') this.refuse(answer.faults);
    else if (answer.reason === 'conflict') {
      const state = await this.request();
      if (state) this.adopt(state);
      toast(texts.settingsConflict, true);
    } else if (answer.detail && !answer.reason?.startsWith('token')) {
      const detail = sentence(answer, 'detail');
      (this.state ? this.summary : this.absence).textContent = detail;
      if (this.state) this.showChanges();
    }
    this.absence.hidden = !this.absence.textContent;
    return null;
  }

  adopt(state) {
    this.state = state;
    this.form.hidden = false;
    this.absence.hidden = true;
    this.summary.textContent = this.absence.textContent = '';
    const value = (key) => state.keys[key].value;
    this.actions = new QuickActions(value('actions'), state.keys.actions.schema.maxItems, state.actions);
    this.containers = new Containers(value('containers'), state.keys.containers.schema.maxItems);
    this.broker = new Broker(value('mqtt.broker'));
    this.zones = new ZoneEditor(
      value('pad.zones'),
      value('pad.controls'),
      () => this.namesOfZones(),
      state.surface === 'platter',
    );
    this.editors = {
      'pad.zones': { node: this.zones.node, value: () => this.zones.value('zones') },
      'pad.controls': { value: () => this.zones.value('controls') },
      containers: this.containers,
      actions: this.actions,
      'mqtt.broker': this.broker,
    };
    this.body.replaceChildren(...this.groups());
    this.undo.hidden = !state.can_undo;
    const own = state.needs_restart.filter((key) => key in state.keys).map((key) => sentence(state.keys[key], 'name'));
    if (own.length < state.needs_restart.length) own.push(texts.settingsOthers);
    this.place.textContent = [
      own.length ? say('settingsRestart', { keys: own.join(', ') }) + '.' : '',
      say('settingsFile', { path: state.path }),
      scale.isDemo ? texts.settingsDemo : '',
    ].filter(Boolean).join(' ');
    this.broker.showHealth(scale.health);
    this.before = this.values();
    this.showChanges();
  }

  /** The `[action, name]` pairs of what a zone may do. */
  namesOfZones() {
    return [
      ...this.state.actions.map((name) => [name, titleOf(name)]),
      ['history', texts.pageHistory],
      ...this.actions.value().filter(({ type }) => type).map(({ type, title }) => [type, title ?? type]),
    ];
  }

  /** The groups of fields: a key without an editor of its own has a control for its schema. */
  groups() {
    const groups = new Map();
    for (const [key, setting] of Object.entries(this.state.keys)) {
      const id = setting.group_key.replace(/^(settings|page)_/, '');
      if (!groups.has(id)) groups.set(id, { id, title: sentence(setting, 'group'), nodes: [], keys: [] });
      const { title, nodes, keys } = groups.get(id), name = sentence(setting, 'name');
      const editor = this.editors[key];
      if (editor) {
        if (editor.node && name !== title) nodes.push(element('h4', name));
        nodes.push(editor.node, this.origin(key, name === title ? '' : `${name}: `));
      } else {
        const control = controlFor(setting.schema, setting.value, (each) => RARE[each] ?? inWords(key, each));
        if (!control) continue;
        this.editors[key] = { value: () => valueOf(control, setting.schema) };
        const box = field(name, control, key, control.inputMode === 'decimal' ? sentence(setting, 'accepts') : '');
        box.append(this.origin(key) ?? '');
        if (nodes.at(-1)?.className !== 'grid') nodes.push(element('div', null, { class: 'grid' }));
        nodes.at(-1).append(box);
      }
      keys.push(key);
    }
    this.shown = [...groups.values()];
    return this.shown.map((group) => this.groupNode(group));
  }

  groupNode(group) {
    const { id, title, nodes } = group;
    group.preview = element('span', null, { class: 'preview' });
    group.mark = element('span', texts.settingsUnsaved, { class: 'unsaved', hidden: '' });
    const node = element('details', [
      element('summary', [element('h3', title), group.preview, group.mark]),
      element('div', nodes, { class: 'inside', role: 'group', 'aria-label': title }),
    ], { class: 'card', 'data-group': id });
    node.open = this.opened.has(id);
    node.addEventListener('toggle', () => this.opened[node.open ? 'add' : 'delete'](id));
    return node;
  }

  /** What the page overrides, with the value of the configuration and a button to use it again; `null` for others. */
  origin(key, prefix = '') {
    const setting = this.state.keys[key], { source, configured } = setting;
    if (source !== 'page') return null;
    const value = typeof configured === 'boolean'
      ? ''
      : inWords(key, configured ?? '', this.namesOfZones()) || texts.pageNone;
    const reset = button(
      texts.settingsReset,
      () => this.replace({ reset: [key] }, texts.settingsSaved),
      { 'aria-label': `${texts.settingsReset}: ${sentence(setting, 'name')}` },
    );
    return element('p', [
      element('span', prefix + texts.settingsFromPage),
      value && element('span', say('settingsConfigured', { value })),
      reset,
    ], { class: 'origin' });
  }

  /** The values of all fields by their keys. */
  values() {
    return Object.fromEntries(Object.entries(this.editors).map(([key, editor]) => [key, editor.value()]));
  }

  /** The values that differ from those that were shown. */
  changes() {
    return Object.fromEntries(
      Object.entries(this.values()).filter(([key, value]) =>
        JSON.stringify(value) !== JSON.stringify(this.before[key])
      ),
    );
  }

  /** Marks the groups with unsaved changes, and offers to save them. */
  showChanges() {
    const values = this.values(), changes = this.changes(), names = this.namesOfZones();
    for (const { keys, preview, mark } of this.shown) {
      preview.textContent = keys.map((key) => inWords(key, values[key], names)).filter(Boolean).slice(0, 2).join(' · ');
      mark.hidden = !keys.some((key) => key in changes);
    }
    this.bar.hidden = Object.keys(changes).length === 0 && !this.summary.textContent;
  }

  save() {
    clearFaults(this.body);
    this.zones.check();
    this.broker.check();
    const count = this.body.querySelectorAll('.fault').length;
    if (count) return this.summarize(count);
    if (!this.isChanged) return toast(texts.settingsUnchanged);
    this.submit({ set: this.changes() }, texts.settingsSaved);
  }

  /** Requests a change after which the values of the scale are shown instead of what was typed. */
  async replace(change, said) {
    if (await this.mayDiscard()) this.submit(change, said);
  }

  async submit(change, said) {
    this.summary.textContent = '';
    const state = await this.request({ revision: this.state.revision, ...change }, () => this.submit(change, said));
    if (!state) return;
    this.state = state;
    this.discard();
    toast(said);
  }

  /** Shows each fault at its field; one without a field, whose value is in the file, next to the button. */
  refuse(reported) {
    clearFaults(this.body);
    const rest = reported.map((fault) => ({ path: fault.path, message: this.messageOf(fault) }))
      .filter((fault) => !showFault(this.body, fault));
    this.summarize(reported.length, rest.map(({ message }) => say('settingsElsewhere', { fault: message })));
  }

  /** The message of a fault, which names another value as its field does. */
  messageOf(fault) {
    const values = fault.message_values, other = values?.key;
    const known = other && Object.keys(this.state.keys).find((key) => key.endsWith(`.${other}`));
    if (!known) return sentence(fault, 'message');
    const name = sentence(this.state.keys[known], 'name');
    return sentence({ ...fault, message_values: { ...values, key: name } }, 'message');
  }

  summarize(count, rest = []) {
    this.summary.textContent = [say('settingsFaults', { count }), ...rest].join(' ');
    this.showChanges();
    const first = this.body.querySelector('[aria-invalid]');
    (first?.matches('input, select, textarea') ? first : first?.querySelector('input, select, textarea'))?.focus();
  }
}

/** Builds the view. */
export const open = (section) => new Settings(section);
