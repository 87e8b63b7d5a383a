// Checks of a calibration: a known mass, and a self-test with its certificate.

import { g, part, show } from './calibration-parts.js';
import { element, set } from './dom.js';
import { input, massField, onSubmit } from './forms.js';
import { details, row, soft, table } from './parts.js';
import { say, texts } from './texts.js';

/** Whether a check can be made: the steps are done, and there is a calibration. */
const isPossible = ({ step, fit, calibration }, isReady) =>
  isReady && step === null && (fit === null || fit.ok) && calibration !== null;

const fieldset = (...fields) => element('div', fields, { class: 'fields' });
const NUMBER = { required: '', min: '0.001' };

/** Weighs a known mass. */
export class VerifyView {
  constructor(calibration) {
    const tolerance = input(texts.settingsTolerance, massField('tolerance'));
    this.tolerance = tolerance.lastChild;
    this.form = onSubmit(
      element(
        'form',
        fieldset(
          input(texts.calKnownMass, massField('mass', NUMBER)),
          tolerance,
          element('button', texts.calVerify),
        ),
      ),
      ({ mass, tolerance }) => {
        const more = tolerance === '' ? {} : { tolerance_g: Number(tolerance) };
        calibration.command('verify', { mass_g: Number(mass), ...more });
      },
    );
    this.result = element('p', null, { role: 'status' });
    this.node = element('section', [element('h3', texts.calVerify), this.form, this.result], {
      class: 'part',
      'aria-label': texts.calVerify,
    });
  }

  show(state, isReady) {
    const { verification: v } = state, isOpen = isPossible(state, isReady);
    this.tolerance.placeholder = state.division_g;
    show(this.form, isOpen);
    show(this.node, isOpen || (state.state === 'ended' && v));
    const error = v && `${v.error_g > 0 ? '+' : ''}${g(v.error_g).replace('-', '−')}`;
    const values = v && { mass: g(v.mass_g), reading: g(v.reads_g), error, tolerance: g(v.tolerance_g) };
    set(this.result, v ? say(v.ok ? 'calWithin' : 'calNotWithin', values) : '');
    this.result.className = v?.ok ? 'good' : 'bad';
  }
}

/** Tests repeatability, zero return and creep, and offers the certificate. */
export class SelfTestView {
  constructor(calibration) {
    this.form = onSubmit(
      element('form', [
        element('p', texts.calSelfTestIntro),
        fieldset(
          input(texts.calTestMass, massField('mass_g', NUMBER)),
          input(texts.calTimes, { ...massField('times'), required: '', min: 2, max: 20, step: 1, value: 5 }),
          input(texts.calCreepTime, { ...massField('creep_s'), required: '', min: 1, max: 1800, value: 60 }),
        ),
        input(texts.calConditions, { name: 'conditions', maxlength: 200, placeholder: texts.calConditionsExample }),
        row(element('button', texts.calStartTest)),
      ], { class: 'part' }),
      ({ conditions, ...numbers }) => {
        const values = Object.fromEntries(Object.entries(numbers).map(([key, text]) => [key, Number(text)]));
        calibration.command('self_test', { ...values, ...conditions.trim() && { conditions: conditions.trim() } });
      },
    );
    this.unused = soft(texts.calUnused);
    this.results = part();
    this.details = details(texts.calSelfTest, part(this.unused, this.form));
    this.node = element('section', [this.details, this.results], { class: 'part', 'aria-label': texts.calSelfTest });
    this.known = '';
  }

  show(state, isReady) {
    const { self_test: test, fit, applied, steps } = state, isUnused = Boolean(fit?.ok) && !applied;
    const isOpen = isPossible(state, isReady);
    show(this.node, isOpen || (state.state === 'ended' && test));
    show(this.details, isOpen);
    show(this.unused, isUnused);
    show(this.form, !isUnused);
    const known = JSON.stringify(test ?? null);
    if (known === this.known) return;
    // Without masses, the tests are what the user wants.
    if (!this.known) this.details.open = steps.length === 0;
    this.known = known;
    this.results.replaceChildren(...test ? this.resultsOf(test) : []);
  }

  resultsOf({ ok, results }) {
    const names = {
      repeatability: texts.calRepeatability,
      zero_return: texts.calZeroReturn,
      creep: texts.calCreep,
    };
    const heads = [texts.calTest, texts.calFound, texts.calLimit, texts.calResult];
    const rows = results.map((r) => [names[r.name], g(r.found_g), g(r.limit_g), r.ok ? texts.calPass : texts.calFail]);
    const certificate = { href: 'api/calibration/certificate', download: 'grampad-certificate.txt' };
    return [
      element('p', ok ? texts.calPassed : texts.calFailed, { class: ok ? 'good' : 'bad', role: 'status' }),
      table(texts.calSelfTest, heads, rows),
      element('p', element('a', texts.calCertificate, certificate)),
    ];
  }
}
