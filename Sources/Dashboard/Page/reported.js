// The sentences that the scale reports in English, with those of the reader's language: why the pad, the broker or the journal is not
// available, and what to do about a rejection.

const PAIRS = [
«reported»
].map(([english, own]) => {
  const names = [];
  const pattern = english.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name) => { names.push(name); return '(.*)'; });
  return { pattern: new RegExp(`^${pattern}$`), names, own };
});

/** The translation; `null` for other texts. A value may be a sentence as well. */
function sentence(text) {
  for (const { pattern, names, own } of PAIRS) {
    const match = pattern.exec(text);
    if (match) return own.replace(/\{(\w+)\}/g, (_, name) => { const value = match[names.indexOf(name) + 1]; return sentence(value) ?? value; });
  }
  return null;
}

/** Translates a sentence, also after what it is about: `/dev/input/event3: unplugged`. Returns other texts as they are. */
export function translated(text) {
  for (let start = 0; ; start = text.indexOf(': ', start) + 2) {
    const own = sentence(text.slice(start));
    if (own) return text.slice(0, start) + own;
    if (!text.includes(': ', start)) return text;
  }
}
