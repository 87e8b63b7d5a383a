// What the scale has learned about stops: how much arrives after a stop, for each label.

import { ask } from './dialogs.js';
import { element } from './dom.js';
import { fine } from './dosing.js';
import { actionButton, input, perform } from './forms.js';
import { table } from './parts.js';
import { fixed, on, scale } from './scale.js';
import { say, texts } from './texts.js';

const LIST = 'stop-labels';
const suggestions = element('datalist', null, { id: LIST }), rows = element('div');
/** The card with the table; it is shown once something was learned. */
export const learnedCard = element('details', [
  element('summary', element('h2', texts.pageLearned)),
  element('p', texts.pageLearnedHint, { class: 'soft' }),
  rows,
  suggestions,
], { class: 'card', id: 'learned-card' });

/** An input for the label under which stops are learned. */
export const labelField = () =>
  input(texts.pageLabel, { name: 'label', maxlength: 64, autocomplete: 'off', list: LIST });

const nameOf = (label) => label || texts.pageNoLabel;

function show() {
  const { learned } = scale, hadFocus = rows.contains(document.activeElement);
  learnedCard.hidden = !learned.length;
  suggestions.replaceChildren(
    ...learned.filter((e) => e.label).map((e) => element('option', null, { value: e.label })),
  );
  const heads = [texts.pageLabel, texts.pageDeadTime, texts.pageArrived, texts.pageDoses, ''];
  rows.replaceChildren(table(
    texts.pageLearned,
    heads,
    learned.map(({ label, dead_time_ms: time, arrived_g: arrived, doses }) => [
      nameOf(label),
      time === undefined ? '–' : `${fixed(time / 1000, 2)} s`,
      fine(arrived),
      String(doses),
      actionButton(texts.pageReset, () => askToForget(label), {
        'aria-label': say('pageForgetIt', { label: nameOf(label) }),
      }),
    ]),
  ));
  if (hadFocus && learned.length) rows.firstChild.focus();
}

async function askToForget(label) {
  if (!await ask(texts.pageAskForget, nameOf(label), texts.pageForgetHint, texts.pageReset, texts.pageKeep, true)) {
    return;
  }
  perform('dose', { forget: label }, () => say('pageForgotten', { label: nameOf(label) }));
}

on('learned', show);
on('hello', show);
show();
