// Requests to the appliance, and the token that they need.

import { askForToken } from './dialogs.js';
import { toast } from './dom.js';
import { titleOf } from './effects.js';
import { scale, tell } from './scale.js';
import { inOwnWords, say, texts } from './texts.js';

export { inOwnWords, titleOf };

const TOKEN = 'grampad-token';
/** The actions that may wait for the scale: a browser has six connections to it, and the stop of a dose must find one. */
const MOST = 3;
const waiting = { actions: 0 };
/** The question for the token that is open. */
const asking = { question: null };

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
export async function send(path, content, again = () => toast(texts.pageTokenSaved), more = {}) {
  const { status, body } = await call(path, content ? { method: 'POST', content, ...more } : {});
  if (status === 401) askOnce(body.reason === 'token_wrong').then((isGiven) => isGiven && again());
  if (body?.reason === 'closed') {
    scale.hello.acting = 'closed';
    tell('hello', scale.hello);
  }
  return body;
}

/**
 * Sends a request with the token, if there is one; returns the status and the answer, `null` without one.
 * The content is sent as JSON, or as it is if it is a file; an answer that is not an error is read `as` JSON or a file.
 */
export async function call(path, { method = 'GET', content, as = 'json', ...more } = {}) {
  const isFile = content instanceof Blob, token = localStorage.getItem(TOKEN);
  const headers = { 'Content-Type': isFile ? 'application/octet-stream' : 'application/json' };
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    const body = isFile ? content : JSON.stringify(content);
    const answer = await fetch(path, { method, headers, cache: 'no-store', body, ...more });
    return { status: answer.status, body: await answer[answer.ok ? as : 'json']() };
  } catch {
    return { status: 0, body: null };
  }
}

/** Requests an action; returns its result, or `null` after it has shown why it has none. */
export async function request(action, parameters, again) {
  let body = { reason: 'busy' };
  if (waiting.actions < MOST) {
    waiting.actions += 1;
    body = await send(`api/action/${action}`, parameters, again);
    waiting.actions -= 1;
  }
  if (body?.ok) return body;
  if (!body?.reason.startsWith('token')) showFailure(action, body);
  return null;
}

/** Says why an action has failed. */
export async function showFailure(action, answer) {
  toast(say('pageFailed', { action: titleOf(action), reason: await reasonOf(answer) }), true);
}

/** Why the scale has refused a request; `null` is no answer. */
export const reasonOf = async (answer) => answer ? await inOwnWords(answer, 'detail') : texts.pageNoResponse;

/** Asks for the token, one question at a time; returns a promise of whether one was given. */
const askOnce = (wasWrong) => asking.question ??= askAndKeep(wasWrong).finally(() => asking.question = null);

async function askAndKeep(wasWrong) {
  localStorage.removeItem(TOKEN);
  const token = await askForToken(wasWrong);
  if (token) localStorage.setItem(TOKEN, token);
  return token !== '';
}
