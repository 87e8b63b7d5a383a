// The texts of the page in the language of its reader.

import { texts } from './language.js';

export { texts };

/** The language tag of the page. */
export const { lang } = texts;

/** Of the reader's languages, the one that the page is in: it tells the region, too. */
export const LOCALE = navigator.languages.find((tag) => tag.startsWith(lang.slice(0, 2))) ?? lang;

/** Inserts values for the placeholders of a text; of its plural forms, `count` chooses one. */
export function fill(text, values) {
  const form = typeof text === 'string' ? text : Number(values.count) === 1 && text.one || text.other;
  return form.replace(/\{(\w+)\}/g, (mark, name) => values[name] ?? mark);
}

/** The text of a key with values for its placeholders. */
export const say = (key, values) => fill(texts[key], values);

const sentences = { say: null };

/** A sentence of a message or an answer of the scale in the language of the page. */
export async function inOwnWords(from, name = 'reason') {
  if (lang === 'en' && from[name]) return from[name];
  try {
    // Once it is there, no English is seen in between.
    sentences.say ??= (await import('./sentences.js')).sentence;
    return sentences.say(from, name);
  } catch {
    return from[name] ?? from.reason;
  }
}
