// Fields of the settings, each with its path in the configuration, and the faults that the scale reports for paths.

import { element } from './dom.js';
import { options } from './parts.js';
import { texts } from './texts.js';

let last = 0;

/** A labelled control; the scale reports its faults for `path`, and `note` is shown while the control has the focus. */
export function field(label, control, path, note = '') {
  const id = control.id ||= `setting-${++last}`, isCheck = control.type === 'checkbox';
  control.dataset.path = path;
  const hint = note ? element('small', note, { id: `${id}-note` }) : null;
  if (hint) control.setAttribute('aria-describedby', hint.id);
  const name = element('label', label, { for: id });
  return element('div', [...isCheck ? [control, name] : [name, control], hint], {
    class: isCheck ? 'field check' : 'field',
  });
}

/** An input for text or a number. */
export const input = (value, attributes = {}) =>
  element('input', null, { autocomplete: 'off', value: value ?? '', ...attributes });

/** An input for a number. Its limits are checked by the scale, which explains them. */
export const number = (value) => input(value, { type: 'text', inputmode: 'decimal' });

/** The number of an input, as it is sent: `null` without one, and the text if it is no number. */
export function numberIn(control) {
  const text = control.value.trim().replace(',', '.');
  return text === '' ? null : /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : text;
}

/** The control for the values of a schema; `null` if they take more than a control. `name` names a choice. */
export function controlFor(schema, value, name = String) {
  if (schema.type === 'boolean') return element('input', null, { type: 'checkbox', ...value && { checked: '' } });
  if (schema.enum) return choice(schema.enum.map((each) => [each, name(each)]), value);
  return { string: input, number, integer: number }[schema.type]?.(value) ?? null;
}

/** The value of such a control, as it is sent. */
export function valueOf(control, schema) {
  if (control.type === 'checkbox') return control.checked;
  if (control.inputMode === 'decimal') return numberIn(control);
  return schema.enum?.find((each) => String(each) === control.value) ?? control.value;
}

/** A choice of `[value, name]` pairs. A value that is not among them stays. */
export function choice(pairs, value) {
  const known = pairs.some(([other]) => other === value) ? pairs : [...pairs, [value, value]];
  const node = element('select', options(known));
  node.value = value;
  return node;
}

/** Removes all faults below a node. */
export function clearFaults(root) {
  for (const fault of root.querySelectorAll('.fault')) fault.remove();
  for (const control of root.querySelectorAll('[aria-invalid]')) {
    control.removeAttribute('aria-invalid');
    const kept = (control.getAttribute('aria-describedby') ?? '').split(' ').filter((id) =>
      id && !id.endsWith('-fault')
    ).join(' ');
    if (kept) control.setAttribute('aria-describedby', kept);
    else control.removeAttribute('aria-describedby');
  }
}

/** Shows a fault at the field with this path, or at the nearest one that contains it; returns what got it, or `null`. */
export function showFault(root, { path, message }) {
  for (let at = path; at; at = at.replace(/(\[\d+\]|\.?[^.[\]]+)$/, '')) {
    const node = [root, ...root.querySelectorAll('[data-path]')].find((each) => each.dataset.path === at);
    if (!node) continue;
    // A fault in a closed group is not seen.
    for (let box = node.closest('details'); box; box = box.parentElement?.closest('details')) box.open = true;
    const id = `${node.id ||= `setting-${++last}`}-fault`;
    let fault = document.getElementById(id);
    if (!fault) {
      fault = element('p', null, { id, class: 'fault' });
      if (node.matches('input, select, textarea')) node.after(fault);
      else node.append(fault);
    }
    fault.textContent += `${fault.textContent ? ' ' : ''}${message}`;
    node.ariaInvalid = true;
    node.setAttribute('aria-describedby', [node.getAttribute('aria-describedby'), id].filter(Boolean).join(' '));
    return node;
  }
  return null;
}

/** Units of values by the ends of their keys, for previews; the names of fields have their own. */
const UNITS = [['_g', ' g'], ['_ms', ' ms'], ['rotate', '°']];

/** A value in words: the names of what a list or a mapping has; `zones` are the names of zones. */
export function inWords(key, value, zones = []) {
  if (value === 'embedded') return texts.settingsEmbedded;
  if (Array.isArray(value)) return value.map((each) => each.title ?? each.name ?? each.type ?? each).join(', ');
  if (typeof value === 'boolean' || value === null) return '';
  if (typeof value !== 'object') {
    return value === '' ? '' : `${value}${UNITS.find(([end]) => key.endsWith(end))?.[1] ?? ''}`;
  }
  const names = new Map(key === 'pad.zones' ? zones : []);
  return Object.keys(value).map((name) => names.get(name) ?? name).join(', ');
}
