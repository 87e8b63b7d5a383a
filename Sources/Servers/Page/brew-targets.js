// The targets of a brew: the last ones as buttons, a form for another one, doses, and the sound.

import { announce, button, element } from './dom.js';
import { Dose } from './dose.js';
import { actionButton, Foldable, grams, input, massField, onSubmit } from './forms.js';
import { labelField } from './learned.js';
import { group } from './parts.js';
import { request } from './requests.js';
import { exact, on, scale } from './scale.js';
import { isLoud, switchSound } from './sound.js';
import { say, texts } from './texts.js';

const KEY = 'grampad-targets';
const MOST = 4;
/** In g: a dose, an espresso, a filter coffee. */
const FIRST = [18, 36, 250];

/** The stop of a target in a request; nothing if the setting applies. */
const stopOf = (isAhead) => isAhead !== scale.hello.stop_ahead && { stop_ahead: isAhead };

export class BrewTargets {
  constructor() {
    this.last = JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? FIRST.map((target_g) => ({ target_g }));
    this.current = undefined;
    this.chips = element('span', null, { class: 'row' });
    this.form = onSubmit(
      element('form', [
        input(texts.pageTarget, massField('target', { required: '' }), true),
        input(texts.pageTolerance, massField('tolerance'), true),
        input(texts.pageStopAhead, { name: 'ahead', type: 'checkbox' }),
        labelField(),
        element('button', texts.pageSetTarget),
        actionButton(texts.pageEndTarget, () => this.choose({}), { id: 'target-end' }),
      ], { id: 'target-form' }),
      ({ target, tolerance, ahead, label }) =>
        this.choose({
          target_g: grams(target),
          ...tolerance !== '' && { tolerance_g: grams(tolerance) },
          ...stopOf(Boolean(ahead)),
          ...ahead && label.trim() && { label: label.trim() },
        }),
    );
    this.other = new Foldable(texts.pageOtherTarget, this.form, 'target-other');
    this.dose = new Dose();
    const sound = button(texts.pageSound, () => {
      switchSound();
      sound.ariaPressed = isLoud();
    }, { id: 'sound', 'aria-pressed': isLoud() });
    const name = element('span', texts.pageTarget, { class: 'soft' });
    this.node = element('div', [
      group(texts.pageTarget, [name, this.chips, this.other.button, this.dose.opener.button, sound], 'row chips'),
      this.form,
      this.dose.form,
    ], { class: 'targets' });
    on('hello', () => this.list());
    this.list();
  }

  /** Sets a target, or ends it without one; returns whether that was possible. The view shows the result. */
  async choose(target) {
    const result = await request('target', target);
    if (!result) return false;
    const { target_g: mid, tolerance_g: width } = result.reading.target ?? {};
    announce(
      mid === undefined ? texts.pageTargetEnded : say('pageTargetSet', { target: exact(mid), tolerance: exact(width) }),
    );
    if (mid !== undefined) this.remember(target);
    this.other.fold();
    return true;
  }

  /** Follows the target in use, which any client may have set. */
  update(target) {
    if (target?.target_g === this.current) return;
    this.current = target?.target_g;
    if (!target || target.dose || this.last.some((each) => each.target_g === target.target_g)) return this.list();
    const { target_g, tolerance_g, stop_ahead = false } = target;
    this.remember({ target_g, tolerance_g, ...stopOf(stop_ahead) });
  }

  /** Offers a target, in place of one of the same mass. */
  remember(target) {
    this.last = [target, ...this.last.filter((each) => each.target_g !== target.target_g)].slice(0, MOST);
    localStorage.setItem(KEY, JSON.stringify(this.last));
    this.list();
  }

  list() {
    this.form.elements.ahead.defaultChecked = scale.hello.stop_ahead;
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
