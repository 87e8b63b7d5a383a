// Opens the stream of the appliance and shows the first weight while the rest of the page is loading.

/** The events of the stream, see `Feed`, and its heartbeat. */
export const FEEDS =
  'hello health actions containers learned pad live stable gesture control weighing event pairing machine beat'
    .split(' ');

export const typeset = (text) => text.replace('-', '−');

/** The digits and the unit of a reading. Its printable text ends with the unit; without a pad there is no value. */
export function digitsOf(reading) {
  const [, number, unit] = /^(.*?)\s*([^\s\d]*)$/.exec(reading.printable);
  return [reading.net_g === null && !reading.overload ? '– – –' : typeset(number), unit];
}

let first = new EventSource('api/live');
// The newest event of each feed, in the order of their arrival.
const arrived = new Map();
for (const name of FEEDS) {
  first.addEventListener(name, (event) => {
    if (!first) return;
    arrived.delete(name);
    arrived.set(name, event);
    const unit = document.getElementById('unit');
    if (name === 'live' && unit) {
      [document.getElementById('digits').textContent, unit.textContent] = digitsOf(JSON.parse(event.data));
    }
  });
}

/**
 * Opens the stream. The first time it is the one that is open already, unless it was closed; then the events that have arrived are
 * repeated after `follow` has added its listeners.
 */
export function openStream(follow) {
  const isOpen = first && first.readyState !== EventSource.CLOSED;
  const stream = isOpen ? first : new EventSource('api/live');
  first = null;
  follow(stream);
  if (!isOpen) return;
  if (stream.readyState === EventSource.OPEN) stream.dispatchEvent(new Event('open'));
  for (const event of arrived.values()) stream.dispatchEvent(event);
}
