// The timer of the scale as a brewer reads it: whether it runs, and its time between two readings.

import { on, scale } from './scale.js';

const RUN = .9; // s by which the time of a timer that seemed stopped must grow until it counts as running
const LATE = 500; // ms that a reading may be late
const PROMPT = 1000; // ms within which a stop is that of a user or a lifted vessel: the end of a pour is known seconds later

/**
 * The timer, which is `reset`, `running` or `stopped`. Events tell the state; a reading has only the time, whose growth
 * tells it where no event was heard. While it follows pours, `pours` is their number.
 */
export class BrewTimer {
  /** `change` is called when the state has changed. */
  constructor(change) {
    /**
     * When the timer was at 0 and when it was stopped, in ms of `performance.now()`; the time at the last stop and at the start of the
     * pour, in s on the timer. `null` if it is not known.
     */
    Object.assign(this, {
      change,
      state: 'reset',
      time: 0,
      zero: null,
      end: null,
      pours: 0,
      stop: null,
      pour: null,
      isPaused: false,
    });
    on('event', (event, isOld) => {
      if (isOld) return;
      if (event.type === 'timer_started') this.start(event);
      else if (event.type === 'timer_stopped') this.halt(event);
      else if (event.type === 'tared') this.isPaused = false;
    });
  }

  start({ timer_s: time, pours, pause_s: pause }) {
    const now = performance.now();
    this.pour = pours === undefined ? null : pause === undefined ? 0 : this.stop === null ? null : this.stop + pause;
    this.time = time;
    this.zero = now - time * 1e3;
    this.become('running');
  }

  halt({ timer_s: time, pours }) {
    const now = performance.now();
    this.time = this.stop = time;
    // The end of a pour was seconds ago.
    if (!time) this.zero = now;
    this.zero ??= now - time * 1e3;
    const end = Math.min(this.zero + time * 1e3, now);
    this.become('stopped', end, pours > 0 && now - end > PROMPT);
  }

  /** The time on the timer in s. */
  get seconds() {
    return this.state === 'running' ? Math.max(this.time, (performance.now() - this.zero) / 1e3) : this.time;
  }

  /** How long the present pour lasts in s; `null` between pours and if that is not known. */
  get pourSeconds() {
    return this.state === 'running' && this.pour !== null ? this.seconds - this.pour : null;
  }

  /** How long the pause after a pour lasts in s, while another one continues the brew; otherwise `null`. */
  get pauseSeconds() {
    const seconds = (performance.now() - this.end) / 1e3;
    return this.isPaused && seconds <= scale.hello.pause_s ? seconds : null;
  }

  follow({ timer_s: time, pours = 0, state }) {
    this.pours = pours;
    if (state === 'empty' || state === 'offline') this.isPaused = false;
    if (time === undefined) {
      Object.assign(this, { time: 0, zero: null, stop: null });
      return this.become('reset');
    }
    // A running timer is in a reading each second.
    if (this.state === 'reset') {
      this.time = this.stop = time;
      return this.become('stopped');
    }
    if (this.state === 'stopped' && time - this.time < RUN) return;
    this.time = time;
    // The earliest start applies, so that the time never steps back because a reading was late.
    const zero = performance.now() - time * 1e3;
    this.zero = Math.abs(zero - (this.zero ?? 0)) > LATE ? zero : Math.min(zero, this.zero);
    this.become('running');
  }

  become(state, end = null, isPaused = false) {
    Object.assign(this, { end, isPaused });
    if (this.state === state) return;
    if (state !== 'running') this.pour = null;
    this.state = state;
    this.change();
  }
}
