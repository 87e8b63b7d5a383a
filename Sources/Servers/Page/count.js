// Counting: the number of pieces, and how a sample tells the scale the mass of one.

import { announce, button, element, set } from './dom.js';
import { piecesOf } from './display.js';
import { actionButton, grams, input, massField, onSubmit, perform, tareButton } from './forms.js';
import { details, group, pairs, soft } from './parts.js';
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
    this.limit = soft();
    const again = button(texts.pageNewSample, () => {
      this.isSampling = true;
      this.update();
      this.show();
    }, { id: 'count-again' });
    const end = actionButton(texts.pageEndCounting, () => perform('count', {}, () => texts.pageCountingEnded), {
      id: 'count-end',
    });
    return element('section', [
      element('div', [this.number, soft(texts.pagePieces)]),
      pairs([[texts.pagePieceMass, this.values.piece], [texts.pageNet, this.values.net]], { class: 'brewing' }),
      this.limit,
      element('p', [tareButton(), again, end], { class: 'row bar' }),
    ], { class: 'card', id: 'counting' });
  }

  buildGuide() {
    this.net = element('b', '–');
    const whole = { inputmode: 'numeric', min: 1, step: 1, required: '' };
    const pieces = input(texts.pagePiecesOnScale, massField('pieces', whole)), field = pieces.lastChild;
    const chips = SAMPLES.map((number) =>
      button(String(number), () => {
        field.value = number;
        mark();
      }, { 'aria-pressed': false })
    );
    const mark = () => {
      for (const chip of chips) chip.ariaPressed = chip.textContent === field.value;
    };
    field.addEventListener('input', mark);
    const sample = element('form', [
      element('ol', [
        element('li', [element('p', texts.pageCountStep1), element('p', [texts.pageNet, ' ', this.net])]),
        element('li', [
          element('p', texts.pageCountStep2),
          group(texts.pagePiecesOnScale, chips, 'row chips'),
          pieces,
        ]),
        element('li', element('p', texts.pageCountStep3)),
      ]),
      element('p', [tareButton(), element('button', texts.pageCount, { class: 'main' })], { class: 'row bar' }),
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
      details(texts.pageCountKnown, piece),
    ], { class: 'card', id: 'sampling' });
  }

  async count(parameters) {
    const result = await request('count', parameters);
    if (!result) return false;
    this.isSampling = false;
    this.update(result.reading);
    this.show();
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
    if (hasTurned && hadFocus) this.show();
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
