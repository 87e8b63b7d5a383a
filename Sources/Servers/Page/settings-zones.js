// The zones and controls of the pad: a drawing whose corners are dragged, and fields for the same values.

import { button, element } from './dom.js';
import { ARROWS, clamp, followPointer } from './drag.js';
import { group, row, soft } from './parts.js';
import { choice, clearFaults, field, input, number, numberIn, showFault } from './settings-fields.js';
import { removal } from './settings-lists.js';
import { say, texts } from './texts.js';

const EDGES = {
  left: texts.settingsLeft,
  right: texts.settingsRight,
  top: texts.settingsTop,
  bottom: texts.settingsBottom,
};
const CORNERS = {
  nw: texts.settingsTopLeft,
  ne: texts.settingsTopRight,
  sw: texts.settingsBottomLeft,
  se: texts.settingsBottomRight,
};
const round = (value) => Math.round(value * 100) / 100;
/** Per cent of the pad, as users see it, and back. What is no number stays, and is refused. */
const percent = (value) => typeof value === 'number' ? Number((value * 100).toFixed(4)) : value ?? '';
const fraction = (value) => typeof value === 'number' ? Number((value / 100).toFixed(6)) : value;
const isExtent = ([low, high]) =>
  typeof low === 'number' && typeof high === 'number' && low >= 0 && low < high && high <= 1;
const overlap = (a, b) => a.x[0] < b.x[1] && b.x[0] < a.x[1] && a.y[0] < b.y[1] && b.y[0] < a.y[1];

export class ZoneEditor {
  /** `names` returns the `[action, name]` pairs of the zones. */
  constructor(zones, controls, names, isPlate) {
    this.areas = Object.entries({ zones, controls }).flatMap(([kind, areas]) =>
      Object.entries(areas).map(([name, { x, y }]) => ({ kind, name, x: [...x], y: [...y] }))
    );
    this.names = names;
    this.pad = group(texts.settingsDrawing, null, 'zones-pad');
    this.rows = element('div', null, { class: 'rows', 'data-path': 'pad.controls' });
    this.node = element('div', [
      soft(isPlate ? texts.settingsPlate : texts.settingsZoneHint),
      this.pad,
      this.rows,
      row(
        button(texts.settingsAddZone, () => this.add({ kind: 'zones', name: this.freeAction() })),
        button(texts.settingsAddControl, () => this.add({ kind: 'controls', name: this.freeName() })),
      ),
    ], { class: 'zones', 'data-path': 'pad.zones' });
    this.draw();
  }

  title(area) {
    return area.kind === 'controls'
      ? `${texts.settingsControl} ${area.name}`
      : this.names().find(([name]) => name === area.name)?.[1] ?? area.name;
  }

  isFree(kind, name) {
    return !this.areas.some((area) => area.kind === kind && area.name === name);
  }

  freeAction() {
    return this.names().find(([name]) => this.isFree('zones', name))?.[0] ?? 'commit';
  }

  freeName() {
    let n = 1;
    while (!this.isFree('controls', `control${n}`)) n += 1;
    return `control${n}`;
  }

  /** Adds an area where there is room, if there is. */
  add(area) {
    const places = [0.4, 0.2, 0.6].flatMap((x) =>
      [0.4, 0.1, 0.7].map((y) => ({ x: [x, round(x + 0.2)], y: [y, round(y + 0.2)] }))
    );
    Object.assign(
      area,
      places.find((place) => !this.areas.some((other) => this.isComplete(other) && overlap(place, other))) ?? places[0],
    );
    this.areas.push(area);
    this.draw();
    this.rows.lastElementChild.querySelector('input, select').focus();
  }

  isComplete(area) {
    return isExtent(area.x) && isExtent(area.y);
  }

  remove(area) {
    this.areas.splice(this.areas.indexOf(area), 1);
    this.draw();
    this.node.querySelector('.row button').focus();
  }

  draw() {
    for (const area of this.areas) {
      this.makeZone(area);
      this.makeRow(area);
    }
    this.pad.replaceChildren(...this.areas.map((area) => area.zone));
    this.rows.replaceChildren(
      ...this.areas.length ? this.areas.map((area) => area.row) : [soft(texts.settingsNoZones)],
    );
    for (const area of this.areas) this.place(area);
    this.check();
  }

  makeZone(area) {
    const corners = Object.keys(CORNERS).map((corner) => {
      const handle = element('button', null, { type: 'button', class: `corner ${corner}` });
      handle.addEventListener('pointerdown', (event) => this.drag(event, area, corner, handle));
      handle.addEventListener('keydown', (event) => this.press(event, area, corner));
      return handle;
    });
    area.zone = element('div', [element('span'), ...corners], { class: `zone ${area.kind}` });
    area.zone.addEventListener('pointerdown', (event) => {
      if (!event.target.matches('.corner')) this.drag(event, area, 'all', area.zone);
    });
  }

  makeRow(area) {
    const name = area.kind === 'zones' ? choice(this.names(), area.name) : input(area.name);
    name.addEventListener('change', () => {
      area.name = name.value.trim();
      this.rename(area);
    });
    area.fields = Object.fromEntries(
      Object.keys(EDGES).map((edge) => {
        const control = number();
        control.addEventListener('input', () => this.type(area, edge, fraction(numberIn(control))));
        return [edge, control];
      }),
    );
    const { left, right, top, bottom } = area.fields;
    const legend = element('legend'), [remove, nameRemoval] = removal(() => this.remove(area));
    area.row = element('fieldset', [
      legend,
      field(area.kind === 'zones' ? texts.settingsAction : texts.settingsControlName, name),
      ...Object.entries(EDGES).map(([edge, title]) => field(`${title}, %`, area.fields[edge])),
      remove,
    ], { class: 'entry' });
    area.showName = () => {
      const path = `pad.${area.kind}.${area.name}`;
      area.row.dataset.path = path;
      legend.textContent = this.title(area);
      nameRemoval(legend.textContent);
      for (const [control, key] of [[name, 'name'], [left, 'x'], [right, 'x'], [top, 'y'], [bottom, 'y']]) {
        control.dataset.path = `${path}.${key}`;
      }
    };
    area.showName();
  }

  /** Shows a new name in place, so that the focus stays. */
  rename(area) {
    area.showName();
    this.place(area);
    this.check();
  }

  /** Shows the position of an area, except in the field that is being edited. */
  place(area) {
    const title = this.title(area);
    const at = { left: area.x[0], right: area.x[1], top: area.y[0], bottom: area.y[1] };
    for (const [edge, control] of Object.entries(area.fields)) {
      if (control !== document.activeElement) control.value = percent(at[edge]);
    }
    area.zone.hidden = !this.isComplete(area);
    area.zone.firstChild.textContent = title;
    for (const handle of area.zone.querySelectorAll('.corner')) {
      const corner = handle.classList[1];
      const [x, y] = [at[corner[1] === 'w' ? 'left' : 'right'], at[corner[0] === 'n' ? 'top' : 'bottom']].map(percent);
      const name = say('settingsCorner', { corner: CORNERS[corner], zone: title });
      handle.ariaLabel = `${name}, x ${x} %, y ${y} %`;
    }
    if (area.zone.hidden) return;
    const size = { left: at.left, width: at.right - at.left, top: at.top, height: at.bottom - at.top };
    for (const [name, value] of Object.entries(size)) area.zone.style[name] = `${value * 100}%`;
  }

  type(area, edge, value) {
    const axis = edge === 'left' || edge === 'right' ? area.x : area.y;
    axis[edge === 'left' || edge === 'top' ? 0 : 1] = value;
    this.place(area);
    this.check();
  }

  /** Moves a corner, or the whole area, by a fraction of the pad; an area keeps a size of at least 0.02. */
  move(area, corner, dx, dy, from = { x: area.x, y: area.y }) {
    if (corner === 'all') {
      const shift = (extent, by) => {
        const d = Math.min(Math.max(by, -extent[0]), 1 - extent[1]);
        return extent.map((value) => round(value + d));
      };
      [area.x, area.y] = [shift(from.x, dx), shift(from.y, dy)];
    } else {
      const stretch = (extent, by, isLow) =>
        isLow
          ? [Math.min(clamp(round(extent[0] + by)), round(extent[1] - 0.02)), extent[1]]
          : [extent[0], Math.max(clamp(round(extent[1] + by)), round(extent[0] + 0.02))];
      [area.x, area.y] = [stretch(from.x, dx, corner[1] === 'w'), stretch(from.y, dy, corner[0] === 'n')];
    }
    this.place(area);
    this.check();
  }

  drag(event, area, corner, handle) {
    if (event.button !== 0) return;
    event.preventDefault();
    const box = this.pad.getBoundingClientRect();
    const [from, start] = [{ x: area.x, y: area.y }, [event.clientX, event.clientY]];
    followPointer(event, handle, {
      move: (e) =>
        this.move(area, corner, (e.clientX - start[0]) / box.width, (e.clientY - start[1]) / box.height, from),
    });
    if (corner !== 'all') handle.focus();
  }

  press(event, area, corner) {
    const direction = ARROWS[event.key];
    if (!direction) return;
    event.preventDefault();
    const step = event.shiftKey ? 0.05 : 0.01;
    this.move(area, corner, direction[0] * step, direction[1] * step);
  }

  /** Shows what the scale would refuse, at the fields. */
  check() {
    clearFaults(this.rows);
    this.areas.forEach((area, index) => {
      const path = `pad.${area.kind}.${area.name}`;
      for (const axis of ['x', 'y']) {
        if (!isExtent(area[axis])) showFault(area.row, { path: `${path}.${axis}`, message: texts.settingsOutside });
      }
      const earlier = this.areas.slice(0, index);
      if (earlier.some((other) => other.kind === area.kind && other.name === area.name)) {
        return showFault(area.row, { path: `${path}.name`, message: texts.settingsTwice });
      }
      const other = this.isComplete(area) && earlier.find((each) => this.isComplete(each) && overlap(each, area));
      if (other) showFault(area.row, { path, message: say('settingsOverlaps', { zone: this.title(other) }) });
    });
  }

  /** The zones or the controls, as they are sent. */
  value(kind) {
    return Object.fromEntries(
      this.areas.filter((area) => area.kind === kind).map(({ name, x, y }) => [name, { x: [...x], y: [...y] }]),
    );
  }
}
