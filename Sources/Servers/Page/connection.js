// The connection to the appliance. It sends a beat every second, so that silence indicates a fault.

import { FEEDS, openStream } from './live.js';
import { scale, tell } from './scale.js';

const SILENCE = 2200; // ms without a beat until the appliance counts as not heard
const AGAIN = 6000; // ms until a connection that hangs without an error is replaced
const LONGEST = 10e3; // ms between two attempts
const LOOK = 250; // ms

const connection = { source: null, heard: 0, begun: 0, wait: 1000, beat: null, state: null };

/** The part of an event that the page keeps, by feed. */
const keep = {
  // The outputs are named only if there are any.
  hello: (h) => Object.assign(scale.hello, { outputs: [] }, h),
  health: (h) => scale.health = h,
  actions: (list) => scale.quick = list.actions,
  containers: (list) => scale.containers = list.containers,
  learned: (list) => scale.learned = list,
  live: (r) => scale.reading = r,
  machine: (m) => scale.machine = m,
  pad: () => scale.isDemo = true,
  beat: (b) => connection.beat = b.age_ms,
};

/** Opens the stream, in place of one that is open. */
export function connect() {
  connection.source?.close();
  openStream((line) => {
    Object.assign(connection, { source: line, begun: performance.now() });
    // The first beat follows all events that happened before the stream was opened.
    let isOld = true;
    for (const name of FEEDS) {
      line.addEventListener(name, (event) => {
        connection.heard = performance.now();
        if (name === 'beat') isOld = false;
        const data = JSON.parse(event.data);
        keep[name]?.(data);
        tell(name, data, isOld);
        look();
      });
    }
    line.onopen = () => {
      isOld = true;
      connection.wait = 1000;
      tell('open');
    };
    line.onerror = () => {
      look();
      // The browser does not reconnect after an HTTP error.
      if (line.readyState !== EventSource.CLOSED || line !== connection.source) return;
      setTimeout(() => line === connection.source && connect(), connection.wait);
      connection.wait = Math.min(connection.wait * 2, LONGEST);
    };
  });
}

/** Compares what was heard with the time, and tells whether the appliance is heard. */
function look() {
  const { heard, begun, beat, source } = connection;
  const silence = performance.now() - heard, isStuck = beat !== null && beat > scale.hello.heartbeat_ms * 2 + 1000;
  const state = heard
    ? silence > SILENCE || isStuck ? 'stale' : 'live'
    : performance.now() > SILENCE
    ? 'stale'
    : 'connecting';
  if (state !== connection.state) {
    connection.state = state;
    scale.isLive = state === 'live';
    tell('link', state, heard);
  }
  if (state === 'stale') tell('silence', !heard ? 'unheard' : isStuck ? 'stuck' : 'silent', silence);
  if (silence > AGAIN && performance.now() - begun > AGAIN && source?.readyState === EventSource.OPEN) connect();
}

setInterval(look, LOOK);
// A page that is left may be kept for the way back; its stream would occupy one of the browser's connections.
addEventListener('pagehide', () => connection.source?.close());
addEventListener('pageshow', (event) => event.persisted && connect());
document.addEventListener('visibilitychange', () => document.hidden || look());
