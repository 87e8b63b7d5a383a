// Buttons that must be held until they are full and act on release. They work with a pointer, with force if the pointer
// reports it, and with Enter and Space. Leaving the button, Escape and losing window focus cancel.

const DWELL = 400; // ms of full force that confirm, as on the pad (confirm.dwell_ms)
const FULL_FORCE = 0.8; // of the maximum the pointer can report; more is uncomfortable

export class HoldButton {
  /// onShort: released too early. onRefuse: pressed while aria-disabled. onAsk: clicked by a device that cannot hold.
  constructor(button, { time, onProgress, onFire, onAsk, onShort, onRefuse }) {
    Object.assign(this, { button, time, onProgress, onFire, onAsk, onShort, onRefuse });
    this.since = null;
    const on = (name, f) => button.addEventListener(name, f.bind(this));
    on('pointerdown', this.down);
    on('pointermove', this.move);
    on('pointerup', e => { if (e.pointerId === this.pointer) this.end(this.isInside(e)); });
    on('pointercancel', () => this.end(false));
    on('contextmenu', e => e.preventDefault());
    on('blur', () => this.end(false));
    on('keydown', this.keyDown);
    on('keyup', e => { if (e.key === this.key) { e.preventDefault(); this.end(true); } });
    // A click without a pointer or a key comes from a screen reader or a switch device, which cannot hold.
    on('click', e => {
      if (e.detail !== 0 || this.since !== null || performance.now() - (this.ended ?? -1e9) <= 500) return;
      if (this.isDisabled) this.onRefuse(); else this.onAsk();
    });
    window.addEventListener('blur', () => this.end(false));
  }

  get isDisabled() { return this.button.getAttribute('aria-disabled') === 'true'; }

  down(event) {
    if (event.button !== 0 || !event.isPrimary || this.since !== null) return;
    if (!this.begin()) return;
    this.button.setPointerCapture(event.pointerId);
    this.pointer = event.pointerId;
    this.move(event);
  }

  move(event) {
    if (event.pointerId !== this.pointer || this.since === null) return;
    if (!this.isInside(event)) return this.end(false);
    // A pointer that cannot measure force always reports 0.5, 0 or 1 (Pointer Events 3, 4.1).
    if (![0, 0.5, 1].includes(event.pressure)) this.tellsForce = true;
    this.force = this.tellsForce ? Math.min(event.pressure / FULL_FORCE, 1) : 0;
    if (this.force < 1) this.fullSince = null; else this.fullSince ??= performance.now();
  }

  keyDown(event) {
    if (event.key === 'Escape') return this.end(false);
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (event.repeat || this.since !== null) return;
    if (this.begin()) this.key = event.key;
  }

  begin() {
    if (this.isDisabled) {
      this.ended = performance.now();
      this.onRefuse();
      return false;
    }
    this.since = performance.now();
    this.force = 0;
    this.fullSince = null;
    this.isFull = false;
    const step = () => {
      if (this.since === null) return;
      // The action may have become unavailable while the button is held.
      if (this.isDisabled) { this.end(false); return this.onRefuse(); }
      this.show();
      requestAnimationFrame(step);
    };
    step();
    return true;
  }

  show() {
    const now = performance.now();
    const byTime = Math.min((now - this.since) / this.time(), 1);
    const byForce = this.fullSince !== null && now - this.fullSince >= DWELL ? 1 : Math.min(this.force, 0.99);
    const filled = this.isFull ? 1 : Math.max(byTime, byForce);
    this.isFull = filled >= 1;
    this.button.dataset.press = this.isFull ? 'full' : 'some';
    this.button.style.setProperty('--fill', filled);
    this.onProgress(filled, this.isFull);
  }

  end(isReleased) {
    if (this.since === null) return;
    this.show();
    this.since = this.key = this.pointer = null;
    this.ended = performance.now();
    delete this.button.dataset.press;
    this.button.style.setProperty('--fill', 0);
    this.onProgress(null, false);
    if (!isReleased) return;
    if (this.isFull) this.onFire(); else this.onShort();
  }

  isInside(event) {
    const box = this.button.getBoundingClientRect();
    return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
  }
}
