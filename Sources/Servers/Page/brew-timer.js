// The timer of the scale as a brewer reads it: whether it runs, and its time between two readings.

import { on } from './scale.js';

const RUN = .9; // s by which the time of a timer that seemed stopped must grow until it counts as running
const LATE = 500; // ms that a reading may be late

/**
 * The timer, which is `reset`, `running` or `stopped`. Events tell the state; a reading has only the time, whose growth
 * tells it where no event was heard.
 */
export class BrewTimer {
  /** `change` is called when the state has changed. */
  constructor(change) {
    /** When the timer was at 0 and when it was stopped, in ms of `performance.now()`; `null` if that is not known. */
    Object.assign(this, { change, state: 'reset', time: 0, zero: null, end: null });
    on('event', ({ type, timer_s: time }, isOld) => {
      const now = performance.now();
      if (isOld || type !== 'timer_started' && type !== 'timer_stopped') return;
      this.time = time;
      this.zero = now - time * 1e3;
      this.become(type === 'timer_started' ? 'running' : 'stopped', now);
    });
  }

  /** The time on the timer in s. */
  get seconds() {
    return this.state === 'running' ? Math.max(this.time, (performance.now() - this.zero) / 1e3) : this.time;
  }

  follow({ timer_s: time }) {
    if (time === undefined) {
      Object.assign(this, { time: 0, zero: null });
      return this.become('reset');
    }
    // A running timer is in a reading each second.
    if (this.state === 'reset') {
      this.time = time;
      return this.become('stopped');
    }
    if (this.state === 'stopped' && time - this.time < RUN) return;
    this.time = time;
    // The earliest start applies, so that the time never steps back because a reading was late.
    const zero = performance.now() - time * 1e3;
    this.zero = Math.abs(zero - (this.zero ?? 0)) > LATE ? zero : Math.min(zero, this.zero);
    this.become('running');
  }

  become(state, end = null) {
    this.end = end;
    if (this.state === state) return;
    this.state = state;
    this.change();
  }
}
