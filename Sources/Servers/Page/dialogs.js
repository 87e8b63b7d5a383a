// Messages at the foot of the page, and questions.

import { $, element, set } from './dom.js';

const toasted = { timer: 0 };

/** Shows a message for some seconds; it covers neither the number nor its state. */
export function toast(text, isBad = false) {
  set($('toast'), text);
  $('toast').dataset.show = isBad ? 'bad' : 'good';
  clearTimeout(toasted.timer);
  toasted.timer = setTimeout(() => delete $('toast').dataset.show, isBad ? 6000 : 3500);
}

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
