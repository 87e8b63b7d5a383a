// The set-up of a scale from the image, at the address #/setup, and later its machine. Root's scripts check the values and apply them.

import { offerRestore } from './backup.js';
import { ask, toast } from './dialogs.js';
import { announce, button, element, set } from './dom.js';
import { machineCards } from './machine.js';
import { pairs, row, soft } from './parts.js';
import { call, reasonOf, send } from './requests.js';
import { scale } from './scale.js';
import { sentence } from './sentences.js';
import { clearFaults, showFault } from './settings-fields.js';
import { brokerPart, closing, connectionOf, faultOf, namePart, networkPart, sensorPart, urlOf } from './setup-parts.js';
import { say, texts } from './texts.js';

const PATH = 'api/machine';
const POLL = 2e3; // ms between two looks at the state

const link = (href, text, name = '') => element('a', text, { href, class: name });

/** Calibrating is a view of its own, which leads back here. */
const calibrationPart = () => ({
  title: texts.pageCalibration,
  nodes: [soft(texts.setupCalibrateHint), row(link('#/calibrate', texts.pageCalibrate, 'main'))],
  brief: () => scale.health?.calibration === 'user' ? texts.setupCalibrated : '',
  isDone: () => scale.health?.calibration === 'user',
});

/** What was set, and the button that ends the set-up. */
function finishPart(view) {
  const list = element('div'), ends = soft(), warning = element('p', null, { class: 'alert', role: 'status' });
  const rows = (state) => [
    [texts.settingsName, [state.name, urlOf(state.hostname ?? 'grampad')].filter(Boolean).join(', ')],
    [texts.setupZone, state.time_zone ?? '–'],
    [texts.setupNetwork, connectionOf(state, false) || '–'],
    [texts.pageBroker, view.parts.at(-1).brief(state) || '–'],
  ];
  return {
    title: texts.setupFinish,
    nodes: [
      list,
      ends,
      warning,
      soft(texts.setupFinishHint),
      row(button(texts.setupFinish, () => view.finish(), { class: 'main' })),
    ],
    show(state) {
      const text = JSON.stringify(rows(state));
      if (text !== list.dataset.text) list.replaceChildren(pairs(rows(state)));
      list.dataset.text = text;
      set(ends, closing(state));
      set(warning, scale.health?.pad?.warning === 'not_calibrated' ? texts.setupUncalibrated : '');
    },
  };
}

/** A card that is opened by its title. A part with a value has a form, which sends it. */
class Card {
  constructor(view, part, isStep) {
    Object.assign(this, { part, isStep });
    this.brief = element('span', null, { class: 'brief' });
    this.alert = element('p', null, { class: 'alert', role: 'alert' });
    this.title = element('summary', [element('h3', part.title), this.brief]);
    const submit = part.value && element('button', isStep ? texts.setupNext : texts.pageSave, { class: 'main' });
    const skip = isStep && part !== view.last && button(texts.setupSkip, () => view.openAfter(this));
    const act = submit || skip ? row(submit, skip || null) : null;
    this.content = element(
      part.value ? 'form' : 'div',
      [...part.nodes, this.alert, act],
      part.value ? { novalidate: '' } : {},
    );
    this.content.addEventListener('submit', (event) => {
      event.preventDefault();
      view.save(this);
    });
    this.node = element('details', [this.title, this.content], { class: 'card' });
  }

  show(state) {
    this.part.show?.(state);
    set(this.brief, this.part.brief?.(state) ?? '');
  }
}

class Setup {
  constructor(section) {
    this.heading = element('h2', texts.setupTitle, { tabindex: -1 });
    this.notice = element('div', null, { class: 'card', role: 'status', hidden: '' });
    this.body = element('div', null, { class: 'steps' });
    Object.assign(this, { visits: 0, sent: 0, kind: null, restart: null });
    section.append(this.heading, this.notice, this.body);
  }

  /** Follows the machine while the view is shown. */
  async show() {
    this.heading.focus({ preventScroll: true });
    if (this.isOver) Object.assign(this, { isOver: false, kind: null });
    const visit = ++this.visits;
    await this.look(true);
    const card = this.cards?.find(({ node }) => node.open);
    if (card?.part?.isDone?.()) this.openAfter(card);
    while (visit === this.visits) {
      await new Promise((done) => setTimeout(done, POLL));
      if (visit === this.visits && !document.hidden) await (this.isOver ? this.lookBack() : this.look());
    }
  }

  hide() {
    this.visits += 1;
  }

  /** Reads the state. A user who has opened the view is asked for the right to act if it is missing. */
  async look(isOpened = false) {
    const sent = this.sent;
    const body = isOpened ? await send(PATH, null, () => this.look()) : (await call(PATH)).body;
    // What was asked for before a request says nothing about its effect.
    if (sent !== this.sent || this.isSending || this.isOver) return;
    if (body?.ok) return this.adopt(body);
    if (!body) {
      if (this.restart) this.restart = 'away';
      return this.tell(this.restart ? texts.setupRestarting : texts.pageNoAnswer);
    }
    const isLocked = body.reason?.startsWith('token') || body.reason === 'closed';
    if (!isLocked && body.reason !== 'unknown_path') return this.tell(await reasonOf(body));
    this.kind = null;
    this.body.replaceChildren();
    set(this.heading, texts.setupMachine);
    if (!isLocked) return this.tell(texts.setupNone);
    this.tell(texts.setupLocked, button(texts.pageOperate, () => this.look(true), { class: 'main' }));
  }

  /** After "Finish", the scale may not have joined its network: its own is open again, with the set-up. */
  async lookBack() {
    const { body } = await call(PATH);
    if (!this.isOver || body?.is_set_up !== false || !faultOf({ wifi: this.wifi, ...body })) return;
    Object.assign(this, { isOver: false, kind: null });
    this.adopt(body);
  }

  /** Shows a message above the cards; none if it is empty. */
  tell(text = '', more = null) {
    this.notice.hidden = !text;
    if (this.told !== text) {
      this.notice.replaceChildren(...text ? [element('p', text), more && row(more)].filter(Boolean) : []);
    }
    this.told = text;
  }

  adopt(state) {
    // The network that was set, to which the machine may connect only when its own is closed.
    this.state = state = { wifi: this.wifi, ...state };
    // Until it restarts, it still answers.
    if (this.restart === 'away') this.restart = null;
    if (!this.restart) this.tell(state.waiting ? texts.setupBusy : faultOf(state));
    const kind = state.is_set_up ? 'machine' : 'setup';
    if (this.kind !== kind) this.build(kind);
    for (const card of this.cards) card.show(state);
  }

  build(kind) {
    const { state } = this, isStep = kind === 'setup', hadFocus = this.body.contains(document.activeElement);
    this.body.dataset.kind = this.kind = kind;
    set(this.heading, isStep ? texts.setupTitle : texts.setupMachine);
    const restart = () => this.leave('restart', texts.setupAskRestart, texts.setupRestartHint, texts.setupRestart);
    const network = networkPart(
      state,
      () => this.perform({ do: 'scan' }, this.cards.find(({ part }) => part === network)),
    );
    this.parts = [
      isStep ? offerRestore(namePart(state), this) : namePart(state),
      network,
      sensorPart(state, restart),
      brokerPart(state),
    ];
    this.last = isStep ? finishPart(this) : null;
    const parts = isStep ? [...this.parts, calibrationPart(), this.last] : this.parts;
    const cards = parts.map((part) => new Card(this, part, isStep));
    const [first, ...rest] = isStep ? [] : machineCards(this, restart);
    this.cards = [first, ...cards, ...rest].filter(Boolean);
    const intro = isStep ? soft(texts.setupIntro) : null;
    this.body.replaceChildren(...[intro, ...this.cards.map(({ node }) => node)].filter(Boolean));
    if (isStep) cards[0].node.open = true;
    if (hadFocus) this.heading.focus({ preventScroll: true });
  }

  /** Opens the next card in place of one; its title has the focus, since a field would open a phone's keyboard. */
  openAfter(card) {
    const next = this.cards[this.cards.indexOf(card) + 1];
    card.node.open = false;
    next.node.open = true;
    next.title.focus({ preventScroll: true });
    next.node.scrollIntoView({ block: 'nearest' });
  }

  /** Sends a request; returns the answer, `null` without one. */
  async ask(content) {
    this.isSending = this.body.ariaBusy = true;
    this.sent += 1;
    const answer = await send(PATH, content);
    this.isSending = this.body.ariaBusy = false;
    return answer;
  }

  /** Shows in a card why something was refused, each fault at its field. */
  async refuse({ content, alert }, answer) {
    if (answer?.reason?.startsWith('token')) return;
    if (answer?.reason !== 'invalid') return set(alert, await reasonOf(answer));
    const rest = answer.faults.map(({ path, ...fault }) => ({ path, message: sentence(fault, 'message') }))
      .filter((fault) => !showFault(content, fault));
    set(alert, rest.map(({ path, message }) => path ? `${path}: ${message}` : message).join(' '));
    content.querySelector('[aria-invalid]')?.focus();
  }

  /** Sends a request from a card, one at a time; returns whether it was performed, after it has shown why not. */
  async perform(content, card) {
    if (this.isSending) return false;
    clearFaults(card.content);
    set(card.alert);
    const answer = await this.ask(content);
    if (answer?.ok) this.adopt(answer);
    else await this.refuse(card, answer);
    return Boolean(answer?.ok);
  }

  async save(card) {
    const { part } = card, missing = part.missing?.();
    if (missing) return this.refuse(card, { reason: 'invalid', faults: [missing] });
    const values = part.value(), { wifi } = this;
    this.wifi = values.wifi ?? wifi;
    if (!await this.perform({ do: 'set', set: values }, card)) return this.wifi = wifi;
    part.saved?.();
    card.node.dataset.state = 'done';
    if (!card.isStep) return toast(texts.settingsSaved);
    // A message would lie over the next button.
    announce(texts.settingsSaved);
    if (!part.hasMore?.()) this.openAfter(card);
  }

  /** Asks for something after which the machine restarts, so that the answer may be lost. */
  async leave(verb, question, detail, go, isRisky = false) {
    if (!await ask(question, '', detail, go, texts.pageCancel, isRisky)) return;
    const answer = await this.ask({ do: verb });
    if (answer?.reason?.startsWith('token')) return;
    if (answer && !answer.ok) return toast(await reasonOf(answer), true);
    // An update restarts it later, after what its card says.
    if (verb === 'update') return answer && this.adopt(answer);
    this.restarts();
  }

  /** Waits until the machine, which restarts, answers again. */
  restarts() {
    this.restart = 'asked';
    this.tell(texts.setupRestarting);
  }

  /** Ends the set-up. If this page is in the network of the scale, that closes, perhaps before the answer has arrived. */
  async finish() {
    const { state } = this, card = this.cards.at(-1), url = urlOf(state.hostname ?? 'grampad');
    if (this.isSending) return;
    set(card.alert);
    const answer = await this.ask({ do: 'finish' });
    if (answer && !answer.ok) return this.refuse(card, answer);
    if (!answer && (await call(PATH)).body?.is_set_up === false) return set(card.alert, texts.pageNoResponse);
    this.isOver = true;
    const own = state.network?.access_point, wifi = own && (state.network.wifi ?? state.wifi);
    this.tell();
    this.body.replaceChildren(element('section', [
      element('h3', texts.setupDone, { tabindex: -1 }),
      wifi ? element('p', say('setupJoin', { name: wifi })) : null,
      wifi ? soft(say('setupReturns', { name: wifi, own })) : null,
      element('p', [texts.setupFind, ' ', link(url, url)]),
      row(link('#/', texts.setupWeigh, 'main'), link('#/calibrate', texts.pageCalibrate)),
    ], { class: 'card', id: 'setup-done' }));
    this.body.querySelector('h3').focus();
  }
}

/** Builds the view. */
export const open = (section) => new Setup(section);
