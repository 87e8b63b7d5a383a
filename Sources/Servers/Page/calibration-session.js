// The calibration of this page: its steps, what to do now, and its results.

import { SelfTestView, VerifyView } from './calibration-checks.js';
import { acts, instructionOf, Load, madeOf, nameOf, part, show, tell } from './calibration-parts.js';
import { FitView } from './calibration-results.js';
import { button, element, set } from './dom.js';
import { row, soft } from './parts.js';
import { say, texts } from './texts.js';

export class SessionView {
  constructor(calibration) {
    this.calibration = calibration;
    // The second click of a double click would be for the next step.
    const order = (text, verb, attributes) =>
      button(text, (event) => {
        if (event.detail < 2) calibration.order(verb);
      }, attributes);
    const main = { class: 'main' };
    this.list = element('ol', null, { 'aria-label': texts.calStepsList });
    this.steps = element('div', [element('h3', texts.calSteps), this.list], { class: 'part steps' });
    this.place = soft();
    this.instruction = element('p', null, { class: 'instruction', role: 'status', tabindex: -1 });
    this.load = new Load();
    this.note = element('p', null, { role: 'status' });
    this.measure = order(texts.calMeasure, 'measure', main);
    this.stop = order(texts.pageStop, 'stop');
    this.skip = order(texts.calSkip, 'skip');
    this.toResult = button(
      texts.calShowResult,
      () => calibration.command('select', { step: calibration.state.steps.length }),
    );
    this.reason = element('p', null, { class: 'bad', role: 'alert' });
    this.question = element('div', [
      this.reason,
      row(order(texts.calRepeat, 'repeat', main), order(texts.calKeep, 'keep')),
    ], { class: 'question' });
    this.end = element('p', null, { role: 'alert' });
    this.ended = element('div', [
      element('h3', texts.calEnded),
      this.end,
      row(button(texts.calStartAgain, () => calibration.forget(), main)),
    ], { class: 'question' });
    const act = acts(this.measure, this.stop, this.skip, this.toResult);
    const now = part(this.ended, this.place, this.instruction, act, this.question, this.note, this.load.node);
    this.parts = [new FitView(calibration), new VerifyView(calibration), new SelfTestView(calibration)];
    this.node = element('div', [part(now, ...this.parts.map((each) => each.node)), this.steps], { class: 'cols' });
  }

  show(state) {
    const { activity, steps, step, question, task } = state;
    const isOver = state.state === 'ended',
      isReady = !isOver && activity === 'ready',
      isAsked = isReady && Boolean(question),
      isFree = isReady && !isAsked,
      isLoading = activity === 'verifying' || activity === 'testing',
      isAtStep = step !== null && !isLoading;
    show(this.steps, steps.length > 0);
    show(this.ended, isOver);
    tell(this.end, state.end ? [state.end, 'detail'] : '');
    const places = isLoading
      ? [say('calibrationProgress', task ?? {})]
      : isAtStep
      ? [say('calStepOf', { number: step + 1, count: steps.length }), madeOf(steps[step].mass_g)]
      : [];
    set(this.place, places.filter(Boolean).join(' · '));
    const instruction = isOver ? '' : instructionOf(state);
    tell(this.instruction, instruction);
    show(this.instruction, instruction !== '');
    show(this.load.node, !isOver && (isAtStep || isLoading));
    this.load.show(state.load, isLoading ? task?.progress ?? undefined : undefined);
    // What was kept last says nothing about the result.
    this.showNote(state, isAsked || isOver || (step === null && state.note?.reason === 'kept'));
    show(this.question, isAsked);
    tell(this.reason, isAsked ? [state, 'question'] : '', (own) => own && say('calibrationCheck', { reason: own }));
    show(this.measure, isFree && isAtStep);
    show(this.skip, isFree && isAtStep);
    show(this.stop, !isOver && !isReady);
    show(this.toResult, isFree && isAtStep && steps.every((each) => each.state !== 'open'));
    this.showSteps(state, isReady);
    for (const each of this.parts) each.show(state, isFree);
  }

  showNote({ activity, note, waiting }, isHidden) {
    const isMeasuring = activity === 'measuring';
    this.note.className = note && !['kept', 'stopped'].includes(note.reason) ? 'bad' : '';
    tell(
      this.note,
      isHidden ? '' : isMeasuring ? (waiting ? texts.calWaiting : texts.calMeasuring) : note ? [note, 'detail'] : '',
    );
    show(this.note, !isHidden && (isMeasuring || note));
  }

  showSteps({ steps, step }, isReady) {
    if (this.list.children.length !== steps.length) {
      const choose = (index) => ({ currentTarget: node }) => {
        if (node.ariaDisabled !== 'true') this.calibration.command('select', { step: index });
      };
      this.list.replaceChildren(
        ...steps.map((_, index) => element('li', button([element('span'), element('small')], choose(index)))),
      );
    }
    for (const [index, each] of steps.entries()) {
      const item = this.list.children[index], choose = item.firstChild, name = nameOf(each);
      const result = each.state === 'measured'
        ? say('calibrationCounts', { counts: each.counts.toFixed(1) })
        : each.state === 'open'
        ? texts.calOpen
        : texts.calSkipped;
      item.dataset.state = each.state;
      set(choose.firstChild, name);
      set(choose.lastChild, result);
      choose.ariaLabel = `${each.state === 'open' ? name : say('calRepeatIt', { name })}, ${result}`;
      choose.ariaDisabled = !isReady;
      choose.ariaCurrent = index === step ? 'step' : null;
    }
  }
}
