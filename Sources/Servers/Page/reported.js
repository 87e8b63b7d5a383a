// The sentences that the scale reports in English, with those of the reader's language: why the pad, the broker, the journal or the
// configuration is not available, what to do about a rejection, and why a curve was chosen. See Texts+Received.swift. Loaded when there is one.

const [AROUND, SENTENCES, VALUES] = [
«reported»
].map(pairs => pairs.map(([english, own]) => {
  const names = [];
  const pattern = english.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name) => { names.push(name); return '(.*)'; });
  return { pattern: new RegExp(`^${pattern}$`), names, own, isOpen: english.startsWith('{') };
}));
const FIXED = SENTENCES.filter(pair => !pair.isOpen), OPEN = SENTENCES.filter(pair => pair.isOpen);

/** The translation of a text made from one of the pairs; its values may be sentences as well. `null` for other texts. */
function sentence(text, pairs) {
  for (const { pattern, names, own } of pairs) {
    const match = pattern.exec(text);
    if (match) return own.replace(/\{(\w+)\}/g, (_, name) => { const value = match[names.indexOf(name) + 1]; return line(value) ?? sentence(value, VALUES) ?? value; });
  }
  return null;
}

/** The translation of a sentence, also after what it is about; one that begins with a value follows as much of the text as possible. */
function line(text) {
  const around = sentence(text, AROUND);
  if (around) return around;
  const starts = [0, ...[...text.matchAll(/: /g)].map(match => match.index + 2)];
  for (const [order, pairs] of [[starts, FIXED], [starts.toReversed(), OPEN]]) {
    for (const start of order) {
      const own = sentence(text.slice(start), pairs);
      if (own) return text.slice(0, start) + own;
    }
  }
  return null;
}

const REASONS = {
  unstable: '«reasonUnstable»', overload: '«reasonOverload»', empty: '«reasonEmpty»',
  below_minimum: '«reasonBelowMinimum»', pad_missing: '«reasonPadMissing»', no_tare: '«reasonNoTare»',
  nothing_to_void: '«reasonNothingToVoid»', journal_unavailable: '«pageJournalUnavailable»',
  unknown_action: '«reasonUnknownAction»', unknown_weighing: '«reasonUnknownWeighing»',
  unknown_container: '«reasonUnknownContainer»', bad_payload: '«pageBadValue»',
  expired: '«reasonExpired»', busy: '«reasonBusy»', closed: '«pageDisabled»',
};

/** Translates sentences, one on each line, also after what they are about: `/dev/input/event3: unplugged`. Returns other lines as they are. */
export const translated = text => text.split('\n').map(each => line(each) ?? each).join('\n');

/** The translation of what the scale says about a rejection, or what its reason means; other texts follow the reason. */
export function explained(text, reason) {
  const own = text && translated(text), known = REASONS[reason];
  return own && own !== text ? own : known ? text ? `${known} (${text})` : known : text ?? reason;
}
