// The backup of a machine: one file that the browser saves, and from which a machine is restored.

import { ask } from './dialogs.js';
import { button, element, set } from './dom.js';
import { row, soft } from './parts.js';
import { call, reasonOf, send } from './requests.js';
import { say, texts } from './texts.js';

const PATH = 'api/machine';
const PIECE = 60 * 1024; // bytes, below the limit of a body
const STEP = 10; // percent between two messages about the upload

/** The file name of a backup: the host and the day. */
const nameOf = ({ hostname = 'grampad' }) => `${hostname}-${new Date().toLocaleDateString('sv')}.tar`;

/** Saves a file as a download. A link alone could not send the token. */
function download(content, name) {
  const url = URL.createObjectURL(content), link = element('a', null, { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 6e4);
}

/** Sends a file in pieces; returns the first answer that is not `ok`, or the last one. */
async function upload(file, tell) {
  let at = 0, answer = null;
  do {
    answer = await send(`${PATH}/restore?offset=${at}`, file.slice(at, at + PIECE));
    at += PIECE;
    tell(Math.min(100, Math.floor(100 * at / file.size / STEP) * STEP));
  } while (answer?.ok && at < file.size);
  return answer;
}

/** The buttons for a backup in a view of the machine; `canSave` is whether there is something to save. */
export function backupParts(view, canSave) {
  const status = element('p', null, { role: 'status' }), alert = element('p', null, { class: 'alert', role: 'alert' });
  const file = element('input', null, { type: 'file', accept: '.tar', hidden: '' });
  const own = { isAsked: false, isSending: false, seen: '' };
  const save = button(texts.setupSave, async () => own.isAsked = await view.perform({ do: 'backup' }, card));
  const restore = button(texts.setupRestore, () => own.isSending || file.click());
  const content = element('div', [row(canSave ? save : null, restore), file, status, alert], { class: 'fields' });
  const card = { content, alert };

  file.addEventListener('change', async () => {
    const [chosen] = file.files, question = chosen && say('setupAskRestore', { name: chosen.name });
    if (
      !chosen ||
      !await ask(question, '', texts.setupRestoreReplaces, texts.setupRestoreGo, texts.pageCancel, true)
    ) return file.value = '';
    set(alert);
    restore.disabled = own.isSending = true;
    const answer = await upload(chosen, (percent) => set(status, say('setupUploading', { percent })));
    restore.disabled = own.isSending = false;
    file.value = '';
    set(status);
    if (answer?.ok) return view.perform({ do: 'restore' }, card);
    if (!answer?.reason?.startsWith('token')) {
      set(alert, say('setupUploadFailed', { reason: await reasonOf(answer) }));
    }
  });

  async function fetchBackup(state) {
    const { body } = await call(`${PATH}/backup`, { as: 'blob' });
    if (!(body instanceof Blob)) return set(alert, await reasonOf(body));
    download(body, nameOf(state));
  }

  return {
    content,
    alert,
    show(state) {
      const { backup = {}, restore = {} } = state, seen = JSON.stringify([backup, restore]);
      if (own.isAsked && backup.state === 'ready') {
        own.isAsked = false;
        fetchBackup(state);
      }
      if (seen === own.seen || own.isSending) return;
      own.seen = seen;
      set(status, { making: texts.setupMaking }[backup.state] ?? { checking: texts.setupVerifying }[restore.state]);
      const failed = [restore, backup].find((each) => each.state === 'failed');
      set(alert, failed && say('setupFailed', { reason: failed.reason }));
      if (restore.state === 'restart') view.restarts();
    },
  };
}

/** The offer to restore a backup, in the first step of the set-up. */
export function offerRestore(part, view) {
  const { content, show } = backupParts(view, false);
  return { ...part, nodes: [...part.nodes, soft(texts.setupRestoreStart), content], show };
}
