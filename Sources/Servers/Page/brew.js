// Brewing: the timer, the net, the flow and how far the target is, with the curves of the brew.

import { BrewTargets } from './brew-targets.js';
import { BrewTimer } from './brew-timer.js';
import { announce, element, set } from './dom.js';
import { checkOf, clock, flowOf } from './display.js';
import { actionButton, perform, tareButton } from './forms.js';
import { FlowChart } from './flow-chart.js';
import { learnedCard } from './learned.js';
import { exact, mass, on, scale } from './scale.js';
import { say, texts } from './texts.js';
import { isShown } from './views.js';

const TICK = 100; // ms between two looks at the running timer
const BOUNCE = 500; // ms within which a second tap is that of a wet finger

/** What the big button does in each state of the timer: its command, its text and its name. */
const PRIMARY = {
  reset: ['start', texts.pageStart, texts.pageStartTimer],
  running: ['stop', texts.pageStop, texts.pageStopTimer],
  stopped: ['reset', texts.pageReset, texts.pageResetTimer],
};

class Brew {
  constructor(section) {
    this.heading = element('h2', texts.pageBrew, { tabindex: '-1', class: 'unseen' });
    this.values = Object.fromEntries(['timer', 'net', 'flow', 'target'].map((name) => [name, element('dd', '–')]));
    this.goal = element('dt', texts.pageTarget);
    this.share = element('div', null, { class: 'share' });
    const names = { timer: texts.pageTimer, net: texts.pageNet, flow: texts.pageFlow };
    const rows = Object.entries(this.values).map(([name, value]) =>
      element('div', [names[name] ? element('dt', names[name]) : this.goal, value], { class: name })
    );
    rows.at(-1).append(this.share);
    this.pour = element('dd', null, { class: 'pour', hidden: '' });
    rows[0].append(this.pour);
    this.timer = new BrewTimer(() => this.showTimer());
    this.targets = new BrewTargets();
    this.chart = new FlowChart(this.timer);
    this.primary = actionButton('', () => this.press(this.primary.dataset.timer), { class: 'main' });
    this.resume = actionButton(texts.pageContinue, () => this.press('start'), { hidden: '' });
    // Until the second reading it is not known whether a timer that is in use runs.
    this.tapped = scale.reading?.timer_s === undefined ? -Infinity : performance.now() + 1500;
    section.append(
      this.heading,
      element('section', [
        element('dl', rows, { class: 'brewing' }),
        this.chart.node,
        this.targets.node,
        element('p', [tareButton(), this.resume, this.primary], { class: 'row bar' }),
      ], { class: 'card', id: 'brewing' }),
      learnedCard,
    );
    on('live', (r) => this.update(r));
    on('hello', () => scale.reading && this.update(scale.reading));
    setInterval(() => isShown('brew') && this.timer.state !== 'reset' && this.showTime(), TICK);
    this.showTimer();
    if (scale.reading) this.update(scale.reading);
  }

  async press(command) {
    if (performance.now() - this.tapped < BOUNCE) return;
    this.tapped = performance.now();
    if (!await perform('timer', { do: command })) return;
    const time = clock(this.timer.seconds);
    // The result is seen in the view; a message would cover it.
    announce(
      command === 'reset'
        ? texts.pageTimerReset
        : say(command === 'start' ? 'pageTimerStarted' : 'pageTimerStopped', { time }),
    );
  }

  showTimer() {
    const [command, text, name] = PRIMARY[this.timer.state], { primary, resume } = this;
    set(primary, text);
    primary.dataset.timer = command;
    primary.ariaLabel = name;
    if (document.activeElement === resume && this.timer.state !== 'stopped') primary.focus();
    resume.hidden = this.timer.state !== 'stopped';
    this.values.timer.dataset.state = this.timer.state;
    this.showTime();
  }

  showTime() {
    const { seconds, pours, pourSeconds, pauseSeconds } = this.timer;
    set(this.values.timer, clock(seconds));
    this.pour.hidden = !pours;
    const last = pourSeconds !== null
      ? clock(pourSeconds)
      : pauseSeconds !== null && say('pagePaused', { time: clock(pauseSeconds) });
    set(this.pour, [say('pagePour', { number: pours }), last].filter(Boolean).join(' · '));
  }

  update(r) {
    const { values } = this, { net_g: net, target } = r;
    this.timer.follow(r);
    this.showTime();
    values.net.parentElement.parentElement.style.setProperty('--chars', mass(scale.hello.capacity_g).length);
    set(values.net, net === null ? r.printable : mass(net));
    set(values.flow, flowOf(r));
    set(this.goal, target ? `${texts.pageTarget} ${exact(target.target_g)}` : texts.pageTarget);
    set(values.target, target ? checkOf(target) : '–');
    values.target.parentElement.dataset.check = target?.check ?? '';
    this.share.hidden = !target;
    this.share.style.setProperty('--share', target ? Math.max(0, Math.min((net ?? 0) / target.target_g, 1)) : 0);
    this.targets.update(target);
    this.chart.add(performance.now(), r);
  }

  show() {
    this.heading.focus({ preventScroll: true });
    this.chart.draw();
  }
}

export const open = (section) => new Brew(section);
