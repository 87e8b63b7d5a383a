// The state of the scale as the page knows it, and the functions that follow its changes.

/** The state of the scale as it was last heard. `hello` has the properties of the appliance. */
export const scale = {
  hello: {
    name: 'Grampad',
    decimals: 0,
    hold_ms: 2000,
    threshold: .97,
    dwell_ms: 400,
    heartbeat_ms: 5000,
    pause_s: 60,
    capacity_g: 385,
    minimum_g: 0,
    acting: 'open',
    confirm: 'slide',
    zones: [],
    outputs: [],
    stop_ahead: false,
    unit: { symbol: 'g', grams: 1, step: 1, decimals: 0 },
  },
  reading: null,
  health: null,
  quick: [],
  containers: [],
  /** What was learned about stops, for each label. */
  learned: [],
  /** The newest weighings, the newest first, see records.js. */
  weighings: [],
  /** The request of a device to act, and whether this page may decide on it: `{id, since, isOwner}`. */
  asking: null,
  /** Whether the machine is set up, `{is_set_up}`; `null` if the page does not set it up. */
  machine: null,
  /** Whether the pad is moved in the page. */
  isDemo: false,
  /** Whether the appliance is heard. */
  isLive: false,
};

const followers = new Map();

/** Calls `follow` with each event of a name: a feed of the appliance, `link` when it is heard or not, `changed` after each of them. */
export function on(name, follow) {
  followers.set(name, [...followers.get(name) ?? [], follow]);
}

/** Tells the followers of an event, and those of any change. */
export function tell(name, ...values) {
  for (const follow of followers.get(name) ?? []) follow(...values);
  if (name !== 'changed') tell('changed');
}

/** The state of a reading in words; an offline scale without points has a load cell that was not calibrated. */
export const stateOf = (r) => r?.state === 'offline' && r.calibration === 'nominal' ? 'uncalibrated' : r?.state;

/** The last weighing, `{weighing, isVoided, isAmended, label}`, if there is one. */
export const lastWeighing = () => scale.weighings[0];

// ---- Masses in the unit of the display.

/** A number as text; what rounds to 0 has no sign, since adding 0 removes that of -0. */
export const fixed = (value, decimals) =>
  value === null || value === undefined ? '–' : (+value.toFixed(decimals) + 0).toFixed(decimals).replace('-', '−');

/** A mass. Grams are already rounded; other units are rounded to their step. */
export function mass(g) {
  const { unit } = scale.hello;
  if (g === null || g === undefined) return `– ${unit.symbol}`;
  return `${
    fixed(unit.symbol === 'g' ? g : Math.round(g / unit.grams / unit.step) * unit.step, unit.decimals)
  } ${unit.symbol}`;
}

/** A weighing in a few words: `#7, 18 g`. */
export const nameOf = (w) => `#${w.sequence}, ${mass(w.net_g)}`;

/** An uncertainty, with one more decimal and without the unit. */
export const spread = (g) => (g / scale.hello.unit.grams).toFixed(scale.hello.unit.decimals + 1);

/** A mass that a user has given, such as a target, which may be finer than the display. */
export const exact = (g) => {
  const { unit } = scale.hello;
  return `${+(g / unit.grams).toFixed(unit.decimals + 3)} ${unit.symbol}`;
};
