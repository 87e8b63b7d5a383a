// Presses by force or time, with the thresholds of the pad. Pens, some touch screens and Safari's trackpads measure force;
// for any other pointer and for keys the intention grows with time, as for a button of the scale.

export const PREVIEW = 0.25; // intention that previews
export const MINIMUM = 200; // ms; a shorter press is a tap
export const FULL_FORCE = 0.8; // of the maximum the pointer can report; more is uncomfortable

// Many touch screens derive a pressure from the size of the contact. Only fingers that have been light and hard are measured.
const [LIGHT, HARD] = [0.25, 0.7];
let [lightest, hardest] = [1, 0];

const limit = (x) => Math.min(Math.max(x, 0), 1);

/**
 * Follows one press of a pointer on an element. A second pointer, Escape and losing the window's focus cancel it.
 *
 * `full()` is the time in ms after which a press without force is full. `onBegin` gets the event and returns whether the
 * press is of interest, `onMove` is called for each frame, `onEnd` gets whether the pointer was released. `signal` ends it all.
 */
export class Press {
  constructor(node, { full, onBegin, onMove, onEnd, signal }) {
    Object.assign(this, { node, full, onBegin, onMove, onEnd, since: null });
    node.addEventListener('pointerdown', (e) => {
      if (e.button === 0 && e.isPrimary && this.since === null) this.begin(e);
    });
    // A force trackpad in Safari tells its force outside the pointer events: 1 is a click, 2 is a force click.
    node.addEventListener('webkitmouseforcewillbegin', (e) => e.preventDefault());
    node.addEventListener(
      'webkitmouseforcechanged',
      (e) => this.measure(limit(e.webkitForce - 1), e.webkitForce === 1),
    );
    node.addEventListener('contextmenu', (e) => {
      if (this.since !== null) e.preventDefault();
    });
    // Keeps the browser from scrolling or clicking with a press that has done something.
    node.addEventListener('touchmove', (e) => {
      if (this.isUsed && this.since !== null) e.preventDefault();
    }, { passive: false });
    node.addEventListener('click', (e) => {
      if (!this.isUsed || performance.now() - this.ended > 500 || e.detail === 0) return;
      e.preventDefault();
      e.stopImmediatePropagation();
    }, true);
    const on = (name, f) =>
      window.addEventListener(name, (e) => {
        if (this.since !== null) f(e);
      }, { capture: true, signal });
    on('pointerdown', (e) => {
      if (e.pointerId !== this.pointer) this.end(false);
    });
    on('pointermove', (e) => this.move(e));
    window.addEventListener('pointerup', (e) => {
      if (e.pointerId !== this.pointer) return;
      // The release of a press that was cancelled is not a click either.
      if (this.since === null) this.ended = performance.now();
      else {
        this.move(e);
        this.end(true);
      }
      this.pointer = null;
    }, { capture: true, signal });
    on('pointercancel', (e) => {
      if (e.pointerId === this.pointer) this.end(false);
    });
    on('keydown', (e) => {
      if (e.key === 'Escape') this.end(false);
    });
    window.addEventListener('blur', () => this.end(false), { signal });
    signal?.addEventListener('abort', () => this.end(false));
  }

  get elapsed() {
    return performance.now() - this.since;
  }

  /** 0...1: the force if the pointer measures it, otherwise by time. */
  get intention() {
    return this.force ?? limit(this.elapsed / this.full());
  }

  /** Begins a press by a pointer, or by a key without an event. */
  begin(event) {
    if (this.since !== null) return;
    this.isUsed = false;
    if (!this.onBegin(event)) return;
    Object.assign(this, {
      since: performance.now(),
      pointer: event?.pointerId,
      force: null,
      first: null,
      dx: 0,
      dy: 0,
    });
    if (event) this.at = [event.clientX, event.clientY];
    if (event) this.move(event);
    const step = () => {
      if (this.since === null) return;
      this.onMove(this);
      requestAnimationFrame(step);
    };
    step();
  }

  move(event) {
    if (event.pointerId !== this.pointer) return;
    this.event = event;
    [this.dx, this.dy] = [event.clientX - this.at[0], event.clientY - this.at[1]];
    const { buttons, pressure, pointerType } = event, force = limit(pressure / FULL_FORCE);
    if (!buttons) return;
    // A pointer without a sensor reports 0.5 (Pointer Events 3, 4.1).
    if (pointerType !== 'touch') return this.measure(force, pressure === .5 || pressure === 1);
    [lightest, hardest] = [Math.min(lightest, pressure), Math.max(hardest, pressure)];
    if (lightest <= LIGHT && hardest >= HARD) this.force = force;
  }

  /** A value is a force only after it has changed: a pen without a sensor reports a constant. */
  measure(force, isDefault) {
    if (this.since === null) return;
    this.first ??= force;
    if (this.force !== null || (force !== this.first && !isDefault)) this.force = force;
  }

  end(isReleased) {
    if (this.since === null) return;
    if (isReleased) this.onMove(this);
    // The last frame may have ended it.
    if (this.since === null) return;
    this.ended = performance.now();
    this.since = null;
    this.onEnd(isReleased, this);
  }
}

/**
 * A button that must be pressed until it is full and acts on release: by force above the threshold for the dwell time, by time, or
 * with Enter and Space. Leaving it cancels.
 *
 * `timing()` returns `hold_ms`, `threshold` and `dwell_ms`. `onProgress` gets the intention and the state as on the pad, `null` at
 * the end; `onShort` is called for a release that was too early, `onRefuse` for a press while aria-disabled, `onAsk` for a click by
 * a device that cannot hold.
 */
export class HoldButton {
  constructor(button, { timing, onProgress, onFire, onAsk, onShort, onRefuse, signal }) {
    Object.assign(this, { button, timing, onProgress, onRefuse });
    const press = this.press = new Press(button, {
      signal,
      full: () => timing().hold_ms,
      onBegin: () => {
        if (!this.isDisabled) return !(this.fullSince = this.isFull = null);
        press.ended = performance.now();
        onRefuse();
      },
      onMove: (p) => this.show(p),
      onEnd: (isReleased) => {
        delete button.dataset.press;
        button.style.setProperty('--fill', 0);
        onProgress(null);
        if (isReleased) this.isFull ? onFire() : onShort();
      },
    });
    let held = null;
    button.addEventListener('contextmenu', (e) => e.preventDefault());
    button.addEventListener('blur', () => press.end(false));
    button.addEventListener('keydown', (e) => {
      if (e.key !== 'Enter' && e.key !== ' ') return;
      e.preventDefault();
      if (!e.repeat && press.since === null) {
        held = e.key;
        press.begin();
      }
    });
    button.addEventListener('keyup', (e) => {
      if (e.key === held) {
        e.preventDefault();
        held = null;
        press.end(true);
      }
    });
    // A click without a pointer or a key comes from a screen reader or a switch device, which cannot hold.
    button.addEventListener('click', (e) => {
      if (e.detail !== 0 || press.since !== null || performance.now() - (press.ended ?? -1e9) <= 500) return;
      if (this.isDisabled) onRefuse();
      else onAsk();
    });
  }

  get isDisabled() {
    return this.button.getAttribute('aria-disabled') === 'true';
  }

  show(press) {
    const box = this.button.getBoundingClientRect(), e = press.pointer === undefined ? null : press.event;
    // The action may have become unavailable while the button is held.
    if (this.isDisabled) {
      press.end(false);
      return this.onRefuse();
    }
    if (e && (e.clientX < box.left || e.clientX > box.right || e.clientY < box.top || e.clientY > box.bottom)) {
      return press.end(false);
    }
    const { threshold, dwell_ms } = this.timing(), now = performance.now();
    const isSelected = press.force !== null && press.force >= threshold;
    this.fullSince = isSelected ? this.fullSince ?? now : null;
    this.isFull ||= press.force === null ? press.intention >= 1 : isSelected && now - this.fullSince >= dwell_ms;
    const filled = this.isFull || isSelected ? 1 : press.intention;
    this.button.dataset.press = this.isFull ? 'full' : 'some';
    this.button.style.setProperty('--fill', filled);
    this.onProgress(filled, this.isFull ? 'confirmed' : isSelected ? 'selected' : 'updating');
  }
}
