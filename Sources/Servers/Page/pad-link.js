// The link of the simulated pad to the scale: it sends the whole state with each change.

import { toast } from './dialogs.js';
import { say, texts } from './texts.js';

const REASONS = { 400: texts.pageBadValue, 401: texts.pageDisabled, 403: texts.pageDisabled };

const link = { waiting: null, isSending: false };

export const isSending = () => link.isSending;

/** Sends the newest state; while a request is on its way, only the last of several changes waits. */
export async function post(body) {
  link.waiting = body;
  if (link.isSending) return;
  link.isSending = true;
  while (link.waiting) {
    const next = JSON.stringify(link.waiting);
    link.waiting = null;
    try {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch('api/pad', { method: 'POST', headers, body: next });
      if (!answer.ok) {
        toast(say('pageUnavailable', { reason: REASONS[answer.status] ?? texts.pageNoResponse }), true);
      }
    } catch {
      toast(texts.padSilent, true);
    }
  }
  link.isSending = false;
}
