// Containers, quick actions and the broker.

import { TITLES, inOwnWords } from './panels.js';
import { button, choice, clearFaults, field, input, make, number, numberIn, showFault } from './settings-fields.js';
import { texts } from './settings-texts.js';

/** A list of entries that can be added and removed. `items` have a `node` and a `value()`. */
class EntryList {
  constructor(path, items, most, { add, none }) {
    Object.assign(this, { path, most, none });
    this.items = items.map(item => this.makeItem(item));
    this.list = make('div', { className: 'rows' });
    this.addition = button(add, () => {
      this.items.push(this.makeItem());
      this.show();
      this.list.lastElementChild.querySelector('input').focus();
    });
    this.node = make('div', { 'data-path': path }, this.list, make('p', { className: 'row' }, this.addition));
    this.show();
  }

  show() {
    this.items.forEach((item, index) => item.show(`${this.path}[${index}]`, index));
    this.list.replaceChildren(...this.items.length ? this.items.map(item => item.node) : [make('p', { textContent: this.none })]);
    this.addition.hidden = this.items.length >= this.most;
  }

  remove(item) {
    this.items.splice(this.items.indexOf(item), 1);
    this.show();
    this.addition.focus();
  }

  value() { return this.items.map(item => item.value()); }
}

export class Containers extends EntryList {
  constructor(list, most) { super('containers', list, most, texts.containers); }

  makeItem({ name, tare_g } = {}) {
    const [nameField, tareField, node] = [input(name), number(tare_g), make('div', { className: 'entry' })];
    const item = {
      node,
      value: () => ({ name: nameField.value, tare_g: numberIn(tareField) }),
      show: path => {
        node.dataset.path = path;
        node.replaceChildren(field(texts.containers.name, nameField, `${path}.name`), field(texts.containers.tare, tareField, `${path}.tare_g`),
          button('✕', () => this.remove(item), texts.containers.remove(nameField.value)));
      },
    };
    return item;
  }
}

export class QuickActions extends EntryList {
  constructor(list, most, builtIn) {
    QuickActions.builtIn = builtIn;
    super('actions', list, most, texts.actions);
  }

  makeItem({ type, title, subtitle, icon, run = 'commit', user_info = {} } = {}) {
    const { label, target_g, tolerance_g, ...others } = user_info;
    const fields = {
      type: input(type), title: input(title), subtitle: input(subtitle), icon: input(icon),
      run: choice(QuickActions.builtIn.map(name => [name, TITLES[name] ?? name]), run),
      label: input(label), target: number(target_g), tolerance: number(tolerance_g),
    };
    const node = make('fieldset', { className: 'entry' });
    const text = control => control.value.trim() || undefined;
    const mass = control => numberIn(control) ?? undefined;
    const item = {
      node,
      value: () => ({
        type: fields.type.value.trim(), title: text(fields.title), subtitle: text(fields.subtitle), icon: text(fields.icon), run: fields.run.value,
        user_info: { ...others, label: text(fields.label), target_g: mass(fields.target), tolerance_g: mass(fields.tolerance) },
      }),
      show: (path, index) => {
        const name = text(fields.title) ?? texts.actions.one(index + 1);
        node.dataset.path = path;
        node.replaceChildren(make('legend', { textContent: name }),
          ...Object.entries(fields).map(([key, control]) => field(texts.actions[key], control,
            `${path}.${{ label: 'user_info.label', target: 'user_info.target_g', tolerance: 'user_info.tolerance_g' }[key] ?? key}`, key === 'type' ? texts.actions.typeHint : '')),
          button('✕', () => this.remove(item), texts.actions.remove(name)));
      },
    };
    return item;
  }
}

export class Broker {
  constructor(value) {
    this.kind = choice([['embedded', texts.broker.embedded], ['external', texts.broker.external]], value === 'embedded' ? value : 'external');
    this.urls = make('textarea', { rows: 3, spellcheck: false, value: value === 'embedded' ? '' : [value].flat().join('\n') });
    this.state = make('p', { role: 'status' });
    const addresses = field(texts.broker.urls, this.urls, 'mqtt.broker', texts.broker.example);
    const show = () => { addresses.hidden = this.kind.value === 'embedded'; };
    this.kind.addEventListener('change', () => { clearFaults(this.node); show(); });
    show();
    this.node = make('div', {}, field(texts.broker.kind, this.kind, 'mqtt.broker.kind'), addresses, make('p', { textContent: texts.broker.secret }), this.state);
  }

  /** Shows the state of the connection from a health message. */
  showHealth(health) {
    const broker = health?.broker;
    const show = text => { if (this.state.textContent !== text) this.state.textContent = text; };
    this.reason = broker?.reason;
    if (this.reason) inOwnWords(broker).then(own => { if (this.reason === broker.reason) show(texts.broker.disconnected(own)); });
    else show(broker ? texts.broker.connected(broker.address ?? '') : texts.broker.unknown);
  }

  /** Shows what the scale would refuse, at the field. */
  check() {
    if (this.value().length === 0) showFault(this.node, { path: 'mqtt.broker', message: texts.broker.none });
  }

  value() { return this.kind.value === 'embedded' ? 'embedded' : this.urls.value.split('\n').map(line => line.trim()).filter(Boolean); }
}
