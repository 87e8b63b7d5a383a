// Containers, quick actions and the broker.

import { button, element, set } from './dom.js';
import { details, row, soft } from './parts.js';
import { inOwnWords, titleOf } from './requests.js';
import { choice, clearFaults, field, input, number, numberIn, showFault } from './settings-fields.js';
import { say, texts } from './texts.js';

/** A list of entries that can be added and removed. Items have a `node`, `value(index)` and `show(path, index)`. */
class EntryList {
  constructor(path, items, most, add, none) {
    Object.assign(this, { path, most, none });
    this.items = items.map((item) => this.makeItem(item));
    this.list = element('div', null, { class: 'rows' });
    this.addition = button(add, () => {
      this.items.push(this.makeItem());
      this.show();
      this.list.lastChild.querySelector('input').focus();
    });
    this.node = element('div', [this.list, row(this.addition)], { 'data-path': path });
    this.show();
  }

  show() {
    this.items.forEach((item, index) => item.show(`${this.path}[${index}]`, index));
    this.list.replaceChildren(
      ...this.items.length ? this.items.map((item) => item.node) : [soft(this.none)],
    );
    this.addition.hidden = this.items.length >= this.most;
  }

  remove(item) {
    this.items.splice(this.items.indexOf(item), 1);
    this.show();
    this.addition.focus();
  }

  value() {
    return this.items.map((item, index) => item.value(index));
  }
}

/** The button that removes an entry, and how it is named. */
export function removal(run) {
  const node = button('✕', run, { class: 'remove' });
  return [node, (name) => node.ariaLabel = say('pageRemoveIt', { name })];
}

export class Containers extends EntryList {
  constructor(list, most) {
    super('containers', list, most, texts.settingsAddContainer, texts.pageNoContainers);
  }

  makeItem({ name, tare_g } = {}) {
    const fields = { name: input(name), tare_g: number(tare_g) };
    const [remove, nameRemoval] = removal(() => this.remove(item));
    const item = {
      node: element('div', [
        field(texts.settingsName, fields.name),
        field(texts.settingsTare, fields.tare_g),
        remove,
      ], { class: 'entry container' }),
      value: () => ({ name: fields.name.value, tare_g: numberIn(fields.tare_g) }),
      show(path) {
        item.node.dataset.path = path;
        for (const [key, control] of Object.entries(fields)) control.dataset.path = `${path}.${key}`;
        nameRemoval(fields.name.value);
      },
    };
    fields.name.addEventListener('input', () => nameRemoval(fields.name.value));
    return item;
  }
}

/** The fields of a quick action: those that most people need, then the others. */
const MAIN = {
  title: texts.settingsTitle,
  run: texts.settingsPerforms,
  label: texts.settingsWeighingLabel,
  target_g: texts.settingsTarget,
};
const MORE = {
  tolerance_g: texts.settingsTolerance,
  subtitle: texts.settingsDescription,
  icon: texts.settingsIcon,
  type: texts.settingsType,
};
const PARAMETERS = ['label', 'target_g', 'tolerance_g'];

export class QuickActions extends EntryList {
  constructor(list, most, builtIn) {
    QuickActions.builtIn = builtIn;
    super('actions', list, most, texts.settingsAddAction, texts.settingsNoActions);
  }

  makeItem({ type, title, subtitle, icon, run = 'commit', user_info: parameters = {} } = {}) {
    const { label, target_g, tolerance_g, ...others } = parameters;
    const fields = {
      title: input(title),
      run: choice(QuickActions.builtIn.map((name) => [name, titleOf(name)]), run),
      label: input(label),
      target_g: number(target_g),
      tolerance_g: number(tolerance_g),
      subtitle: input(subtitle),
      icon: input(icon),
      type: input(type),
    };
    const boxes = (names) =>
      Object.entries(names).map(([key, name]) =>
        field(name, fields[key], '', key === 'type' ? texts.settingsTypeHint : '')
      );
    const text = (key) => fields[key].value.trim() || undefined, mass = (key) => numberIn(fields[key]) ?? undefined;
    const legend = element('legend'), [remove, nameRemoval] = removal(() => this.remove(item));
    const showName = (index) => {
      legend.textContent = text('title') ?? text('type') ?? say('settingsOneAction', { number: index + 1 });
      nameRemoval(legend.textContent);
    };
    const item = {
      node: element('fieldset', [
        legend,
        element('div', boxes(MAIN), { class: 'grid' }),
        details(texts.pageMore, element('div', boxes(MORE), { class: 'grid' })),
        remove,
      ], { class: 'entry' }),
      value: (index) => ({
        type: text('type') ?? typeFor(text('title'), index),
        title: text('title'),
        subtitle: text('subtitle'),
        icon: text('icon'),
        run: fields.run.value,
        user_info: { ...others, label: text('label'), target_g: mass('target_g'), tolerance_g: mass('tolerance_g') },
      }),
      show(path, index) {
        item.node.dataset.path = path;
        for (const [key, control] of Object.entries(fields)) {
          control.dataset.path = `${path}.${PARAMETERS.includes(key) ? 'user_info.' : ''}${key}`;
        }
        fields.title.oninput = () => showName(index);
        showName(index);
      },
    };
    return item;
  }
}

/** The name in topics and commands of an action that was given a title only. */
const typeFor = (title, index) =>
  title?.toLowerCase().replace(/[^a-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '').slice(0, 64) || `action${index + 1}`;

export class Broker {
  constructor(value) {
    const isEmbedded = value === 'embedded';
    this.kind = choice(
      [['embedded', texts.settingsEmbedded], ['external', texts.settingsExternal]],
      isEmbedded ? value : 'external',
    );
    this.urls = element('textarea', isEmbedded ? '' : [value].flat().join('\n'), { rows: 3, spellcheck: false });
    this.state = element('p', null, { role: 'status' });
    this.addresses = element('div', [
      field(texts.settingsAddresses, this.urls, 'mqtt.broker', texts.settingsExample),
      soft(texts.settingsSecret),
    ]);
    this.kind.addEventListener('change', () => {
      clearFaults(this.node);
      this.showKind();
    });
    this.showKind();
    this.node = element('div', [field(texts.pageBroker, this.kind, 'mqtt.broker.kind'), this.addresses, this.state], {
      class: 'broker',
    });
  }

  showKind() {
    this.addresses.hidden = this.kind.value === 'embedded';
  }

  /** Shows the state of the connection from a health message. */
  showHealth(health) {
    const broker = health?.broker, show = (text) => set(this.state, text);
    this.reason = broker?.reason;
    if (this.reason) {
      inOwnWords(broker).then((reason) => {
        if (this.reason === broker.reason) show(say('settingsDisconnected', { reason }));
      });
    } else show(broker ? say('settingsConnected', { broker: broker.address ?? '' }) : texts.settingsConnectionUnknown);
  }

  /** Shows what the scale would refuse, at the field. */
  check() {
    if (this.value().length === 0) showFault(this.node, { path: 'mqtt.broker', message: texts.settingsNoAddress });
  }

  value() {
    return this.kind.value === 'embedded'
      ? 'embedded'
      : this.urls.value.split('\n').map((line) => line.trim()).filter(Boolean);
  }
}
