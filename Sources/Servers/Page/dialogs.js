// Questions.

import { $, button, element, set } from './dom.js';
import { scale } from './scale.js';
import { say, texts } from './texts.js';

export { toast } from './dom.js';

const choice = (value, attributes = {}, text = null) => element('button', text, { value, ...attributes });

/** Adds a dialog with a title and its choices. */
function addDialog(id, content, choices, attributes) {
  const title = element('h2', null, { id: `${id}-title` }), text = element('p', null, { id: `${id}-text` });
  const form = element('form', [title, text, ...content, element('p', choices, { class: 'choice' })], {
    method: 'dialog',
  });
  document.body.append(element('dialog', form, { id, 'aria-labelledby': title.id, ...attributes }));
}

addDialog('ask', [], [
  choice('no', { id: 'ask-no', class: 'main', autofocus: '' }),
  choice('yes', { id: 'ask-yes' }),
], { 'aria-describedby': 'ask-text' });
const field = element('input', null, {
  id: 'token-field',
  type: 'password',
  autocomplete: 'off',
  'aria-label': texts.pageToken,
  placeholder: texts.pageToken,
  'aria-describedby': 'token-text',
});
// The scale is asked for a token instead.
const asker = button(texts.pagePair, async () => {
  const { askToPair } = await import('./pairing.js');
  askToPair($('token'), $('token-text'), asker, field);
}, { id: 'pair', class: 'main' });
addDialog('token', [asker, field], [
  choice('yes', { class: 'main' }, texts.pageSave),
  choice('no', {}, texts.pageCancel),
]);

/** Asks for confirmation; Enter and Escape cancel. */
export function ask(question, subject, detail, yes, no, isRisky = false) {
  const dialog = $('ask');
  set($('ask-title'), question);
  $('ask-text').hidden = !subject && !detail;
  $('ask-text').replaceChildren(element('b', subject), detail);
  set($('ask-yes'), yes);
  $('ask-yes').className = isRisky ? 'risky' : '';
  set($('ask-no'), no);
  dialog.showModal();
  $('ask-no').focus();
  // Does not use `close`: it fires after the dialog has closed and could belong to the previous question.
  return new Promise((done) => {
    // Closed before the answer is used: what was focused before has the focus again.
    const end = (event, isAgreed) => {
      event.preventDefault();
      dialog.close();
      done(isAgreed);
    };
    dialog.firstElementChild.onsubmit = (event) => end(event, event.submitter?.value === 'yes');
    dialog.oncancel = (event) => end(event, false);
    // A browser may close two dialogs with one Escape, or one that was cancelled twice.
    dialog.onkeydown = (event) => {
      if (event.key === 'Escape') end(event, false);
    };
  });
}

/** Asks for the token; returns a promise of it, empty if none was given. */
export function askForToken(wasWrong) {
  const dialog = $('token'), { pairing } = scale.hello;
  field.value = '';
  asker.hidden = !pairing;
  set($('token-title'), pairing ? texts.pageOperate : texts.pageToken);
  const hint = pairing ? texts.pagePairHint : say('pageTokenHint', { file: 'dashboard.token_file' });
  set($('token-text'), wasWrong ? texts.pageTokenWrong : hint);
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise((done) =>
    dialog.addEventListener('close', () => {
      done(dialog.returnValue === 'yes' ? field.value.trim() : '');
      field.value = '';
    }, { once: true })
  );
}
