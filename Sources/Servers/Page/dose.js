// Doses: an output, such as the plug of a grinder, is switched on until the net is that of a target.

import { element } from './dom.js';
import { Foldable, grams, input, massField, onSubmit, perform } from './forms.js';
import { labelField } from './learned.js';
import { options } from './parts.js';
import { on, scale } from './scale.js';
import { texts } from './texts.js';

const BOUNCE = 500; // ms within which a second press of the button is that of a wet finger

/** The form that starts a dose. It keeps what was entered for the next dose. */
export class Dose {
  constructor() {
    this.pressed = -Infinity;
    this.output = element('select', null, { name: 'output' });
    this.choice = element('label', [element('span', texts.pageOutput), this.output]);
    this.form = onSubmit(
      element('form', [
        this.choice,
        input(texts.pageTarget, massField('target', { required: '' }), true),
        labelField(),
        element('button', texts.pageDose, { class: 'main' }),
      ], { id: 'dose-form' }),
      ({ output, target, label }) => {
        if (performance.now() - this.pressed < BOUNCE) return;
        this.pressed = performance.now();
        perform('dose', { output, target_g: grams(target), ...label.trim() && { label: label.trim() } });
      },
    );
    this.opener = new Foldable(texts.pageOpenDose, this.form, 'dose-other');
    on('hello', () => this.list());
    this.list();
  }

  list() {
    const { outputs } = scale.hello, { value } = this.output;
    this.output.replaceChildren(...options(outputs.map((name) => [name, name])));
    if (outputs.includes(value)) this.output.value = value;
    this.choice.hidden = outputs.length < 2;
    this.opener.button.hidden = !outputs.length;
    if (!outputs.length) this.opener.fold();
  }
}
