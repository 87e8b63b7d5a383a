// Elements and texts that the views of the calibration share.

import { element, set } from './dom.js';
import { pairs } from './parts.js';
import { inOwnWords } from './requests.js';
import { fixed } from './scale.js';
import { say, texts } from './texts.js';

const NAMES = 'grampad-masses'; // what the masses were made of, for this browser

/** A mass in grams, in which the masses of a calibration are given. */
export const g = (mass) => `${+mass.toFixed(3)} g`;

export const part = (...content) => element('div', content, { class: 'part' });
/** The buttons for what can be done now. */
export const acts = (...buttons) => element('p', buttons, { class: 'row act' });
export const show = (node, isShown) => {
  node.hidden = !isShown;
};

/** Keeps what some masses are made of, such as `10 × 2 €`. */
export const nameMasses = (names) => localStorage.setItem(NAMES, JSON.stringify(Object.fromEntries(names)));

/** What a mass is made of; empty for a weight. */
export function madeOf(mass) {
  try {
    return JSON.parse(localStorage.getItem(NAMES))?.[mass] ?? '';
  } catch {
    return '';
  }
}

/** The name of a step. */
export function nameOf({ kind, mass_g: mass }) {
  if (kind.startsWith('empty')) return kind === 'empty' ? texts.calEmpty : texts.calEmptyAgain;
  const name = madeOf(mass) ? `${g(mass)} (${madeOf(mass)})` : g(mass);
  return kind === 'mass' ? name : say('calMassAgain', { mass: name });
}

/** What the user has to do now: a text, or where the scale says it. */
export function instructionOf({ activity, steps, step: index, instruction, ...state }) {
  if (activity === 'verifying' || activity === 'testing') {
    return instruction ? [{ instruction, ...state }, 'instruction'] : '';
  }
  const step = steps?.[index];
  if (!step) return '';
  const mass = +step.mass_g.toFixed(3);
  switch (step.kind) {
    case 'empty':
      return texts.stepEmpty;
    case 'empty_again':
      return texts.stepEmptyLast;
    case 'mass':
      return say('stepMass', { mass });
    default:
      return say('stepMassAgain', { mass });
  }
}

/** Shows a text, or the sentence `[message, name]` of the scale in the language of the page, in a form of the page. */
export function tell(node, text = '', form = (own) => own) {
  if (!Array.isArray(text)) {
    node.told = text;
    return set(node, form(text));
  }
  const [from, name] = text;
  node.told = from[name];
  inOwnWords(from, name).then((own) => {
    if (node.told === from[name]) set(node, form(own));
  });
}

/** What is known about a load, and how it is written. */
const VALUES = {
  [texts.calCounts]: ({ counts }) => counts.toFixed(1),
  [texts.calReads]: ({ grams }) => grams === null ? '–' : `${grams.toFixed(1)} g`,
  [texts.calSpread]: ({ spread }) => spread.toFixed(2),
  [texts.calDrift]: ({ drift }) => `${fixed(drift, 2)}/s`,
  [texts.calShare]: ({ share }) => `${Math.round(share * 100)} %`,
};

/** What is on the pad now: whether it rests, counts, grams, spread, drift. */
export class Load {
  constructor() {
    this.word = element('b');
    this.bar = element('progress', null, { max: 1, value: 0, 'aria-label': texts.calAtRest });
    this.values = Object.keys(VALUES).map(() => element('dd', '–'));
    const list = pairs(Object.keys(VALUES).map((name, index) => [name, this.values[index]]));
    this.node = element('div', [this.word, this.bar, list], { class: 'part load' });
  }

  show(load, progress = load?.progress ?? 0) {
    this.bar.value = progress;
    this.node.dataset.state = load?.resting ? 'rest' : '';
    set(
      this.word,
      !load
        ? texts.pageNoPad
        : load.at_maximum
        ? texts.calAboveRange
        : load.resting
        ? texts.calAtRest
        : texts.pageSettling,
    );
    for (const [index, text] of Object.values(VALUES).entries()) {
      set(this.values[index], load && !load.at_maximum ? text(load) : '–');
    }
  }
}
