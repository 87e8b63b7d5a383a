// Devices that ask for the right to act: this browser, and for the owner those that ask and those that may act.

import { REACTION } from './actions.js';
import { ask, toast } from './dialogs.js';
import { $, button, element, set } from './dom.js';
import { call, reasonOf } from './requests.js';
import { on, scale } from './scale.js';
import { LOCALE, say, texts } from './texts.js';

const PATIENCE = 60; // s for which the scale waits for a press

/** Whether a press needs a load first: without a zone for it, it is force in addition to a load. */
const needsLoad = () => scale.hello.confirm === 'hold' && scale.reading?.state === 'empty';

const fail = async (answer) => toast(await reasonOf(answer), true);

/** Asks for the right to act while the dialog for the token is open, which gets the token. */
export async function askToPair(dialog, node, asker, field) {
  asker.hidden = true;
  const closing = new AbortController(), end = Date.now() + PATIENCE * 1000;
  dialog.addEventListener('close', () => closing.abort(), { once: true });
  // Not announced each second.
  const left = element('span', '', { 'aria-hidden': 'true' });
  const count = () => set(left, say('pairSeconds', { seconds: Math.max(0, Math.ceil((end - Date.now()) / 1000)) }));
  count();
  node.replaceChildren(`${needsLoad() ? texts.pairPressEmpty : texts.pairPress} `, left);
  const timer = setInterval(count, 1000);
  const platform = /iPhone|iPad|Android|Windows|Macintosh|Linux/.exec(navigator.userAgent)?.[0] ?? '?';
  const name = say('pairName', { platform });
  const { body } = await call('api/pair', { method: 'POST', content: { name }, signal: closing.signal });
  clearInterval(timer);
  asker.hidden = false;
  if (closing.signal.aborted) return;
  if (body?.ok) {
    field.value = body.token;
    dialog.close('yes');
  } else set(node, await reasonOf(body));
}

/** The request that is pending; `null` for none. */
const pending = { request: null };

/** Takes the request that is pending, or `null`. */
export function follow(request) {
  pending.request = request;
  show();
}

/** Shows which device asks, with Allow and Refuse for the owner, while the scale is heard. */
async function show() {
  const request = scale.isLive ? pending.request : null, box = $('asking'), since = performance.now();
  box.hidden = !request;
  scale.asking = request && { id: request.id, since, isOwner: false };
  if (!request) return box.replaceChildren();
  const { id, name, address } = request,
    hint = element('p', needsLoad() ? `${address} · ${texts.pairPressEmpty}` : say('pairHintPress', { address }));
  box.replaceChildren(element('h2', say('pairTitle', { name })), hint);
  const { status } = await call('api/clients');
  // Meanwhile another device may ask.
  if (status !== 200 || scale.asking?.since !== since) return;
  scale.asking.isOwner = true;
  set(hint, say('pairHint', { address }));
  const choice = ([text, allow]) => button(text, () => decide(id, allow));
  // Whatever a finger is about to press when they appear, it is not these.
  setTimeout(() => {
    if (scale.asking?.since !== since) return;
    box.append(element('p', [[texts.pairAllow, true], [texts.pairRefuse, false]].map(choice), { class: 'choice' }));
  }, REACTION);
}

async function decide(id, allow) {
  const { status, body } = await call(`api/pair/${id}`, { method: 'POST', content: { allow } });
  if (status !== 200) fail(body);
}

/** The card with the devices that may act, each with Revoke; hidden for all but the owner. */
export function pairedCard() {
  const list = element('ul'),
    card = element('section', [element('h3', texts.pairDevices), list], {
      class: 'card',
      id: 'paired-card',
      hidden: '',
    });
  const show = ({ status, body }) => {
    card.hidden = status !== 200;
    if (status !== 200) return;
    const rows = body.clients.map((client) => rowOf(client, show));
    list.replaceChildren(...rows.length ? rows : [element('li', texts.pairNone)]);
  };
  const refresh = async () => show(await call('api/clients'));
  on('open', refresh);
  on('event', (e, isOld) => !isOld && e.type === 'pairing_granted' && refresh());
  refresh();
  return card;
}

function rowOf({ id, name, kind, address, created, expires }, show) {
  const day = (time) => new Date(time).toLocaleDateString(LOCALE);
  const days = expires ? `${day(created)} – ${day(expires)}` : day(created);
  const about = [address, kind === 'app' && texts.pairApp, days].filter(Boolean).join(' · ');
  const revoke = button(texts.pairRevoke, async () => {
    if (!await ask(`${texts.pairRevoke}: ${name}?`, '', about, texts.pairRevoke, texts.pageCancel, true)) return;
    const answer = await call(`api/clients/${id}`, { method: 'DELETE' });
    if (answer.status === 200) show(answer);
    else fail(answer.body);
  }, { 'aria-label': `${texts.pairRevoke}: ${name}` });
  return element('li', [element('b', name), element('span', about), revoke]);
}

on('event', (e, isOld) => {
  if (isOld) return;
  if (e.type === 'pairing_granted') toast(say('pairingGranted', { name: e.name }));
  if (e.type === 'pairing_refused') toast(say('pairingRefused', { name: e.name }));
});
// Commit, held on a page that may decide, allows a device as a press of the scale does.
on('allow', (id) => decide(id, true));
on('link', show);
