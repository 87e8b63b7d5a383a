// Forms and buttons of the instrument functions: what they send, and what is said about it.

import { toast } from './dialogs.js';
import { button, element } from './dom.js';
import { commonObstacle } from './effects.js';
import { request } from './requests.js';
import { on, scale } from './scale.js';
import { say, texts } from './texts.js';

/** A labelled input for a mass in the unit of the display, or for anything else that `attributes` say. */
export function input(label, attributes, hasUnit = false) {
  const unit = hasUnit ? [', ', element('span', scale.hello.unit.symbol, { 'data-unit': '' })] : [];
  return element('label', [element('span', [label, ...unit]), element('input', null, attributes)]);
}

/** The attributes of an input for a mass. */
export const massField = (name, more = {}) => ({
  name,
  type: 'number',
  inputmode: 'decimal',
  min: '0',
  step: 'any',
  ...more,
});

/** A button that unfolds a form below it, and folds it again. */
export class Foldable {
  constructor(text, form, id) {
    form.hidden = true;
    const attributes = { id, 'aria-expanded': false, 'aria-controls': form.id };
    Object.assign(this, { form, button: button(text, () => this.fold(form.hidden), attributes) });
  }

  fold(isOpen = false) {
    const { form, button } = this;
    if (!isOpen && form.contains(document.activeElement)) button.focus();
    form.hidden = !isOpen;
    button.ariaExpanded = isOpen;
    if (isOpen) form.elements.target.focus();
  }
}

/** A mass from a field in the unit of the display, in grams. */
export const grams = (text) => Number((Number(text) * scale.hello.unit.grams).toFixed(6));

/** Sends an action; returns whether it was performed. `sentence` gets the reading after it. */
export async function perform(action, parameters, sentence) {
  const result = await request(action, parameters);
  if (result && sentence) toast(sentence(result.reading));
  return Boolean(result);
}

function isPossible() {
  const reason = commonObstacle();
  if (reason) toast(say('pageUnavailable', { reason }), true);
  return !reason;
}

/** A button that does something, unless nothing is possible now. */
export function actionButton(text, run, attributes = {}) {
  const node = button(text, () => isPossible() && run(), attributes);
  node.dataset.sends = '';
  node.ariaDisabled = commonObstacle() !== '';
  return node;
}

export const tareButton = () => actionButton(texts.pageDoTare, () => perform('tare', {}));

/** Performs the submission of a form with its fields; the browser has checked them. */
export function onSubmit(form, run) {
  form.querySelector('button:not([type])').dataset.sends = '';
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isPossible() && await run(Object.fromEntries(new FormData(form)))) form.reset();
  });
  return form;
}

const known = { isDisabled: null, count: 0 };
on('changed', () => {
  const isDisabled = commonObstacle() !== '', nodes = document.querySelectorAll('[data-sends]');
  if (isDisabled === known.isDisabled && nodes.length === known.count) return;
  Object.assign(known, { isDisabled, count: nodes.length });
  for (const node of nodes) node.ariaDisabled = isDisabled;
});
on('hello', ({ unit }) => {
  for (const node of document.querySelectorAll('[data-unit]')) node.textContent = unit.symbol;
});
