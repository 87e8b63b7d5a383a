// The simulated pad of `grampad demo`: masses that are put on it, stacked, dragged and lifted, and a finger that presses.
// Loaded only where the scale has such a pad. The whole state is sent with each change.

import { Finger } from './pad-finger.js';

const MASSES = [5, 10, 20, 50, 100, 200];
const MOST = 16; // stacks that the pad tells apart
const HEAVIEST = 5000; // g of a stack
const RADIUS = 0.09; // within which a mass is put onto another, as a fraction of the pad's width
const GAP = 0.02; // next to a zone
const RATIO = 0.65; // height of the pad to its width: 100 mm by 65 mm

const make = (tag, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
};
const sumOf = stack => stack.masses.reduce((a, b) => a + b, 0);
const clamp = value => Math.min(Math.max(value, 0), 1);

export class SimulatedPad {
  /** `page` provides `hello`, `toast` and `title`. */
  constructor(section, page) {
    this.page = page;
    this.stacks = []; // { id, masses, x, y, node }
    this.finger = new Finger(() => this.change({}));
    this.drag = null;
    this.state = { scripted: true, plugged: true, noise_g: 0 };
    this.nextId = 1;
    this.build(section);
    addEventListener('blur', () => this.finger.cancel());
  }

  build(section) {
    this.plug = make('button', { type: 'button', onclick: () => this.change({ plugged: !this.state.plugged }) });
    this.noise = make('button', { type: 'button', textContent: '«padNoise»', onclick: () => this.change({ noise_g: this.state.noise_g ? 0 : 1 }) });
    this.clear = make('button', { type: 'button', textContent: '«padClear»', onclick: () => { this.stacks = []; this.change({}); } });
    this.script = make('button', { type: 'button', textContent: '«padScript»', onclick: () => this.resume() });
    const any = make('input', { type: 'number', name: 'mass', min: 0.1, max: HEAVIEST, step: 'any', required: true });
    const form = make('form', { className: 'row', onsubmit: event => { event.preventDefault(); this.put(Number(any.value)); form.reset(); } },
      make('label', {}, '«padOtherMass»', any), make('button', { textContent: '«padPutOn»' }));
    this.tray = make('p', { className: 'row tray' }, ...MASSES.map(mass => this.tool(mass)));
    this.tray.setAttribute('role', 'group');
    this.tray.setAttribute('aria-label', '«padMasses»');
    this.area = make('div', { id: 'pad' });
    this.area.setAttribute('role', 'group');
    this.area.setAttribute('aria-label', '«pagePad»');
    this.dot = make('span', { className: 'finger', hidden: true });
    this.hint = make('p', { className: 'soft' });
    section.replaceChildren(
      make('div', { className: 'head' }, make('h2', { textContent: '«pageSimulatedPad»' }), make('span', { className: 'row' }, this.noise, this.plug, this.clear, this.script)),
      this.hint, this.tray, this.area, form);
    this.area.addEventListener('pointerdown', event => this.touch(event));
    this.introduce();
    this.show();
  }

  /** A mass in the tray: a click puts it on the pad, dragging puts it where it is dropped. */
  tool(mass) {
    const button = make('button', { type: 'button', textContent: `${mass} g` });
    button.setAttribute('aria-label', `«padPutOnMass mass=${mass}»`);
    button.addEventListener('click', event => { if (!button.dragged) this.put(mass); button.dragged = false; event.preventDefault(); });
    button.addEventListener('pointerdown', event => {
      if (event.button !== 0 || this.drag) return;
      button.dragged = false;
      const start = [event.clientX, event.clientY];
      const stack = { id: this.nextId, masses: [mass], x: 0, y: 0 };
      this.follow(event, button, {
        move: e => {
          if (!button.dragged && Math.hypot(e.clientX - start[0], e.clientY - start[1]) < 8) return;
          if (!button.dragged) { button.dragged = true; this.nextId += 1; this.drag = stack; }
          this.carry(stack, e);
        },
        end: e => { if (button.dragged) this.drop(stack, e); },
      });
    });
    return button;
  }

  /** Draws the zones of the pad, each of which can also be pressed with the keyboard. */
  introduce() {
    const { zones = [] } = this.page.hello();
    const content = JSON.stringify(zones.map(zone => [zone, this.page.title(zone.action)]));
    if (content === this.content) return;
    this.content = content;
    this.area.replaceChildren(this.dot, ...zones.map(zone => {
      const name = zone.control ?? this.page.title(zone.action);
      const node = make('button', { type: 'button', className: 'zone' }, make('span', { textContent: name }));
      node.setAttribute('aria-label', `«padPressZone zone=${name}»`);
      Object.assign(node.style, { left: `${zone.x[0] * 100}%`, width: `${(zone.x[1] - zone.x[0]) * 100}%`, top: `${zone.y[0] * 100}%`, height: `${(zone.y[1] - zone.y[0]) * 100}%` });
      node.addEventListener('keydown', event => this.pressKey(event, zone));
      node.addEventListener('keyup', event => { if (event.key === ' ' || event.key === 'Enter') { event.preventDefault(); this.finger.lift(); } });
      node.addEventListener('blur', () => this.finger.cancel());
      return node;
    }));
    for (const stack of this.stacks) if (stack.node) this.area.append(stack.node);
    this.hint.textContent = zones.length
      ? '«padZoneHint»'
      : '«padPressHint»';
  }

  // ---- Masses.

  /** Puts a mass near the middle, next to what is there, or on top if the pad is full. */
  put(mass) {
    const places = [0.5, 0.3, 0.7].flatMap(x => [0.5, 0.2, 0.8].map(y => ({ x, y })));
    const place = places.find(p => !this.near(p)) ?? places[0];
    this.add({ id: this.nextId++, masses: [mass], ...place });
  }

  /** Puts a stack on the pad, or onto another one: one that it touches, or the nearest if there are too many. */
  add(stack) {
    Object.assign(stack, this.outsideZones(stack));
    const base = this.near(stack, this.isFull ? Infinity : RADIUS);
    if (base && sumOf(base) + sumOf(stack) > HEAVIEST) {
      // It was on the pad while it was dragged.
      this.change({});
      return this.page.toast('«padTooHeavy»', true);
    }
    if (base) base.masses.push(...stack.masses); else this.stacks.push(stack);
    this.change({});
    (base ?? stack).node.focus({ preventScroll: true });
  }

  get isFull() { return this.stacks.length >= MOST; }

  /** The nearest stack within a distance. */
  near(place, distance = RADIUS, except = null) {
    const away = s => Math.hypot(s.x - place.x, (s.y - place.y) * RATIO);
    return this.stacks.filter(s => s !== except && away(s) < distance).sort((a, b) => away(a) - away(b))[0];
  }

  zoneAt({ x, y }) { return (this.page.hello().zones ?? []).find(z => x >= z.x[0] && x <= z.x[1] && y >= z.y[0] && y <= z.y[1]); }

  /** The place next to a zone for one in it: a mass there would press the zone and not weigh. */
  outsideZones({ x, y }) {
    const zone = this.zoneAt({ x, y });
    if (!zone) return { x, y };
    const places = [{ x: zone.x[0] - GAP, y }, { x: zone.x[1] + GAP, y }, { x, y: zone.y[0] - GAP }, { x, y: zone.y[1] + GAP }];
    const inside = places.filter(p => p.x === clamp(p.x) && p.y === clamp(p.y));
    return inside.sort((a, b) => Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y))[0] ?? { x, y };
  }

  /** Takes the top mass of a stack, or the stack itself if it is the last one. */
  takeTop(stack) {
    if (stack.masses.length === 1) return stack;
    return { id: this.nextId++, masses: [stack.masses.pop()], x: stack.x, y: stack.y };
  }

  grab(event, stack) {
    if (event.button !== 0 || this.drag) return;
    event.stopPropagation();
    event.preventDefault();
    const start = [event.clientX, event.clientY];
    let taken = null;
    this.follow(event, this.area, {
      move: e => {
        if (!taken && Math.hypot(e.clientX - start[0], e.clientY - start[1]) < 6) return;
        taken ??= this.drag = this.takeTop(stack);
        this.carry(taken, e);
      },
      end: e => { if (taken) this.drop(taken, e); else stack.node.focus({ preventScroll: true }); },
    });
  }

  /** Moves a mass with the pointer; it rests on the pad only while it is above it, and not above a zone: what touches there first remains a press. */
  carry(stack, event) {
    const place = this.place(event);
    const isOn = place !== null && !this.zoneAt(place);
    if (place) Object.assign(stack, place);
    const isListed = this.stacks.includes(stack);
    if (isOn && !isListed && !this.isFull) this.stacks.push(stack);
    if (!isOn && isListed) this.stacks = this.stacks.filter(s => s !== stack);
    this.change({});
  }

  drop(stack, event) {
    this.carry(stack, event);
    this.drag = null;
    if (!this.place(event)) return;
    this.stacks = this.stacks.filter(s => s !== stack);
    this.add(stack);
  }

  moveKey(event, stack) {
    const step = event.shiftKey ? 0.01 : 0.05;
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (by) {
      Object.assign(stack, this.outsideZones({ x: clamp(stack.x + by[0]), y: clamp(stack.y + by[1]) }));
      this.change({});
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      stack.masses.pop();
      if (!stack.masses.length) this.stacks = this.stacks.filter(s => s !== stack);
      this.change({});
      (this.stacks.includes(stack) ? stack.node : this.tray.firstChild).focus();
    } else if (event.key === 'Enter') {
      const base = this.near(stack, RADIUS, stack);
      if (base) { this.stacks = this.stacks.filter(s => s !== stack); this.add(stack); }
    } else return;
    event.preventDefault();
  }

  // ---- The finger.

  touch(event) {
    const { finger } = this;
    if (event.button !== 0 || finger.isDown || this.drag || !this.state.plugged) return;
    const place = this.place(event);
    if (!place) return;
    event.preventDefault();
    finger.press(place, event.pressure);
    this.follow(event, this.area, {
      move: e => finger.moveTo(this.place(e, true), e.pressure),
      end: e => { if (e.type === 'pointerup') finger.lift(); else finger.cancel(); },
    });
  }

  pressKey(event, zone) {
    const { finger } = this;
    if (event.key === 'Escape') return finger.cancel();
    if (event.key === 'ArrowUp' && finger.isDown) {
      finger.moveTo({ y: clamp(finger.start - this.page.hello().slide * 1.2) });
    } else if (event.key === 'ArrowDown' && finger.isDown) {
      finger.moveTo({ y: finger.start });
    } else if ((event.key === ' ' || event.key === 'Enter')) {
      if (!event.repeat && !finger.isDown && this.state.plugged) finger.press({ x: (zone.x[0] + zone.x[1]) / 2, y: zone.y[0] + (zone.y[1] - zone.y[0]) * 0.75 });
    } else return;
    event.preventDefault();
  }

  // ---- Pointer and state.

  /** The place of a pointer on the pad; `null` outside. */
  place(event, isClamped = false) {
    const box = this.area.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    const isInside = x >= 0 && x <= 1 && y >= 0 && y <= 1;
    return isInside || isClamped ? { x: clamp(x), y: clamp(y) } : null;
  }

  /** Follows a pointer until it is released. */
  follow(event, node, { move, end }) {
    node.setPointerCapture(event.pointerId);
    const ends = new AbortController();
    const on = (name, perform) => node.addEventListener(name, e => { if (e.pointerId === event.pointerId) perform(e); }, ends);
    on('pointermove', move);
    for (const name of ['pointerup', 'pointercancel']) on(name, e => { ends.abort(); this.drag = null; end(e); });
  }

  change(state) {
    this.state = { ...this.state, scripted: false, ...state };
    this.show();
    const { plugged, noise_g } = this.state;
    const loads = this.stacks.map(({ id, masses, x, y }) => ({ id, mass_g: sumOf({ masses }), x, y }));
    const { isDown, force, x, y } = this.finger;
    const finger = isDown ? { force_g: force * this.page.hello().full_g, x, y } : null;
    this.post({ plugged, noise_g, loads, finger });
  }

  /** Returns the pad to its script. What the scale tells about that may arrive before its answer, and would not be adopted. */
  resume() {
    this.state = { scripted: true, plugged: true, noise_g: 0 };
    this.stacks = [];
    this.show();
    this.post({ scripted: true });
  }

  /** Sends the newest state; while a request is on its way, only the last of several changes waits. */
  async post(body) {
    this.waiting = body;
    if (this.isSending) return;
    this.isSending = true;
    while (this.waiting) {
      const next = this.waiting;
      this.waiting = null;
      try {
        const answer = await fetch('api/pad', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(next) });
        if (!answer.ok) this.page.toast(`«pageUnavailable reason=${{ 400: '«pageBadValue»', 401: '«pageDisabled»', 403: '«pageDisabled»' }[answer.status] ?? '«pageNoResponse»'}»`, true);
      } catch { this.page.toast('«padSilent»', true); }
    }
    this.isSending = false;
  }

  /** Shows what the scale says: the script has returned, or another page has moved the masses. */
  adopt(state) {
    if (this.isSending || this.finger.isDown || this.drag) return;
    this.state = state;
    this.stacks = state.loads.map(({ id, mass_g, x, y }) => {
      const known = this.stacks.find(s => s.id === id);
      const isSame = known && Math.abs(sumOf(known) - mass_g) < 1e-6;
      return Object.assign(known ?? { id }, { masses: isSame ? known.masses : [mass_g], x, y });
    });
    this.nextId = Math.max(this.nextId, ...state.loads.map(load => load.id + 1));
    this.show();
  }

  show() {
    const { scripted, plugged, noise_g } = this.state;
    this.area.dataset.state = scripted ? 'scripted' : plugged ? 'held' : 'unplugged';
    this.plug.textContent = plugged ? '«padUnplug»' : '«padPlugIn»';
    this.noise.setAttribute('aria-pressed', noise_g > 0);
    this.script.hidden = scripted;
    this.clear.hidden = !this.stacks.length;
    for (const stack of this.stacks) this.showStack(stack);
    const shown = this.stacks.map(stack => stack.node);
    for (const node of this.area.querySelectorAll('.mass')) if (!shown.includes(node)) node.remove();
    const { isDown, force, x, y } = this.finger;
    this.dot.hidden = !isDown;
    if (isDown) {
      Object.assign(this.dot.style, { left: `${x * 100}%`, top: `${y * 100}%` });
      this.dot.style.setProperty('--force', Math.min(force, 1.2));
    }
  }

  showStack(stack) {
    if (!stack.node) {
      stack.node = make('button', { type: 'button', className: 'mass' });
      stack.node.addEventListener('pointerdown', event => this.grab(event, stack));
      stack.node.addEventListener('keydown', event => this.moveKey(event, stack));
    }
    const sum = +sumOf(stack).toFixed(3);
    stack.node.textContent = `${sum} g`;
    stack.node.setAttribute('aria-label', `${stack.masses.length > 1 ? `«padMassCount count=${stack.masses.length}», ` : ''}«padMassKeys mass=${sum}»`);
    stack.node.dataset.height = Math.min(stack.masses.length, 4);
    Object.assign(stack.node.style, { left: `${stack.x * 100}%`, top: `${stack.y * 100}%` });
    stack.node.style.setProperty('--size', `${(3 + Math.min(Math.sqrt(sum) / 7, 2.4)).toFixed(2)}rem`);
    if (stack.node.parentElement !== this.area) this.area.append(stack.node);
  }
}
