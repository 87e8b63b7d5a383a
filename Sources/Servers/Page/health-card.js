// The health of the scale in the settings: every part with its state, and what is to be done.

import { isInstallable } from './app.js';
import { element } from './dom.js';
import { partsOf } from './health.js';
import { inOwnWords } from './requests.js';
import { on, scale } from './scale.js';
import { say, texts } from './texts.js';

const ACTING = { open: texts.pageActingOpen, token: texts.pageActingToken, closed: texts.pageActingClosed };
const actingOf = ({ acting, pairing }) => pairing && acting === 'token' ? texts.pagePairing : ACTING[acting] ?? '';

/** The card, which follows the health. */
export function healthCard() {
  const list = element('dl', null, { id: 'health' });
  const links = [['healthz', texts.pageStatus], ['metrics', texts.pageMetrics]];
  if (scale.machine) links.push(['#/setup', texts.setupMachine]);
  const update = () => scale.health && list.replaceChildren(...rowsOf(scale.health).flatMap(nodesOf));
  on('health', update);
  on('hello', update);
  update();
  return element('section', [
    element('div', [
      element('h3', texts.pageHealth),
      element('span', links.map(([href, text]) => element('a', text, { href })), { class: 'links' }),
    ], { class: 'head' }),
    list,
    isInstallable ? null : element('p', texts.pageInstall, { class: 'soft' }),
  ], { class: 'card', id: 'health-card' });
}

/** A name and a value. A fault is told in the language of the page: the sentence `[message, field]`. */
function nodesOf([name, text, isBad = false, from = null, field = 'reason']) {
  const value = element('dd', text, isBad ? { class: 'bad' } : {});
  if (isBad && from) inOwnWords(from, field).then((own) => value.textContent = own);
  return [element('dt', name), value];
}

function rowsOf(health) {
  const { pad, broker, journal, configuration, calibration_warning: warning } = health, parts = partsOf(health);
  return [
    parts.pad
      ? [texts.pagePad, pad.path === 'simulated' ? pad.name : `${pad.name}, ${pad.path}`]
      : [texts.pagePad, pad.reason, true, pad],
    pad.warning && [texts.pageReadings, pad.advice, true, pad, 'advice'],
    pad.sample_rate_hz &&
    [
      texts.pageSampling,
      say('pageSamplingText', { rate: pad.sample_rate_hz, noise: pad.noise_g, time: pad.stability_ms }),
    ],
    warning && [texts.pageCalibration, warning, true, health, 'calibration_warning'],
    parts.broker
      ? [texts.pageBroker, `${broker.address}, MQTT ${broker.mqtt}`]
      : [texts.pageBroker, broker.reason, true, broker],
    journalRow(journal, parts.journal),
    outboxRow(health.outbox),
    health.dropped_messages > 0 &&
    [texts.pageDropped, say('pageDroppedText', { number: health.dropped_messages }), true],
    health.clock === 'unsynchronised' && [texts.pageClock, texts.pageUnsynchronised, true],
    configuration.state === 'in_force'
      ? [texts.pageConfiguration, texts.pageInForce]
      : [texts.pageConfiguration, configuration.reason, true, configuration],
    [texts.pageActions, actingOf(scale.hello)],
    [texts.pageVersion, health.version],
  ].filter(Boolean);
}

function journalRow(journal, isWell) {
  if (!isWell) return [texts.pageJournal, journal.reason, true, journal];
  if (journal.warning) return [texts.pageJournal, journal.warning, true, journal, 'warning'];
  return [texts.pageJournal, journal.path === 'memory' ? texts.pageInMemory : journal.path];
}

function outboxRow({ waiting, parked, parked_reason: reason }) {
  if (parked) return [texts.pageOutbox, say('pageParked', { waiting, parked, reason }), true];
  return [texts.pageOutbox, waiting ? say('pageOutboxWaiting', { count: waiting }) : texts.pageOutboxEmpty];
}
