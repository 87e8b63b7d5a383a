// The targets of a brew: the last ones as buttons, a form for another one, and the sound.

import { announce, button, element } from './dom.js';
import { actionButton, grams, input, massField, onSubmit } from './forms.js';
import { group } from './parts.js';
import { request } from './requests.js';
import { exact, on, scale } from './scale.js';
import { isLoud, switchSound } from './sound.js';
import { say, texts } from './texts.js';

const KEY = 'grampad-targets';
const MOST = 4;
/** In g: a dose, an espresso, a filter coffee. */
const FIRST = [18, 36, 250];

export class BrewTargets {
  constructor() {
    this.last = JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? FIRST.map((target_g) => ({ target_g }));
    this.current = undefined;
    this.chips = element('span', null, { class: 'row' });
    this.form = onSubmit(
      element('form', [
        input(texts.pageTarget, massField('target', { required: '' }), true),
        input(texts.pageTolerance, massField('tolerance'), true),
        element('button', texts.pageSetTarget),
        actionButton(texts.pageEndTarget, () => this.choose({}), { id: 'target-end' }),
      ], { id: 'target-form', hidden: '' }),
      ({ target, tolerance }) =>
        this.choose({ target_g: grams(target), ...(tolerance !== '' && { tolerance_g: grams(tolerance) }) }),
    );
    this.other = button(texts.pageOtherTarget, () => this.unfold(this.form.hidden), {
      id: 'target-other',
      'aria-expanded': 'false',
      'aria-controls': 'target-form',
    });
    const sound = button(texts.pageSound, () => {
      switchSound();
      sound.ariaPressed = isLoud();
    }, { id: 'sound', 'aria-pressed': isLoud() });
    const name = element('span', texts.pageTarget, { class: 'soft' });
    this.node = element('div', [
      group(texts.pageTarget, [name, this.chips, this.other, sound], 'row chips'),
      this.form,
    ], { class: 'targets' });
    on('hello', () => this.list());
    this.list();
  }

  unfold(isOpen) {
    const { form, other } = this;
    if (!isOpen && form.contains(document.activeElement)) other.focus();
    form.hidden = !isOpen;
    other.ariaExpanded = isOpen;
    if (isOpen) form.elements.target.focus();
  }

  /** Sets a target, or ends it without one; returns whether that was possible. The view shows the result. */
  async choose(target) {
    const result = await request('target', target);
    if (!result) return false;
    const { target_g: mid, tolerance_g: width } = result.reading.target ?? {};
    announce(
      mid === undefined ? texts.pageTargetEnded : say('pageTargetSet', { target: exact(mid), tolerance: exact(width) }),
    );
    this.unfold(false);
    return true;
  }

  /** Follows the target in use, which any client may have set. */
  update(target) {
    if (target?.target_g === this.current) return;
    this.current = target?.target_g;
    if (target && !this.last.some((each) => each.target_g === target.target_g)) {
      this.last = [{ target_g: target.target_g, tolerance_g: target.tolerance_g }, ...this.last].slice(0, MOST);
      localStorage.setItem(KEY, JSON.stringify(this.last));
    }
    this.list();
  }

  list() {
    const offered = this.last.filter((each) => each.target_g <= scale.hello.capacity_g)
      .toSorted((a, b) => a.target_g - b.target_g);
    const focused = document.activeElement.closest('[data-target]')?.dataset.target;
    this.chips.replaceChildren(...offered.map((target) => {
      const isCurrent = target.target_g === this.current;
      return actionButton(exact(target.target_g), () => this.choose(isCurrent ? {} : target), {
        'data-target': target.target_g,
        'aria-pressed': isCurrent,
      });
    }));
    if (focused) this.chips.querySelector(`[data-target="${focused}"]`)?.focus();
  }
}
