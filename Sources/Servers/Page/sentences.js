// The sentences of the scale in the language of the page, by their keys; see HTTP.md. Loaded when there is one.

import { texts } from './service-texts.js';
import { fill } from './texts.js';

const TEXTS = Object.assign(Object.create(null), texts);

/** A sentence by its key and values; `null` for a key of another version. */
function text(key, { subject, ...values } = {}) {
  const said = key === 'verbatim' ? values.text : key === 'lines' ? lines(values.lines) : filled(TEXTS[key], values);
  return subject && said !== null ? `${subject}: ${said}` : said;
}

function lines(sentences) {
  const said = sentences.map((each) => text(each.key, each.values));
  return said.includes(null) ? null : said.join('\n');
}

function filled(own, values) {
  if (!own) return null;
  const said = Object.entries(values).map((
    [name, value],
  ) => [name, typeof value === 'string' ? value : text(value.key, value.values)]);
  if (said.some(([, value]) => value === null)) return null;
  return fill(own, Object.fromEntries(said));
}

/** A sentence of a message or an answer: by its key, or in English, or else what the reason of the rejection means. */
export function sentence(from, name) {
  const own = text(from[`${name}_key`], from[`${name}_values`]);
  if (own !== null) return own;
  const known = TEXTS[`reason_${from.reason}`];
  return known ? from[name] ? `${known} (${from[name]})` : known : from[name] ?? from.reason;
}
