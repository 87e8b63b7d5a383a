// The choice of masses before a calibration: weights, coins, and what else is at hand.

import { acts, g, nameMasses, part, show } from './calibration-parts.js';
import { button, element, set } from './dom.js';
import { input, onSubmit } from './forms.js';
import { details, group, soft } from './parts.js';
import { scale } from './scale.js';
import { LOCALE, say, texts } from './texts.js';

const WEIGHTS = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000];

/*
 * Coins in circulation and their nominal masses in grams.
 * EUR: Council Regulation (EU) No 729/2014, annex I.
 * USD: 31 U.S.C. 5112, with the cent of copper-plated zinc; coin specifications of the United States Mint.
 * GBP: Coinage Act 1971, schedule 1, as amended, and the proclamation for the pound of 2017; specifications of the Royal Mint.
 * CNY: the fifth series, before the smaller yuan of 2019, from secondary sources that agree; no legal table was found.
 * JPY: Cabinet Order No. 50 of 1988 on the Act on Currency Units and the Issuance of Coins, with the 500 yen of 2021.
 */
const COINS = {
  EUR: { '2 €': 8.5, '1 €': 7.5, '50 c': 7.8, '20 c': 5.74, '10 c': 4.1, '5 c': 3.92, '2 c': 3.06, '1 c': 2.3 },
  USD: { '$1': 8.1, '50¢': 11.34, '25¢': 5.67, '10¢': 2.268, '5¢': 5, '1¢': 2.5 },
  GBP: { '£2': 12, '£1': 8.75, '50p': 8, '20p': 5, '10p': 6.5, '5p': 3.25, '2p': 7.12, '1p': 3.56 },
  CNY: { '1 元 (25 mm)': 6.1, '5 角': 3.8, '1 角': 3.2 },
  JPY: { '¥500 (2021–)': 7.1, '¥100': 4.8, '¥50': 4, '¥10': 4.5, '¥5': 3.75, '¥1': 1 },
};

/** The currency where the reader lives. */
const HERE = { US: 'USD', GB: 'GBP', CN: 'CNY', JP: 'JPY' }[new Intl.Locale(LOCALE).maximize().region] ?? 'EUR';

/** The coins: a number of them and one tap choose a mass. */
class CoinChoice {
  constructor(onChange) {
    this.onChange = onChange;
    /** What each mass is made of. */
    this.chosen = new Map();
    const currency = element('select', Object.keys(COINS).map((each) => element('option', each)));
    currency.value = HERE;
    this.number = input(texts.calCoinNumber, { type: 'number', inputmode: 'numeric', min: 1, max: 200, value: 10 });
    this.coins = group(texts.calCoins);
    this.list = group(texts.calCoinsChosen);
    const list = () =>
      this.coins.replaceChildren(
        ...Object.entries(COINS[currency.value]).map(([coin, mass]) =>
          button([coin, element('small', g(mass))], () => this.add(coin, mass))
        ),
      );
    currency.addEventListener('change', list);
    list();
    const fields = [element('label', [element('span', texts.calCurrency), currency]), this.number];
    this.node = details(
      texts.calCoins,
      part(soft(texts.calCoinsHint), element('div', fields, { class: 'fields' }), this.coins),
    );
    show(this.list, false);
  }

  add(coin, each) {
    const count = Math.round(Number(this.number.lastChild.value)), mass = +(count * each).toFixed(3);
    if (!(count > 0)) return;
    if (!this.chosen.has(mass)) {
      const name = `${count} × ${coin}`;
      const chip = button(`${name}: ${g(mass)}`, () => {
        const next = chip.nextElementSibling ?? chip.previousElementSibling ?? this.number.lastChild;
        next.focus();
        chip.remove();
        this.chosen.delete(mass);
        this.changed();
      }, { 'aria-pressed': true });
      this.chosen.set(mass, name);
      this.list.append(chip);
    }
    this.changed();
  }

  changed() {
    show(this.list, this.chosen.size > 0);
    this.onChange();
  }
}

export class StartView {
  constructor(calibration, { capacity_g: capacity, storage }) {
    this.capacity = capacity;
    const common = WEIGHTS.filter((mass) => mass <= capacity);
    this.weights = common.map((mass) =>
      button(g(mass), ({ currentTarget: node }) => {
        node.ariaPressed = node.ariaPressed !== 'true';
        this.changed();
      }, { value: mass, 'aria-pressed': common.slice(-4).includes(mass) })
    );
    this.coins = new CoinChoice(() => this.changed());
    const label = input(texts.calOthers, { name: 'masses', placeholder: '8.5 112 350', autocomplete: 'off' });
    this.others = label.lastChild;
    this.others.addEventListener('input', () => this.changed());
    this.summary = element('p', null, { role: 'status' });
    this.fault = element('p', null, { class: 'fault', role: 'alert', id: 'masses-fault' });
    this.others.setAttribute('aria-describedby', 'masses-fault');
    const note = scale.isDemo ? texts.calDemo : storage === null ? texts.calNowhere : null;
    this.node = element('form', [
      element('h3', texts.padMasses),
      element('p', say('calIntro', { capacity: g(capacity) })),
      group(texts.calPresets, this.weights),
      this.coins.node,
      this.coins.list,
      label,
      this.summary,
      this.fault,
      note && soft(note),
      acts(element('button', texts.pageStart, { class: 'main' }), button(texts.calOnly, () => calibration.start([]))),
    ], { class: 'part', novalidate: '' });
    onSubmit(this.node, () => {
      const { masses, fault } = this.masses();
      set(this.fault, fault);
      this.others.ariaInvalid = fault !== '';
      if (fault) return this.others.focus();
      nameMasses(this.coins.chosen);
      calibration.start(masses);
    });
    this.changed();
  }

  /** The chosen masses, and what is wrong with them. */
  masses() {
    const words = this.others.value.replace(/,/g, '.').replace(/g\b/gi, ' ').split(/[\s;]+/).filter(Boolean),
      pressed = this.weights.filter((node) => node.ariaPressed === 'true'),
      all = [...pressed.map((node) => Number(node.value)), ...this.coins.chosen.keys(), ...words.map(Number)],
      masses = [...new Set(all)].filter((mass) => mass > 0).sort((a, b) => a - b),
      wrong = words.find((word) => !(Number(word) > 0)),
      most = masses.at(-1),
      least = this.capacity / 2;
    const fault = wrong
      ? say('calInvalid', { text: wrong })
      : masses.length < 2
      ? texts.calFew
      : most > this.capacity
      ? say('calHeavy', { capacity: g(this.capacity) })
      : most < least
      ? say('calLow', { mass: g(least) })
      : '';
    return { masses, fault };
  }

  changed() {
    const { masses } = this.masses();
    set(this.summary, masses.length ? say('calChosen', { masses: masses.map(g).join(', ') }) : '');
  }

  show() {}
}
