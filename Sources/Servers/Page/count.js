// Counting: the number of pieces, and how a sample tells the scale the mass of one.

import { announce, element, set } from './dom.js';
import { piecesOf } from './display.js';
import { actionButton, grams, input, massField, onSubmit, perform } from './forms.js';
import { request } from './requests.js';
import { exact, mass, on, scale } from './scale.js';
import { say, texts } from './texts.js';
import { isShown } from './views.js';

const SAMPLES = [5, 10, 20, 50, 100];

class Count {
  constructor(section) {
    this.heading = element('h2', texts.pageCounting, { tabindex: '-1', class: 'unseen' });
    Object.assign(this, { isSampling: false, told: null });
    this.result = this.buildResult();
    this.guide = this.buildGuide();
    section.append(this.heading, this.result, this.guide);
    on('live', () => this.update());
    on('hello', () => this.update());
    this.update();
  }

  buildResult() {
    this.number = element('p', '–', { class: 'hero' });
    this.values = Object.fromEntries(['piece', 'net'].map((name) => [name, element('dd', '–')]));
    this.limit = element('p', '', { class: 'soft' });
    this.again = element('button', texts.pageNewSample, { type: 'button', id: 'count-again' });
    this.again.addEventListener('click', () => {
      this.isSampling = true;
      this.update();
      this.heading.focus({ preventScroll: true });
    });
    return element('section', [
      element('div', [this.number, element('p', texts.pagePieces, { class: 'soft' })]),
      element('dl', [
        element('div', [element('dt', texts.pagePieceMass), this.values.piece]),
        element('div', [element('dt', texts.pageNet), this.values.net]),
      ], { class: 'brewing' }),
      this.limit,
      element('p', [
        this.tareButton(),
        this.again,
        actionButton(texts.pageEndCounting, () => perform('count', {}, () => texts.pageCountingEnded), {
          id: 'count-end',
        }),
      ], { class: 'row bar' }),
    ], { class: 'card', id: 'counting' });
  }

  buildGuide() {
    this.net = element('b', '–');
    const pieces = input(texts.pagePiecesOnScale, {
      name: 'pieces',
      type: 'number',
      inputmode: 'numeric',
      min: '1',
      step: '1',
      required: '',
    });
    const field = pieces.querySelector('input');
    const chips = SAMPLES.map((number) => {
      const chip = element('button', String(number), { type: 'button', 'aria-pressed': 'false' });
      chip.addEventListener('click', () => {
        field.value = number;
        mark();
      });
      return chip;
    });
    const mark = () => {
      for (const chip of chips) chip.setAttribute('aria-pressed', chip.textContent === field.value);
    };
    field.addEventListener('input', mark);
    const sample = element('form', [
      element('ol', [
        element('li', [element('p', texts.pageCountStep1), element('p', [texts.pageNet, ' ', this.net])]),
        element('li', [
          element('p', texts.pageCountStep2),
          element('div', chips, { class: 'row chips', role: 'group', 'aria-label': texts.pagePiecesOnScale }),
          pieces,
        ]),
        element('li', element('p', texts.pageCountStep3)),
      ]),
      element('p', [this.tareButton(), element('button', texts.pageCount, { class: 'main' })], { class: 'row bar' }),
    ], { id: 'sample-form' });
    sample.addEventListener('reset', () => setTimeout(mark));
    const piece = element('form', [
      input(texts.pagePieceMass, massField('piece', { required: '' }), true),
      element('button', texts.pageCount),
    ], { id: 'piece-form' });
    onSubmit(sample, ({ pieces: number }) => this.count({ pieces: Number(number) }));
    onSubmit(piece, ({ piece: one }) => this.count({ piece_g: grams(one) }));
    return element('section', [
      element('h3', texts.pageCountSample),
      sample,
      element('details', [element('summary', texts.pageCountKnown), piece]),
    ], { class: 'card', id: 'sampling' });
  }

  tareButton() {
    return actionButton(texts.pageDoTare, () => perform('tare', {}));
  }

  async count(parameters) {
    const result = await request('count', parameters);
    if (!result) return false;
    this.isSampling = false;
    this.update(result.reading);
    this.heading.focus({ preventScroll: true });
    announce(say('pageCountingPieces', { mass: exact(result.reading.piece_g) }));
    return true;
  }

  update(r = scale.reading) {
    const isCounting = Boolean(r) && 'pieces' in r;
    if (!isCounting) this.isSampling = false;
    const hadFocus = isShown('count') && [this.result, this.guide].some((n) => n.contains(document.activeElement));
    const isResult = isCounting && !this.isSampling, hasTurned = this.result.hidden === isResult;
    this.result.hidden = !isResult;
    this.guide.hidden = isResult;
    if (hasTurned && hadFocus) this.heading.focus({ preventScroll: true });
    set(this.net, r ? mass(r.net_g) : '–');
    if (!isCounting) return;
    const text = piecesOf(r), { pieces_max: most } = r;
    set(this.number, text);
    this.number.classList.toggle('long', text.length > 5);
    set(this.values.piece, exact(r.piece_g));
    set(this.values.net, mass(r.net_g));
    set(this.limit, most === null ? '' : say('pageCountCertain', { count: most }));
    this.limit.classList.toggle('warning', r.pieces === null && r.pieces_uncertainty !== null);
    // A settled number is announced, not each change on the way to it.
    if (r.pieces === null || !isShown('count') || this.told === r.pieces) return;
    this.told = r.pieces;
    announce(say('pieces', { count: r.pieces }));
  }

  show() {
    this.heading.focus({ preventScroll: true });
  }
}

export const open = (section) => new Count(section);
