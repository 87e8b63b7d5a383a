// Requests to the appliance, and the token that they need.

import { toast } from './dialogs.js';
import { $, set } from './dom.js';
import { scale, tell } from './scale.js';
import { lang, say, texts } from './texts.js';

const TOKEN = 'grampad-token';
/** The function that says sentences, and the question for the token that is open. */
const parts = { sentence: null, asking: null };

/** Reads data of the appliance; `null` if that fails. */
export async function load(path) {
  try {
    const answer = await fetch(path, { cache: 'no-store' });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/**
 * Sends a request with the token, a POST if it has content; returns the answer, `null` without one.
 * Asks for a missing token; calls `again` once it was given.
 */
export async function send(path, content, again = () => toast(texts.pageTokenSaved)) {
  const headers = { 'Content-Type': 'application/json' }, token = localStorage.getItem(TOKEN);
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    const method = content ? { method: 'POST', body: JSON.stringify(content) } : { cache: 'no-store' };
    const answer = await fetch(path, { ...method, headers }), body = await answer.json();
    if (answer.status === 401) askForToken(body.reason === 'token_wrong').then((isGiven) => isGiven && again());
    if (body.reason === 'closed') {
      scale.hello.acting = 'closed';
      tell('hello', scale.hello);
    }
    return body;
  } catch {
    return null;
  }
}

/** Requests an action; returns its result, or `null` after it has shown why it has none. */
export async function request(action, parameters, again) {
  const body = await send(`api/action/${action}`, parameters, again);
  if (body?.ok) return body;
  if (!body?.reason.startsWith('token')) showFailure(action, body);
  return null;
}

/** Says why an action has failed. */
export async function showFailure(action, answer) {
  const reason = answer ? await inOwnWords(answer, 'detail') : texts.pageNoResponse;
  toast(say('pageFailed', { action: titleOf(action), reason }), true);
}

/** The name of an action. */
export const titleOf = (action) => TITLES[action] ?? scale.quick.find((q) => q.type === action)?.title ?? action;

const TITLES = {
  // A quick action may be named like a member of every object.
  __proto__: null,
  commit: texts.pageCommit,
  tare: texts.pageDoTare,
  zero: texts.pageZero,
  void: texts.pageVoid,
  clear_tare: texts.pageClearTare,
  timer: texts.pageTimer,
  target: texts.pageTarget,
  count: texts.pageCounting,
  container: texts.pageContainer,
  history: texts.pageHistory,
  relabel: texts.pageRelabel,
};

/** A sentence of a message or an answer of the scale in the language of the page. */
export async function inOwnWords(from, name = 'reason') {
  if (lang === 'en' && from[name]) return from[name];
  try {
    // Once it is there, no English is seen in between.
    parts.sentence ??= (await import('./sentences.js')).sentence;
    return parts.sentence(from, name);
  } catch {
    return from[name] ?? from.reason;
  }
}

/** Asks for the token, one question at a time; returns a promise of whether one was given. */
const askForToken = (wasWrong) => parts.asking ??= question(wasWrong).finally(() => parts.asking = null);

function question(wasWrong) {
  localStorage.removeItem(TOKEN);
  const dialog = $('token'), field = $('token-field');
  field.value = '';
  set($('token-text'), wasWrong ? texts.pageTokenWrong : say('pageTokenHint', { file: 'dashboard.token_file' }));
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise((done) =>
    dialog.addEventListener('close', () => {
      const given = dialog.returnValue === 'yes' && field.value.trim();
      if (given) localStorage.setItem(TOKEN, given);
      field.value = '';
      done(Boolean(given));
    }, { once: true })
  );
}
