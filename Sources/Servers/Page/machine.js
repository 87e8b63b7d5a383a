// The cards of a machine that is set up: its versions and updates, backup, restart and factory reset.

import { backupParts } from './backup.js';
import { button, element, set } from './dom.js';
import { pairs, row, soft } from './parts.js';
import { scale } from './scale.js';
import { field } from './settings-fields.js';
import { LOCALE, say, texts } from './texts.js';

/** The state of the updates in words. */
function updateOf({ state, version, reason, checked } = {}) {
  const said = {
    none: texts.setupUpToDate,
    checking: texts.setupChecking,
    installing: say('setupInstalling', { version }),
    restart: say('setupInstalled', { version }),
    failed: say('setupFailed', { reason }),
  }[state] ?? '–';
  const isOver = state === 'none' || state === 'failed';
  const time = isOver && checked &&
    new Date(checked).toLocaleString(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
  return time ? `${said} (${say('setupChecked', { time })})` : said;
}

/** A card without a title to open it. */
function section(title, nodes, more) {
  const alert = element('p', null, { class: 'alert', role: 'alert' });
  const content = element('div', [...nodes, alert]);
  return { node: element('section', [element('h3', title), content], { class: 'card' }), content, alert, ...more };
}

function updatesCard(view) {
  const list = element('div'), automatic = element('input', null, { type: 'checkbox' });
  const back = button('', () => {
    const version = view.state.previous;
    view.leave('back', say('setupAskBack', { version }), texts.setupBackHint, say('setupBack', { version }));
  });
  const update = button(
    texts.setupUpdate,
    () => view.leave('update', texts.setupAskUpdate, texts.setupBackHint, texts.setupUpdate),
    { class: 'main' },
  );
  const card = section(texts.setupVersions, [
    list,
    field(texts.setupAutomatic, automatic, 'updates'),
    row(update, back),
  ], {
    show(state) {
      const { version = scale.hello.version, previous } = state;
      const rows = [[texts.pageVersion, version ?? '–'], [texts.setupPrevious, previous ?? '–'], [
        texts.setupUpdates,
        updateOf(state.update),
      ]];
      const text = JSON.stringify(rows);
      if (text !== list.dataset.text) list.replaceChildren(pairs(rows));
      list.dataset.text = text;
      automatic.checked = state.updates ?? true;
      back.hidden = !previous;
      set(back, say('setupBack', { version: previous ?? '' }));
    },
  });
  automatic.addEventListener('change', async () => {
    const updates = automatic.checked ? 'yes' : 'no';
    if (!await view.perform({ do: 'set', set: { updates } }, card)) automatic.checked = !automatic.checked;
  });
  return card;
}

function backupCard(view) {
  const { content, show } = backupParts(view, true);
  return section(texts.setupBackup, [soft(texts.setupBackupHint), content], { show });
}

const powerCard = (view, restart) =>
  section(texts.setupPower, [
    row(
      button(texts.setupRestart, restart),
      button(texts.setupReset, () =>
        view.leave('reset', texts.setupAskReset, texts.setupResetHint, texts.setupResetGo, true), { class: 'risky' }),
    ),
  ], { show() {} });

/** The first card, and the last ones. */
export const machineCards = (view, restart) => [updatesCard(view), backupCard(view), powerCard(view, restart)];
