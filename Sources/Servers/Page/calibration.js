// The calibration of the pad, at the address #/calibrate. The scale measures, fits and decides.

import { StartView } from './calibration-masses.js';
import { acts, instructionOf, Load, part, show, tell } from './calibration-parts.js';
import { SessionView } from './calibration-session.js';
import { CurveCard } from './curve-card.js';
import { ask, toast } from './dialogs.js';
import { $, button, element, set } from './dom.js';
import { row } from './parts.js';
import { load, send } from './requests.js';
import { scale } from './scale.js';
import { say, texts } from './texts.js';

const PATH = 'api/calibration/session';
const POLL = 250; // ms between two looks at the load
// ms between two signs of life: after this time, a page learns at the latest that another one continues its calibration.
const ALIVE = 5e3;
const KEPT = 'grampad-calibration'; // a page that is loaded again continues

const measuredOf = ({ steps = [] }) => steps.filter((step) => step.state === 'measured').length;

/** The calibration of another page or program, or of one that is gone: it can be watched and continued here. */
class OtherView {
  constructor(calibration) {
    this.load = new Load();
    this.heading = element('h3');
    this.text = element('p');
    this.instruction = element('p', null, { class: 'instruction' });
    this.watched = part(this.instruction, this.load.node);
    this.discard = button(texts.calDiscard, async () => {
      if (await ask(texts.calAskEnd, '', texts.calEndHint, texts.calEndGo, texts.pageCancel, true)) {
        calibration.discard();
      }
    });
    const act = acts(
      button(texts.calContinueHere, async () => {
        const isAsked = () =>
          ask(texts.calAskContinue, '', texts.calAskContinueHint, texts.calContinueHere, texts.pageCancel);
        if (!this.isAttended || await isAsked()) calibration.command('take_over');
      }, { class: 'main' }),
      this.discard,
    );
    this.node = part(this.heading, this.text, this.watched, act);
  }

  show(state) {
    // A scale of an earlier version does not say it.
    this.isAttended = state.attended !== false;
    set(this.heading, this.isAttended ? texts.calOther : texts.calUnfinished);
    const values = { number: measuredOf(state), count: state.steps.length };
    set(this.text, say(this.isAttended ? 'calOtherHint' : 'calUnfinishedHint', values));
    show(this.watched, this.isAttended);
    show(this.discard, !this.isAttended);
    tell(this.instruction, instructionOf(state));
    this.load.show(state.load);
  }
}

class Calibration {
  constructor(section) {
    this.session = sessionStorage.getItem(KEPT);
    this.commands = this.visits = 0;
    this.heading = element('h2', texts.calTitle, { tabindex: -1 });
    this.quit = button(texts.calEnd, () => this.finish(), { hidden: '' });
    this.fault = element('p', null, { class: 'fault', role: 'alert' });
    this.content = part();
    this.back = row(element('a', texts.setupContinue, { href: '#/setup' }));
    this.section = element('section', [
      element('div', [this.heading, this.quit], { class: 'head' }),
      this.fault,
      this.content,
      this.back,
    ], { class: 'card', id: 'calibrating', 'aria-label': texts.calTitle });
    this.curve = new CurveCard();
    section.append(this.section, this.curve.node);
    // A duplicated tab has the same identifier: the newer one continues.
    this.tabs = new BroadcastChannel(KEPT);
    this.tabs.onmessage = ({ data }) => data === this.session && this.forget();
    if (this.session) this.tabs.postMessage(this.session);
  }

  /** Measures while the view is shown. */
  async show() {
    // The masses lie on the simulated pad.
    this.section.after($('pad-card'));
    this.heading.focus({ preventScroll: true });
    this.curve.reload();
    this.alive = -ALIVE;
    const visit = ++this.visits;
    while (visit === this.visits) {
      await this.look();
      await new Promise((done) => setTimeout(done, POLL));
    }
  }

  /** What was measured waits for the user. */
  hide() {
    $('scale').after($('pad-card'));
    if (this.isUnsaved) toast(texts.calWaits);
    this.visits += 1;
  }

  get isUnderWay() {
    return this.session !== null && this.state?.state === 'active';
  }
  get isUnsaved() {
    return this.isUnderWay && measuredOf(this.state) > 0 && !this.state.applied;
  }

  async look() {
    const { commands } = this;
    if (this.isUnderWay && performance.now() - this.alive >= ALIVE) {
      this.alive = performance.now();
      return this.command('status');
    }
    const state = await load(PATH);
    // What was asked for before a command says nothing about its effect.
    if (commands === this.commands && !this.isSending) this.adopt(state);
  }

  /** Sends a command; returns whether it was possible. */
  async command(verb, more = {}) {
    this.commands += 1;
    this.isSending = true;
    const isNew = verb === 'start' || verb === 'take_over';
    const answer = await send(PATH, { do: verb, ...!isNew && { session: this.session }, ...more });
    this.isSending = false;
    if (answer?.session) sessionStorage.setItem(KEPT, this.session = answer.session);
    if (answer && answer.ok !== false) {
      if (verb !== 'status') tell(this.fault);
      this.adopt(answer);
      return true;
    }
    const isLost = answer?.reason === 'no_session';
    if (isLost) this.forget();
    if (answer?.reason?.startsWith('token')) return false;
    // Another page or program continues it, unless it is over.
    const isTaken = isLost && this.state?.state === 'active';
    tell(this.fault, !answer ? texts.pageNoAnswer : isTaken ? texts.calTaken : [answer, 'detail']);
    return false;
  }

  /** Sends a command for the current step, unless one is on its way. */
  order(verb) {
    this.ordered ??= this.command(verb).finally(() => this.ordered = null);
  }

  start(masses) {
    return this.command('start', { masses_g: masses });
  }

  async discard() {
    if (await this.command('take_over') && await this.command('close')) this.forget();
  }

  async finish() {
    const isUnsaved = this.isUnsaved;
    if (
      isUnsaved && !await ask(texts.calAskEnd, '', texts.calEndHint, texts.calEndGo, texts.calContinue, true)
    ) return;
    if (await this.command('close') && isUnsaved) toast(texts.calCancelled);
    this.forget();
  }

  /** Returns to the choice of masses, or to the calibration of another page. */
  forget() {
    sessionStorage.removeItem(KEPT);
    this.session = null;
    if (this.state) this.adopt({ ...this.state, state: this.state.state === 'active' ? 'active' : 'none' });
    this.heading.focus({ preventScroll: true });
  }

  adopt(state) {
    if (!state) return set(this.fault, texts.pageNoAnswer);
    if (this.fault.textContent === texts.pageNoAnswer) set(this.fault);
    this.state = state;
    show(this.back, scale.machine?.is_set_up === false);
    // The identifier of a calibration that the scale no longer knows, after its restart.
    if (this.session !== null && state.state === 'none') {
      sessionStorage.removeItem(KEPT);
      this.session = null;
    }
    const Wanted = this.session !== null ? SessionView : state.state === 'active' ? OtherView : StartView;
    const hadFocus = this.section.contains(document.activeElement);
    if (!(this.shown instanceof Wanted)) {
      this.shown = new Wanted(this, state);
      this.content.replaceChildren(this.shown.node);
    }
    show(this.quit, this.isUnderWay);
    set(this.quit, state.applied ? texts.calDone : texts.calEnd);
    this.shown.show(state);
    if (hadFocus) this.keepFocus();
  }

  /** Moves the focus to what comes next if its place is gone. It waits on the instruction while the scale measures. */
  keepFocus() {
    const at = document.activeElement, isWaiting = at === this.waiting;
    if (!isWaiting && this.section.contains(at) && !at.closest('[hidden]')) return;
    const visible = (selector) =>
      [...this.content.querySelectorAll(selector)].find((node) => !node.closest('[hidden]'));
    const next = visible('button.main') ?? visible('.instruction') ?? this.heading;
    this.waiting = next.matches('.instruction') ? next : null;
    if (next !== at) next.focus({ preventScroll: true });
  }
}

/** Builds the view. */
export const open = (section) => new Calibration(section);
