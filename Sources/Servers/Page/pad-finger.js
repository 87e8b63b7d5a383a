// A finger on the simulated pad: its place and its force, by the pointer where that measures force, otherwise by time.

import { FULL_FORCE } from './force.js';

const RISE = 900; // ms in which a finger without a force sensor presses in full
const MOST = 1.15; // of the force that is full on the pad

export class Finger {
  /** `change` is called whenever the finger has changed, and all the time while it presses. */
  constructor(change) {
    Object.assign(this, { change, isDown: false, x: 0, y: 0, start: 0, since: 0, measured: null });
  }

  /** The force as a fraction of a full press; more than 1 is possible. */
  get force() { return (this.measured ?? Math.min((performance.now() - this.since) / RISE, 1)) * MOST; }

  /** Presses at a place, both as fractions of the pad. */
  press(place, pressure = 0) {
    Object.assign(this, place, { isDown: true, start: place.y, since: performance.now(), measured: null });
    this.measure(pressure);
    const step = () => {
      if (!this.isDown) return;
      this.change();
      setTimeout(step, 33);
    };
    step();
  }

  moveTo(place, pressure = 0) {
    if (!this.isDown) return;
    Object.assign(this, place);
    this.measure(pressure);
  }

  /** Takes the force of a pointer that measures it; all others report 0, 0.5 or 1 (Pointer Events 3, 4.1). */
  measure(pressure) {
    if (![0, 0.5, 1].includes(pressure)) this.measured = pressure / FULL_FORCE;
  }

  lift() {
    if (!this.isDown) return;
    this.isDown = false;
    this.change();
  }

  /** Slides back before it lifts, so that nothing is confirmed. */
  cancel() {
    if (!this.isDown) return;
    this.y = this.start;
    setTimeout(() => this.lift(), 150);
  }
}
