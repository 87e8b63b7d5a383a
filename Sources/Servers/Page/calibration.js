// The calibration of the pad, at the address #calibrate. Loaded when it is opened; the scale measures, fits and decides.

import { FitView, TestView, VerifyView, tell } from './calibration-results.js';
import { texts } from './calibration-texts.js';
import { set } from './panels.js';
import { button, field, input, make } from './settings-fields.js';

const PATH = 'api/calibration/session';
const POLL = 250; // ms between two looks at the load
const ALIVE = 30e3; // ms between two signs of life; the scale waits for 150 s
const KEPT = 'grampad-calibration'; // a page that is loaded again continues
const PRESETS = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000];

const show = (node, isShown) => { node.hidden = !isShown; };

/** What is on the pad now: counts, grams, spread, drift and how long it rests. */
class Load {
  constructor() {
    this.values = Object.fromEntries(['counts', 'grams', 'spread', 'drift', 'share'].map(key => [key, make('dd', { textContent: texts.live.none })]));
    this.bar = make('progress', { max: 1, value: 0, 'aria-label': texts.live.progress });
    this.node = make('div', { className: 'part' },
      make('dl', {}, ...Object.entries(this.values).map(([key, value]) => make('div', {}, make('dt', { textContent: texts.live[key] }), value))), this.bar);
  }

  show(load) {
    const { counts, grams, spread, drift, share } = this.values, t = texts.live;
    this.bar.value = load?.progress ?? 0;
    set(counts, !load ? t.nopad : load.at_maximum ? t.maximum : load.counts.toFixed(1));
    set(grams, !load || load.at_maximum || load.grams === null ? t.none : `${load.grams.toFixed(1)} g`);
    set(spread, load && !load.at_maximum ? load.spread.toFixed(2) : t.none);
    set(drift, load && !load.at_maximum ? t.perSecond(load.drift) : t.none);
    set(share, load && !load.at_maximum ? t.percent(load.share) : t.none);
  }
}

/** The choice of masses, before the start. */
class StartView {
  constructor(calibration, { capacity_g: capacity, storage }) {
    const t = texts.start;
    this.capacity = capacity;
    const common = PRESETS.filter(mass => mass <= capacity);
    this.presets = common.map(mass => make('button', { type: 'button', textContent: texts.g(mass), value: mass, 'aria-pressed': common.slice(-4).includes(mass),
      onclick: event => event.currentTarget.setAttribute('aria-pressed', event.currentTarget.getAttribute('aria-pressed') !== 'true') }));
    this.others = input('', { placeholder: t.example });
    this.fault = make('p', { className: 'fault', role: 'alert' });
    const note = calibration.page.isDemo() ? t.demo : storage === null ? t.nowhere : '';
    const form = make('form', { className: 'part', noValidate: true }, make('h3', { textContent: t.title }), make('p', { textContent: t.intro(capacity) }),
      make('div', { className: 'row', role: 'group', 'aria-label': t.presets }, ...this.presets), field(t.others, this.others, 'masses'), this.fault,
      make('p', { className: 'soft', textContent: note, hidden: !note }),
      make('p', { className: 'row' }, make('button', { className: 'main', textContent: t.go }), button(t.only, () => calibration.start([]))));
    form.addEventListener('submit', event => { event.preventDefault(); const masses = this.masses(); if (masses) calibration.start(masses); });
    this.node = form;
  }

  /** The chosen masses, or `null` after it is said what is wrong. */
  masses() {
    const t = texts.start, words = this.others.value.replace(/,/g, '.').replace(/g\b/gi, ' ').split(/[\s;]+/).filter(Boolean);
    const chosen = this.presets.filter(preset => preset.getAttribute('aria-pressed') === 'true').map(preset => Number(preset.value));
    const wrong = words.find(word => !(Number(word) > 0));
    const masses = [...new Set([...chosen, ...words.map(Number)])].sort((a, b) => a - b), most = masses.at(-1);
    const fault = wrong ? t.invalid(wrong) : masses.length < 2 ? t.few : most > this.capacity ? t.heavy(this.capacity) : most < this.capacity / 2 ? t.low(this.capacity / 2) : '';
    this.fault.textContent = fault;
    this.others.setAttribute('aria-invalid', fault !== '');
    if (fault) this.others.focus();
    return fault ? null : masses;
  }

  show() {}
}

/** The calibration of another page: it can be watched and taken over. */
class OtherView {
  constructor(calibration) {
    this.load = new Load();
    this.instruction = make('p', { className: 'instruction', role: 'status' });
    const take = async () => { if (await calibration.page.ask(texts.other.ask[0], '', ...texts.other.ask.slice(1), true)) calibration.takeOver(); };
    this.node = make('div', { className: 'part' }, make('h3', { textContent: texts.other.title }), make('p', { textContent: texts.other.text }),
      this.instruction, this.load.node, make('p', { className: 'row' }, button(texts.other.take, take)));
  }

  show(state) {
    tell(this.instruction, instructionOf(state));
    this.load.show(state.load);
  }
}

/** What the user has to do now. */
function instructionOf(state) {
  const step = state.steps?.[state.step];
  if (state.activity === 'verifying' || state.activity === 'testing') return state.instruction ? [state, 'instruction'] : '';
  return step ? texts.steps.instruction[step.kind](step.mass_g) : '';
}

const nameOf = ({ kind, mass_g: mass }) => typeof texts.steps[kind] === 'function' ? texts.steps[kind](mass) : texts.steps[kind];

/** The calibration of this page. */
class SessionView {
  constructor(calibration) {
    // The second click of a double click would be for the next step.
    const t = texts, order = verb => event => { if (event.detail < 2) calibration.order(verb); };
    this.calibration = calibration;
    this.list = make('ol', { 'aria-label': t.steps.list });
    this.steps = make('div', { className: 'part steps' }, make('h3', { textContent: t.steps.title }), this.list);
    this.place = make('p', { className: 'soft' });
    this.instruction = make('p', { className: 'instruction', role: 'status', tabIndex: -1 });
    this.load = new Load();
    this.note = make('p', { role: 'status' });
    this.measure = make('button', { type: 'button', className: 'main', textContent: t.measure, onclick: order('measure') });
    this.stop = button(t.stop, order('stop'));
    this.skip = button(t.skip, order('skip'));
    this.toResult = button(t.result, () => calibration.command('select', { step: calibration.state.steps.length }));
    this.reason = make('p', { className: 'bad', role: 'alert' });
    this.again = make('button', { type: 'button', className: 'main', textContent: t.repeat, onclick: order('repeat') });
    this.question = make('div', { className: 'question' }, this.reason, make('p', { className: 'row' }, this.again, button(t.keep, order('keep'))));
    this.ended = make('div', { className: 'question' }, make('h3', { textContent: t.ended.title }), this.end = make('p', { role: 'alert' }),
      make('p', { className: 'row' }, make('button', { type: 'button', className: 'main', textContent: t.ended.again, onclick: () => calibration.forget() })));
    this.now = make('div', { className: 'part' }, this.ended, this.place, this.instruction, this.load.node, this.note, this.question,
      make('p', { className: 'row' }, this.measure, this.stop, this.skip, this.toResult));
    this.parts = [new FitView(calibration), new VerifyView(calibration), new TestView(calibration)];
    this.node = make('div', { className: 'cols' }, make('div', { className: 'part' }, this.now, ...this.parts.map(part => part.node)), this.steps);
  }

  show(state) {
    const { activity, steps, step, question, note } = state, t = texts;
    const isOver = state.state === 'ended', isReady = !isOver && activity === 'ready', isAsked = isReady && Boolean(question);
    const isLoading = activity === 'verifying' || activity === 'testing', isAtStep = step !== null && !isLoading;
    show(this.steps, steps.length > 0);
    show(this.ended, isOver);
    tell(this.end, state.end ? [state.end, 'detail'] : '');
    set(this.place, isLoading ? t.test.task(state.task?.number, state.task?.count) : isAtStep ? t.steps.of(step + 1, steps.length) : '');
    const instruction = isOver ? '' : instructionOf(state);
    tell(this.instruction, instruction);
    show(this.instruction, instruction !== '');
    show(this.load.node, !isOver);
    this.load.show(state.load);
    if (isLoading && state.task?.progress !== null && state.task) this.load.bar.value = state.task.progress;
    tell(this.note, isAsked || isOver ? '' : activity === 'measuring' ? (state.waiting ? t.waiting : t.measuring) : note ? [note, 'detail'] : '');
    this.note.className = note && !['kept', 'stopped'].includes(note.reason) ? 'bad' : '';
    show(this.question, isAsked);
    tell(this.reason, isAsked ? [state, 'question'] : '', own => own && t.fit.check(own));
    show(this.measure, isReady && isAtStep && !isAsked);
    show(this.skip, isReady && isAtStep && !isAsked);
    show(this.stop, !isOver && !isReady);
    show(this.toResult, isReady && isAtStep && !isAsked && steps.every(each => each.state !== 'open'));
    this.showSteps(state, isReady);
    for (const part of this.parts) part.show(state, isReady && !isAsked);
  }

  showSteps({ steps, step }, isReady) {
    if (this.list.children.length !== steps.length) {
      this.list.replaceChildren(...steps.map((_, index) => make('li', {}, make('button', { type: 'button', onclick: event => { if (event.currentTarget.getAttribute('aria-disabled') !== 'true') this.calibration.command('select', { step: index }); } }, make('span'), make('small')))));
    }
    for (const [index, each] of steps.entries()) {
      const item = this.list.children[index], choose = item.firstChild, name = nameOf(each);
      const result = each.state === 'measured' ? texts.steps.measured(each.counts) : texts.steps[each.state];
      item.dataset.state = each.state;
      set(choose.firstChild, name);
      set(choose.lastChild, result);
      choose.setAttribute('aria-label', `${each.state === 'open' ? name : texts.steps.repeat(name)}, ${result}`);
      choose.setAttribute('aria-disabled', !isReady);
      if (index === step) choose.setAttribute('aria-current', 'step'); else choose.removeAttribute('aria-current');
    }
  }
}

class Calibration {
  /** `page` provides `send`, `load`, `toast` and `ask`. */
  constructor(page) {
    this.page = page;
    this.session = sessionStorage.getItem(KEPT);
    this.commands = this.visits = 0;
    this.heading = make('h2', { textContent: texts.title, tabIndex: -1 });
    this.quit = button(texts.end.go, () => this.finish());
    this.quit.hidden = true;
    this.fault = make('p', { className: 'fault', role: 'alert' });
    this.content = make('div', { className: 'part' });
    this.section = make('section', { className: 'card', id: 'calibrating', 'aria-label': texts.title, hidden: true },
      make('div', { className: 'head' }, this.heading, make('span', { className: 'links' }, this.quit, make('a', { href: '#calibration-card', textContent: texts.back }))),
      this.fault, this.content);
    document.getElementById('pad-card').before(this.section);
  }

  async enter() {
    if (!this.section.hidden) return;
    show(this.section, true);
    document.body.classList.add('calibrating');
    scrollTo({ top: 0, behavior: 'instant' });
    this.heading.focus({ preventScroll: true });
    this.alive = performance.now() - ALIVE;
    const visit = ++this.visits;
    while (visit === this.visits) {
      await this.look();
      await new Promise(done => setTimeout(done, POLL));
    }
  }

  /** Leaves the view. The calibration waits for a while. */
  leave() {
    if (this.section.hidden) return;
    if (this.isUnderWay()) this.page.toast(texts.end.waits);
    show(this.section, false);
    this.visits += 1;
    document.body.classList.remove('calibrating');
    document.querySelector('#calibration-card a').focus();
  }

  isMine() { return this.session !== null; }
  isUnderWay() { return this.isMine() && this.state?.state === 'active'; }

  async look() {
    const commands = this.commands, isDue = this.isUnderWay() && performance.now() - this.alive >= ALIVE;
    if (isDue) { this.alive = performance.now(); return this.command('status'); }
    const state = await this.page.load(PATH);
    // What was asked for before a command says nothing about its effect.
    if (commands === this.commands && !this.isSending) this.show(state);
  }

  /** Sends a command; returns whether it was possible. */
  async command(verb, more = {}) {
    this.commands += 1;
    this.isSending = true;
    const answer = await this.page.send(PATH, { do: verb, ...verb !== 'start' && { session: this.session }, ...more });
    this.isSending = false;
    if (answer?.session) sessionStorage.setItem(KEPT, this.session = answer.session);
    if (answer && answer.ok !== false) {
      tell(this.fault);
      this.show(answer);
      return true;
    }
    if (answer?.reason === 'no_session') this.forget();
    if (!answer?.reason?.startsWith('token')) tell(this.fault, answer ? [answer, 'detail'] : texts.silent);
    return false;
  }

  /** Sends a command for the current step, unless one is on its way. */
  async order(verb) {
    if (this.isOrdering) return;
    this.isOrdering = true;
    try { await this.command(verb); } finally { this.isOrdering = false; }
  }

  start(masses) { return this.command('start', { masses_g: masses }); }
  async takeOver() { if (await this.command('start', { replace: true })) { await this.command('close'); this.forget(); } }

  async finish() {
    const isUnsaved = this.state.steps.some(step => step.state === 'measured') && !this.state.applied;
    if (isUnsaved && !await this.page.ask(texts.end.ask[0], '', ...texts.end.ask.slice(1), true)) return;
    if (await this.command('close') && isUnsaved) this.page.toast(texts.end.cancelled);
    this.forget();
  }

  /** Returns to the choice of masses. */
  forget() {
    sessionStorage.removeItem(KEPT);
    this.session = this.view = null;
    if (this.state) this.show({ ...this.state, state: this.state.state === 'active' ? 'active' : 'none' });
    this.heading.focus({ preventScroll: true });
  }

  show(state) {
    if (!state) return set(this.fault, texts.silent);
    if (this.fault.textContent === texts.silent) set(this.fault);
    this.state = state;
    // The identifier of a calibration that the scale no longer knows, after its restart.
    if (this.isMine() && state.state === 'none') { sessionStorage.removeItem(KEPT); this.session = null; }
    const Wanted = this.isMine() ? SessionView : state.state === 'active' ? OtherView : StartView;
    const hadFocus = this.section.contains(document.activeElement);
    if (!(this.view instanceof Wanted)) {
      this.view = new Wanted(this, state);
      this.content.replaceChildren(this.view.node);
    }
    show(this.quit, this.isUnderWay());
    set(this.quit, state.applied ? texts.end.done : texts.end.go);
    this.view.show(state);
    if (hadFocus) this.keepFocus();
  }

  /** Moves the focus to what comes next if its place is gone. It waits on the instruction while the scale measures. */
  keepFocus() {
    const at = document.activeElement, isWaiting = at === this.waiting;
    if (!isWaiting && this.section.contains(at) && !at.closest('[hidden]')) return;
    const visible = selector => [...this.content.querySelectorAll(selector)].find(node => !node.closest('[hidden]'));
    const next = visible('button.main') ?? visible('.instruction') ?? this.heading;
    this.waiting = next.matches('.instruction') ? next : null;
    if (next !== at) next.focus({ preventScroll: true });
  }
}

let calibration = null;

/** Shows the calibration, or leaves it. */
export function showCalibrationView(page, isOpen) {
  calibration ??= new Calibration(page);
  if (isOpen) calibration.enter(); else calibration.leave();
}
