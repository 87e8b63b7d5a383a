// The simulated pad of `grampad demo`: masses that are put on it, stacked, dragged and lifted, and a finger.
// Loaded only where the scale has such a pad. The whole state is sent with each change.

import { toast } from './dialogs.js';
import { $, button, element, set } from './dom.js';
import { clamp, followPointer } from './drag.js';
import { Finger, moved } from './pad-finger.js';
import { isSending, post } from './pad-link.js';
import { HEAVIEST, outsideZones, Stacks, sumOf } from './pad-stacks.js';
import { group } from './parts.js';
import { titleOf } from './requests.js';
import { on, scale } from './scale.js';
import { say, texts } from './texts.js';

const MASSES = [5, 10, 20, 50, 100, 200];
const UNTOUCHED = { scripted: true, plugged: true, noise_g: 0 };

/** Puts an element at a place of the pad. */
const putAt = (node, { x, y }) => Object.assign(node.style, { left: `${x * 100}%`, top: `${y * 100}%` });

class SimulatedPad {
  constructor(section) {
    this.stacks = new Stacks();
    this.finger = new Finger(() => this.change());
    this.aim = { x: 0.5, y: 0.75 }; // where a press by keys is, outside the zones
    this.drag = null;
    this.state = UNTOUCHED;
    this.build(section);
    addEventListener('blur', () => this.finger.cancel());
  }

  build(section) {
    this.plug = button('', () => this.change({ plugged: !this.state.plugged }));
    this.noise = button(texts.padNoise, () => this.change({ noise_g: this.state.noise_g ? 0 : 1 }));
    this.clear = button(texts.padClear, () => {
      this.stacks.list = [];
      this.change();
    });
    this.script = button(texts.padScript, () => this.resume());
    const other = element('input', null, { type: 'number', min: .1, max: HEAVIEST, step: 'any', required: '' });
    const form = element('form', [element('label', [texts.padOtherMass, other]), element('button', texts.padPutOn)], {
      class: 'row',
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.put(this.stacks.make(Number(other.value), this.stacks.freePlace()));
      form.reset();
    });
    this.tray = group(texts.padMasses, MASSES.map((mass) => this.tool(mass)), 'row tray');
    this.area = element('div', null, { id: 'pad', role: 'group', 'aria-label': texts.pagePad });
    this.dot = element('span', null, { class: 'finger', hidden: '' });
    this.aimed = element('button', null, {
      type: 'button',
      class: 'aim',
      'aria-label': texts.padFinger,
      'aria-describedby': 'keys-aim keys-press',
    });
    this.finger.listen(this.aimed, {
      place: () => this.aim,
      isReady: () => this.isReady,
      idle: (event) => {
        const place = moved(event, this.aim);
        if (place) putAt(this.aimed, this.aim = place);
        return Boolean(place);
      },
    });
    putAt(this.aimed, this.aim);
    this.hint = element('p', null, { class: 'soft hint' });
    // One of them is shown while what it is about has the focus.
    const keys = { mass: texts.padKeysMass, aim: texts.padKeysAim, press: texts.padKeysPress };
    section.replaceChildren(
      element('h2', texts.pageSimulatedPad),
      this.tray,
      this.area,
      this.hint,
      ...Object.entries(keys).map(([name, text]) => element('p', text, { class: 'soft keys', id: `keys-${name}` })),
      element('div', [form, this.noise, this.plug, this.clear, this.script], { class: 'row' }),
    );
    this.area.addEventListener('pointerdown', (event) => this.touch(event));
    this.introduce();
    this.show();
  }

  /** Whether a finger can press. */
  get isReady() {
    return this.state.plugged && !this.finger.isDown && !this.drag;
  }

  /** A mass in the tray: a click puts it on the pad, dragging puts it where it is dropped. */
  tool(mass) {
    let wasDragged = false;
    const node = button(`${mass} g`, () => {
      if (!wasDragged) this.put(this.stacks.make(mass, this.stacks.freePlace()));
      wasDragged = false;
    }, { 'aria-label': say('padPutOnMass', { mass }) });
    node.addEventListener('pointerdown', (event) => {
      wasDragged = false;
      this.pick(event, node, 8, () => {
        wasDragged = true;
        return this.stacks.make(mass);
      });
    });
    return node;
  }

  /** Picks a mass up with a pointer that moves by some pixels; `take` returns the mass. */
  pick(event, node, distance, take, onClick = () => {}) {
    if (event.button !== 0 || this.drag) return;
    const { clientX, clientY } = event;
    let taken = null;
    followPointer(event, node, {
      move: (e) => {
        if (!taken && Math.hypot(e.clientX - clientX, e.clientY - clientY) < distance) return;
        taken ??= this.drag = take();
        this.carry(taken, e);
      },
      end: (e) => {
        this.drag = null;
        if (!taken) return onClick();
        this.carry(taken, e);
        if (!this.place(e)) return;
        this.stacks.remove(taken);
        this.put(taken);
      },
    });
  }

  carry(stack, event) {
    this.stacks.carry(stack, this.place(event));
    this.change();
  }

  /** Draws the zones of the pad, each of which can also be pressed by keys. */
  introduce() {
    const { zones = [] } = scale.hello;
    const content = JSON.stringify(zones.map((zone) => [zone, titleOf(zone.action)]));
    if (content === this.content) return;
    this.content = content;
    const nodes = zones.map((zone) => {
      const name = zone.control ?? titleOf(zone.action), [left, right] = zone.x, [top, bottom] = zone.y;
      const node = element('button', element('span', name), {
        type: 'button',
        class: 'zone',
        'aria-label': say('padPressZone', { zone: name }),
        'aria-describedby': 'keys-press',
      });
      putAt(node, { x: left, y: top });
      Object.assign(node.style, { width: `${(right - left) * 100}%`, height: `${(bottom - top) * 100}%` });
      const place = { x: (left + right) / 2, y: top + (bottom - top) * 0.75 };
      this.finger.listen(node, { place: () => place, isReady: () => this.isReady });
      return node;
    });
    const masses = this.stacks.list.map((stack) => stack.node).filter(Boolean);
    this.area.replaceChildren(this.dot, this.aimed, ...nodes, ...masses);
    set(this.hint, zones.length ? texts.padZoneHint : texts.padPressHint);
  }

  // ---- Masses.

  put(stack) {
    const base = this.stacks.add(stack);
    // What was too heavy was on the pad while it was dragged.
    this.change();
    if (!base) return toast(texts.padTooHeavy, true);
    base.node.focus({ preventScroll: true });
  }

  /** Moves a mass by keys: arrows move it, Enter puts it onto one that it touches, Delete lifts it. */
  moveKey(event, stack) {
    const { stacks } = this, to = moved(event, stack);
    if (to) Object.assign(stack, outsideZones(to));
    else if (event.key === 'Delete' || event.key === 'Backspace') stacks.lift(stack);
    else if (event.key === 'Enter') {
      if (stacks.near(stack, undefined, stack)) {
        stacks.remove(stack);
        this.put(stack);
      }
    } else return;
    event.preventDefault();
    this.change();
    if (!document.activeElement.closest('.mass')) (stacks.list.at(-1)?.node ?? this.tray.firstChild).focus();
  }

  // ---- The pointer.

  touch(event) {
    const { finger } = this, place = this.place(event);
    if (event.button !== 0 || !this.isReady || !place) return;
    event.preventDefault();
    finger.press(place, event.pressure);
    followPointer(event, this.area, {
      move: (e) => finger.moveTo(this.place(e, true), e.pressure),
      end: (e) => {
        if (e.type === 'pointerup') finger.lift();
        else finger.cancel();
      },
    });
  }

  /** The place of a pointer on the pad; `null` outside. */
  place(event, isClamped = false) {
    const box = this.area.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    const isInside = x >= 0 && x <= 1 && y >= 0 && y <= 1;
    return isInside || isClamped ? { x: clamp(x), y: clamp(y) } : null;
  }

  // ---- The state.

  change(state = {}) {
    this.state = { ...this.state, scripted: false, ...state };
    this.show();
    const { plugged, noise_g } = this.state, { isDown, force, x, y } = this.finger;
    const loads = this.stacks.list.map((stack) => ({ id: stack.id, mass_g: sumOf(stack), x: stack.x, y: stack.y }));
    const finger = isDown ? { force_g: force * scale.hello.full_g, x, y } : null;
    post({ plugged, noise_g, loads, finger });
  }

  /** Returns the pad to its script. */
  resume() {
    // What the scale tells about that may arrive before its answer, and would not be adopted.
    this.state = UNTOUCHED;
    this.stacks.list = [];
    this.show();
    post({ scripted: true });
  }

  /** Shows what the scale says: the script has returned, or another page has moved the masses. */
  adopt(state) {
    if (isSending() || this.finger.isDown || this.drag) return;
    this.state = state;
    this.stacks.adopt(state.loads);
    this.show();
  }

  show() {
    const { scripted, plugged, noise_g } = this.state, { list } = this.stacks;
    this.area.dataset.state = scripted ? 'scripted' : plugged ? 'held' : 'unplugged';
    set(this.plug, plugged ? texts.padUnplug : texts.padPlugIn);
    this.noise.ariaPressed = noise_g > 0;
    this.script.hidden = scripted;
    this.clear.hidden = !list.length;
    for (const stack of list) this.showStack(stack);
    const shown = list.map((stack) => stack.node);
    for (const node of this.area.querySelectorAll('.mass')) if (!shown.includes(node)) node.remove();
    const { isDown, force } = this.finger;
    this.dot.hidden = !isDown;
    if (!isDown) return;
    putAt(this.dot, this.finger);
    this.dot.style.setProperty('--force', Math.min(force, 1.2));
  }

  showStack(stack) {
    if (!stack.node) {
      stack.node = element('button', null, { type: 'button', class: 'mass', 'aria-describedby': 'keys-mass' });
      stack.node.addEventListener('pointerdown', (event) => {
        // The finger does not press where a mass is picked up.
        event.stopPropagation();
        event.preventDefault();
        this.pick(
          event,
          this.area,
          6,
          () => this.stacks.takeTop(stack),
          () => stack.node.focus({ preventScroll: true }),
        );
      });
      stack.node.addEventListener('keydown', (event) => this.moveKey(event, stack));
    }
    const { node } = stack, sum = +sumOf(stack).toFixed(3), count = stack.masses.length;
    set(node, `${sum} g`);
    node.ariaLabel = `${count > 1 ? `${say('padMassCount', { count })}, ` : ''}${sum} g`;
    node.dataset.height = Math.min(count, 4);
    putAt(node, stack);
    node.style.setProperty('--size', `${(3 + Math.min(Math.sqrt(sum) / 7, 2.4)).toFixed(2)}rem`);
    if (node.parentElement !== this.area) this.area.append(node);
  }
}

/** Shows the pad next to the number. */
export function openPad() {
  const pad = new SimulatedPad($('pad-card'));
  $('pad-card').hidden = false;
  on('hello', () => pad.introduce());
  on('actions', () => pad.introduce());
  return pad;
}
