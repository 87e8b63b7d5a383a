// Reads weighings of the whole journal, in pages.

const LARGEST = 200; // weighings of a request
export const after = (delay) => new Promise((done) => setTimeout(done, delay));

/** Reads from the journal, later if too many searches are running; `null` if it cannot be read. */
export async function read(path, isCurrent) {
  try {
    for (;;) {
      const answer = await fetch(path, { cache: 'no-store' });
      if (answer.ok) return await answer.json();
      const delay = Number(answer.headers.get('Retry-After'));
      if (!delay || !isCurrent()) return null;
      await after(delay * 1000);
      if (!isCurrent()) return null;
    }
  } catch {
    return null;
  }
}

/**
 * Reads up to `most` weighings of a selection before a number, newest first: `{weighings, sequence, next}`; `null` if
 * they cannot be read. A search that takes long answers with what it has found so far, and continues with the next
 * request; `onProgress` follows it.
 */
export async function readAll(selection, most, { before = null, isCurrent = () => true, onProgress } = {}) {
  const list = { weighings: [], next: before }, page = new URLSearchParams(selection);
  do {
    page.set('limit', Math.min(most - list.weighings.length, LARGEST));
    if (list.next) page.set('before', list.next);
    const part = await read(`api/history?${page}`, isCurrent);
    if (!part || !isCurrent()) return null;
    list.weighings.push(...part.weighings);
    Object.assign(list, { sequence: part.sequence, next: part.next });
    if (part.next && list.weighings.length < most) onProgress?.(list);
  } while (list.next && list.weighings.length < most);
  return list;
}
