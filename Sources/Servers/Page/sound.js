// Sounds of the page: at a stop, at the target, and when a press may be released. Browsers allow them only after a click or a key.

import { on } from './scale.js';

const KEY = 'grampad-sound';
const PEAK = .2; // of the full volume
const LENGTH = .16; // s
const PATIENCE = 500; // ms to wait for the browser

const sound = { isLoud: localStorage.getItem(KEY) === 'on', audio: null };

export const isLoud = () => sound.isLoud;

/** Switches the sound; the first tone shows that it works. */
export function switchSound() {
  sound.isLoud = !sound.isLoud;
  localStorage.setItem(KEY, sound.isLoud ? 'on' : 'off');
  chime();
}

/** Says that the target is reached. */
export const chime = () => play([[880, 0], [1320, .18]]);

/** Says that whatever fills the load has to stop. */
export const callForStop = () => play([[1760, 0], [1760, .2], [1760, .4]]);

/** Says that a press may be confirmed, or was. */
on('full', (state) => play([[state === 'confirmed' ? 990 : 660, 0]]));

function unlock() {
  if (!sound.isLoud) return;
  sound.audio ??= new AudioContext();
  sound.audio.resume().catch(() => {});
}

/** Plays tones, each `[hertz, delay in s]`. */
async function play(tones) {
  if (!sound.isLoud) return;
  unlock();
  const { audio } = sound;
  // Before the first click the browser keeps it suspended.
  if (audio.state !== 'running') {
    await Promise.race([audio.resume().catch(() => {}), new Promise((done) => setTimeout(done, PATIENCE))]);
  }
  if (audio.state !== 'running') return;
  for (const [hertz, delay] of tones) {
    const tone = audio.createOscillator(), volume = audio.createGain(), start = audio.currentTime + delay;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(PEAK, start);
    volume.gain.exponentialRampToValueAtTime(.001, start + LENGTH);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + LENGTH + .01);
  }
}

for (const name of ['pointerdown', 'keydown']) addEventListener(name, unlock, { once: true });
