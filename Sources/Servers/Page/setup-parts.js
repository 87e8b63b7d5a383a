// The parts of the machine that a user sets: each has a `title`, `nodes` with fields, and `value()`, what it sends. `brief(state)` is shown
// while its card is closed, and `show(state)` follows the machine.

import { button, element, set } from './dom.js';
import { details, options, row, soft } from './parts.js';
import { on, scale } from './scale.js';
import { choice, field, input } from './settings-fields.js';
import { inOwnWords, lang, say, texts } from './texts.js';

/** The choice of a network that is not in the list; no network has such a name. */
const OTHER = '\n';
const [STRONG, FAIR] = [-60, -70]; // dBm, above which video and above which calls work; common among vendors
const SENSORS = { hx711: 'HX711', nau7802: 'NAU7802', ads1115: 'ADS1115' };

/** An input for an identifier, which a phone must neither correct nor capitalise. */
const plain = (value, more = {}) => input(value, { autocapitalize: 'none', spellcheck: 'false', ...more });
const check = (isOn) => element('input', null, { type: 'checkbox', ...isOn && { checked: '' } });
const secret = () => plain('', { type: 'password', autocomplete: 'new-password' });
const yes = (control) => control.checked ? 'yes' : 'no';
const follow = (control, run) => {
  for (const name of ['input', 'change']) control.addEventListener(name, run);
  run();
};

/** The URL of the page under a host name. */
export const urlOf = (host) => `${location.protocol}//${host}.local${location.port && `:${location.port}`}`;

/** That the scale's own network will close, and where the scale is then; empty on other networks. */
export const closing = ({ network, hostname = 'grampad' }) =>
  network?.access_point ? say('setupCloses', { name: network.access_point, url: urlOf(hostname) }) : '';

/** Why the scale has not joined its network after "Finish", so that its own is open again; empty if it has. */
export function faultOf({ network, wifi: name }) {
  const key = { password: 'setupWrongPassword', missing: 'setupNotFound', failed: 'setupNotJoined' }[network?.fault];
  return key && name ? say(key, { name }) : '';
}

/** The networks in words, one a line. */
export function connectionOf({ network = {}, wifi: wanted }, hasOwn = true) {
  const { wired, wifi: name, access_point: own, addresses = [] } = network, list = addresses.join(', ');
  const said = [
    wired && say('setupWired', { addresses: list }),
    name && say('setupOnWifi', { name, addresses: list }),
    hasOwn && own && say('setupOnAccessPoint', { name: own }),
  ].filter(Boolean);
  // A page that is open has come through a network, known or not: without one of its own, the scale is in another.
  return said.join('\n') || wanted || (own ? texts.setupNoNetwork : '');
}

export function namePart(state) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const name = input(state.name ?? scale.hello.name, { maxlength: 64 });
  const host = plain(state.hostname ?? 'grampad', { maxlength: 63 });
  const zones = Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')]);
  const zone = choice(zones, state.is_set_up && state.time_zone || own);
  const login = check(state.ssh), key = plain('', { maxlength: 1024 });
  const url = soft(), keyBox = field(texts.setupKey, key, 'ssh_key');
  follow(host, () => set(url, urlOf(host.value.trim() || 'grampad')));
  follow(login, () => keyBox.hidden = !login.checked);
  const keyOf = () => login.checked ? key.value.trim() && { ssh_key: key.value.trim() } : state.ssh && { ssh_key: '' };
  return {
    title: texts.setupName,
    nodes: [
      field(texts.settingsName, name, 'name'),
      field(texts.setupHost, host, 'hostname'),
      url,
      field(texts.setupZone, zone, 'time_zone'),
      field(texts.setupSSH, login, 'ssh'),
      keyBox,
    ],
    value: () => ({ name: name.value.trim(), hostname: host.value.trim(), time_zone: zone.value, ...keyOf() }),
    brief: ({ name, time_zone: zone }) => [name, zone].filter(Boolean).join(' · '),
  };
}

/** The name of a network with its signal, which is not known while the machine is connected to it. */
function describe({ ssid, signal_dbm: signal, secured }) {
  const strength = signal >= STRONG ? texts.setupStrong : signal >= FAIR ? texts.setupFair : texts.setupWeak;
  return [ssid, signal && strength, secured === false && texts.setupOpen].filter(Boolean).join(' · ');
}

/** The country of the reader, which decides on the channels of the Wi-Fi. */
const regionOf = () => new Intl.Locale(navigator.language).maximize().region ?? '';

/** The name of a country, so that a wrong one is seen. */
function countryOf(code) {
  if (!/^[A-Z]{2}$/.test(code)) return '';
  const name = new Intl.DisplayNames([lang], { type: 'region' }).of(code);
  return name === code ? '' : name;
}

export function networkPart(state, scan) {
  const wifi = element('select'), other = plain('', { maxlength: 32 }), password = secret(), shown = check(false);
  const country = plain(state.country ?? regionOf(), { maxlength: 2 });
  const status = element('p', null, { role: 'status' }), ends = soft(), land = soft();
  const codeOf = () => country.value.trim().toUpperCase();
  follow(country, () => set(land, countryOf(codeOf())));
  const otherBox = field(texts.setupNetworkName, other, 'wifi_name');
  const secrets = element('div', [
    field(texts.setupPassword, password, 'wifi_password', texts.setupPasswordHint),
    field(texts.setupShow, shown, 'shown'),
  ], { class: 'fields' });
  // What the user has not touched stays as it is: an unchanged network keeps its password.
  const own = { networks: [], listed: null, isTouched: false };
  const nameOf = () => wifi.value === OTHER ? other.value : wifi.value;
  const hasSecret = () => wifi.value && own.networks.find(({ ssid }) => ssid === wifi.value)?.secured !== false;
  const update = () => {
    otherBox.hidden = wifi.value !== OTHER;
    secrets.hidden = !hasSecret();
  };
  const list = ({ network, wifi: wanted, wifi_networks: networks = [] }) => {
    const byName = new Map(networks.toSorted((a, b) => a.signal_dbm - b.signal_dbm).map((each) => [each.ssid, each]));
    if (network?.wifi && !byName.has(network.wifi)) byName.set(network.wifi, { ssid: network.wifi });
    own.networks = [...byName.values()].reverse().filter(({ ssid }) => ssid);
    const choices = [['', texts.setupNoWifi], ...own.networks.map((each) => [each.ssid, describe(each)])];
    const chosen = own.isTouched ? wifi.value : network?.wifi ?? wanted ?? '';
    // A network that is chosen stays, even if it is not found at the moment.
    if (chosen && chosen !== OTHER && !byName.has(chosen)) choices.push([chosen, chosen]);
    choices.push([OTHER, texts.setupOther]);
    if (JSON.stringify(choices) === own.listed) return;
    own.listed = JSON.stringify(choices);
    wifi.replaceChildren(...options(choices));
    wifi.value = chosen;
  };
  wifi.addEventListener('change', () => {
    own.isTouched = true;
    update();
  });
  follow(shown, () => password.type = shown.checked ? 'text' : 'password');
  return {
    title: texts.setupNetwork,
    nodes: [
      status,
      field(texts.setupWifi, wifi, 'wifi'),
      otherBox,
      secrets,
      field(texts.setupCountry, country, 'country'),
      land,
      row(button(texts.setupScan, scan)),
      ends,
    ],
    value: () => ({
      country: codeOf(),
      ...(own.isTouched || password.value) && { wifi: nameOf(), wifi_password: hasSecret() ? password.value : '' },
    }),
    brief: ({ network, wifi }) => network?.wifi ?? wifi ?? (network?.wired ? texts.setupCable : ''),
    show(state) {
      set(status, connectionOf(state));
      set(ends, closing(state));
      list(state);
      update();
    },
    saved() {
      own.isTouched = false;
      password.value = '';
    },
  };
}

/** A pad by its answer: `auto`, a name, or `iio:` with that of a converter. */
const nameOfPad = (pad = 'auto') => pad === 'auto' ? texts.setupAuto : pad.replace(/^iio:/, '');

/** The sensor, where the board can have one, and the pad. `restart` restarts the machine, which a new sensor needs. */
export function sensorPart(state, restart) {
  const names = (state.sensors ?? []).map((each) => [each, SENSORS[each] ?? (each === 'none' ? texts.pageNone : each)]);
  const sensor = choice(names, state.sensor ?? 'none'), pad = element('select');
  const found = element('p', null, { role: 'status' }), others = element('ul');
  const unfit = details(texts.setupCannotWeigh, others);
  const again = element('div', [soft(texts.setupRestartNeeded), row(button(texts.setupRestart, restart))], {
    hidden: '',
  });
  const own = { sensor: state.sensor, told: null, listed: null };
  const list = ({ pads = [], pad: chosen = 'auto' }) => {
    if (own.listed === (own.listed = JSON.stringify(pads))) return;
    const choices = new Map([['auto', texts.setupAuto], ['simulated', texts.setupSimulated]]);
    for (const each of pads) if (each.can_weigh) choices.set(each.pad, each.name);
    const value = pad.value || chosen;
    // One that is not connected at the moment stays.
    if (!choices.has(value)) choices.set(value, value);
    pad.replaceChildren(...options([...choices]));
    pad.value = value;
    const rest = pads.filter((each) => !each.can_weigh);
    unfit.hidden = !rest.length;
    others.replaceChildren(...rest.map((each) => {
      const item = element('li', each.name);
      if (each.reason) inOwnWords(each).then((reason) => set(item, `${each.name}: ${reason}`));
      return item;
    }));
  };
  const showPad = () => {
    const now = scale.health?.pad, isThere = now?.state === 'present';
    own.told = now;
    if (isThere) set(found, say('setupFound', { name: now.name }));
    else if (now) inOwnWords(now).then((reason) => own.told === now && set(found, reason));
  };
  on('health', showPad);
  showPad();
  list(state);
  return {
    title: texts.setupSensor,
    nodes: [
      ...names.length ? [field(texts.setupConverter, sensor, 'sensor'), again] : [],
      field(texts.pagePad, pad, 'pad'),
      found,
      soft(texts.setupPadHint),
      unfit,
    ],
    show: list,
    value: () => ({ ...names.length && { sensor: sensor.value }, pad: pad.value }),
    brief: ({ sensor, pad }) => [SENSORS[sensor], nameOfPad(pad)].filter(Boolean).join(' · '),
    saved() {
      again.hidden = sensor.value === (own.sensor ?? 'none');
    },
    /** A card with something to do stays open. */
    hasMore: () => names.length > 0 && !again.hidden,
  };
}

export function brokerPart(state) {
  const isOwn = (state.broker ?? 'embedded') === 'embedded';
  const kind = choice([['embedded', texts.settingsEmbedded], ['', texts.settingsExternal]], isOwn ? 'embedded' : '');
  const address = plain(isOwn ? '' : state.broker, { placeholder: 'mqtt://broker.example.org', inputmode: 'url' });
  const user = plain(state.broker_user), password = secret(), home = check(state.home_assistant ?? true);
  const external = element('div', [
    field(texts.setupAddress, address, 'broker'),
    field(texts.setupUser, user, 'broker_user'),
    field(texts.setupPassword, password, 'broker_password', isOwn ? '' : texts.setupKept),
  ], { class: 'fields' });
  follow(kind, () => external.hidden = kind.value !== '');
  const access = () => ({
    broker: address.value.trim(),
    broker_user: user.value.trim(),
    ...(password.value || !user.value.trim()) && { broker_password: password.value },
  });
  return {
    title: texts.pageBroker,
    nodes: [
      field(texts.pageBroker, kind, 'kind'),
      external,
      field(texts.setupHomeAssistant, home, 'home_assistant'),
    ],
    value: () => ({
      ...kind.value ? { broker: 'embedded', broker_user: '', broker_password: '' } : access(),
      home_assistant: yes(home),
    }),
    missing: () => !kind.value && !address.value.trim() && { path: 'broker', message: texts.settingsNoAddress },
    brief: ({ broker, home_assistant: isHome }) =>
      [broker === 'embedded' ? texts.settingsEmbedded : broker, isHome && 'Home Assistant'].filter(Boolean).join(' · '),
    saved() {
      password.value = '';
    },
  };
}
