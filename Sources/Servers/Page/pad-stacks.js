// The masses on the simulated pad: stacks, where they stand, and what is put onto what.

import { clamp } from './drag.js';
import { scale } from './scale.js';

const MOST = 16; // stacks that the pad tells apart
export const HEAVIEST = 5000; // g of a stack
const RADIUS = 0.09; // within which a mass is put onto another, as a fraction of the pad's width
const GAP = 0.02; // next to a zone
const RATIO = 0.65; // height of the pad to its width: 100 mm by 65 mm

export const sumOf = (stack) => stack.masses.reduce((a, b) => a + b, 0);

const zoneAt = ({ x, y }) =>
  (scale.hello.zones ?? []).find((z) => x >= z.x[0] && x <= z.x[1] && y >= z.y[0] && y <= z.y[1]);

/** The place next to a zone for one in it: a mass there would press the zone and not weigh. */
export function outsideZones({ x, y }) {
  const zone = zoneAt({ x, y });
  if (!zone) return { x, y };
  const [left, right, top, bottom] = [...zone.x, ...zone.y];
  const places = [[left - GAP, y], [right + GAP, y], [x, top - GAP], [x, bottom + GAP]];
  const away = (p) => Math.hypot(p.x - x, p.y - y);
  return places.map(([x, y]) => ({ x, y })).filter((p) => p.x === clamp(p.x) && p.y === clamp(p.y))
    .sort((a, b) => away(a) - away(b))[0] ?? { x, y };
}

export class Stacks {
  constructor() {
    this.list = []; // { id, masses, x, y }, with the node that shows it
    this.nextId = 1;
  }

  get isFull() {
    return this.list.length >= MOST;
  }

  /** A mass that is not on the pad yet. */
  make(mass, place = { x: 0, y: 0 }) {
    return { id: this.nextId++, masses: [mass], ...place };
  }

  /** A place near the middle, next to what is there, or on top if the pad is full. */
  freePlace() {
    const places = [0.5, 0.3, 0.7].flatMap((x) => [0.5, 0.2, 0.8].map((y) => ({ x, y })));
    return places.find((p) => !this.near(p)) ?? places[0];
  }

  /** The nearest stack within a distance. */
  near(place, distance = RADIUS, except = null) {
    const away = (s) => Math.hypot(s.x - place.x, (s.y - place.y) * RATIO);
    return this.list.filter((s) => s !== except && away(s) < distance).sort((a, b) => away(a) - away(b))[0];
  }

  /**
   * Puts a stack on the pad, or onto another one: one that it touches, or the nearest if there are too many. Returns
   * the stack that has it; `null` if that were too heavy.
   */
  add(stack) {
    Object.assign(stack, outsideZones(stack));
    const base = this.near(stack, this.isFull ? Infinity : RADIUS);
    if (base && sumOf(base) + sumOf(stack) > HEAVIEST) return null;
    if (base) base.masses.push(...stack.masses);
    else this.list.push(stack);
    return base ?? stack;
  }

  remove(stack) {
    this.list = this.list.filter((s) => s !== stack);
  }

  /** Takes the top mass of a stack, or the stack itself if it is the last one. */
  takeTop(stack) {
    return stack.masses.length === 1 ? stack : this.make(stack.masses.pop(), { x: stack.x, y: stack.y });
  }

  /** Removes the top mass of a stack. */
  lift(stack) {
    stack.masses.pop();
    if (!stack.masses.length) this.remove(stack);
  }

  /** Rests a carried stack on the pad while it is above it, but not above a zone, where it would press. */
  carry(stack, place) {
    const isOn = place !== null && !zoneAt(place), isListed = this.list.includes(stack);
    if (place) Object.assign(stack, place);
    if (isOn && !isListed && !this.isFull) this.list.push(stack);
    if (!isOn && isListed) this.remove(stack);
  }

  /** Follows what the scale says; a stack whose sum is unchanged keeps its masses. */
  adopt(loads) {
    this.list = loads.map(({ id, mass_g, x, y }) => {
      const known = this.list.find((s) => s.id === id);
      const isSame = known && Math.abs(sumOf(known) - mass_g) < 1e-6;
      return Object.assign(known ?? { id }, { masses: isSame ? known.masses : [mass_g], x, y });
    });
    this.nextId = Math.max(this.nextId, ...loads.map((load) => load.id + 1));
  }
}
