// A finger on the simulated pad: its place and its force, by the pointer where that measures it, by keys, or by time.

import { ARROWS, clamp } from './drag.js';
import { FULL_FORCE } from './force.js';
import { scale } from './scale.js';

const RISE = 900; // ms in which a finger without a force sensor presses in full
const MOST = 1.15; // of the force that is full on the pad
const STEP = 0.05; // of the pad, for an arrow key

/** The place that an arrow key moves a place to, with Shift in small steps; `null` for another key. */
export function moved(event, { x, y }) {
  const by = ARROWS[event.key], step = event.shiftKey ? STEP / 5 : STEP;
  return by ? { x: clamp(x + by[0] * step), y: clamp(y + by[1] * step) } : null;
}

export class Finger {
  /** `change` is called whenever the finger has changed, and all the time while it presses. */
  constructor(change) {
    Object.assign(this, { change, isDown: false, isLatched: false, x: 0.5, y: 0.5, start: 0, since: 0, set: null });
  }

  /** The force as a fraction of a full press; more than 1 is possible. */
  get force() {
    return (this.set ?? Math.min((performance.now() - this.since) / RISE, 1)) * MOST;
  }

  /** Presses at a place, both as fractions of the pad. */
  press(place, pressure = 0) {
    Object.assign(this, place, { isDown: true, isLatched: false, start: place.y, since: performance.now(), set: null });
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
    if (![0, 0.5, 1].includes(pressure)) this.set = pressure / FULL_FORCE;
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

  /**
   * Makes an element press by keys: Space while it is held, Enter until the next Enter; then Up and Down slide, a digit
   * sets the force, and Escape cancels. `place` is where it presses, `isReady` whether it can, `idle` gets other keys.
   */
  listen(node, { place, isReady, idle = () => false }) {
    node.addEventListener('keydown', (event) => {
      if (this.isDown ? this.pressedKey(event) : this.begin(event, place, isReady) || idle(event)) {
        event.preventDefault();
      }
    });
    node.addEventListener('keyup', (event) => {
      if (event.key !== ' ' && event.key !== 'Enter') return;
      event.preventDefault();
      if (event.key === ' ' && !this.isLatched) this.lift();
    });
    node.addEventListener('blur', () => this.cancel());
  }

  begin(event, place, isReady) {
    if (event.key !== ' ' && event.key !== 'Enter') return false;
    if (event.repeat || !isReady()) return true;
    this.press(place());
    this.isLatched = event.key === 'Enter';
    return true;
  }

  pressedKey(event) {
    const { key, repeat } = event, slide = scale.hello.slide * 1.2;
    if (key === 'Escape') this.cancel();
    else if (key === 'Enter' && this.isLatched && !repeat) this.lift();
    else if (key === 'ArrowUp') this.moveTo({ y: clamp(this.start - slide) });
    else if (key === 'ArrowDown') this.moveTo({ y: this.start });
    else if (key === 'ArrowLeft' || key === 'ArrowRight') this.moveTo(moved(event, this));
    else if (/^\d$/.test(key)) this.set = (Number(key) || 10) / 10;
    else return key === ' ' || key === 'Enter';
    return true;
  }
}
