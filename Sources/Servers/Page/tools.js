// Timer, target, counting and containers: buttons and forms that send actions, and the sound at the target.

const $ = id => document.getElementById(id);

/** `page` provides `request`, `obstacle`, `ask`, `toast`, `mass`, `exact` and `unit`. */
export class Tools {
  constructor(page) {
    this.page = page;
    this.box = $('tools');
    this.box.open = localStorage.getItem('grampad-tools') === 'open';
    this.box.addEventListener('toggle', () => localStorage.setItem('grampad-tools', this.box.open ? 'open' : 'closed'));
    for (const button of this.box.querySelectorAll('[data-timer]')) this.on(button, () => this.runTimer(button.dataset.timer));
    this.on($('target-end'), () => this.send('target', {}, () => '«pageTargetEnded»'));
    this.on($('count-end'), () => this.send('count', {}, () => '«pageCountingEnded»'));
    this.onSubmit('target-form', values => this.setTarget(values));
    this.onSubmit('sample-form', ({ pieces }) => this.count({ pieces: Number(pieces) }));
    this.onSubmit('piece-form', ({ piece }) => this.count({ piece_g: this.grams(piece) }));
    this.onSubmit('container-form', ({ name }) =>
      this.send('container', { name }, r => `«pageStored name=${name} mass=${page.mass(r.gross_g)}»`));
    this.onSubmit('preset-form', ({ tare }) => this.send('tare', { tare_g: this.grams(tare) }));
    this.isLoud = localStorage.getItem('grampad-sound') === 'on';
    this.sound = $('sound');
    this.sound.setAttribute('aria-pressed', this.isLoud);
    this.sound.addEventListener('click', () => this.switchSound());
    // Browsers allow sound only after a click or a key on the page.
    for (const name of ['pointerdown', 'keydown']) addEventListener(name, () => this.unlock(), { once: true });
    this.showContainers([]);
  }

  /** Performs a click, or shows why the action is unavailable. */
  on(button, perform) {
    button.addEventListener('click', () => { if (this.isPossible()) perform(); });
  }

  /** Performs the submission of a form with its fields; the browser has checked them. */
  onSubmit(id, perform) {
    const form = $(id);
    form.addEventListener('submit', async event => {
      event.preventDefault();
      if (!this.isPossible()) return;
      if (await perform(Object.fromEntries(new FormData(form)))) form.reset();
    });
  }

  isPossible() {
    const reason = this.page.obstacle();
    if (reason) this.page.toast(`«pageUnavailable reason=${reason}»`, true);
    return !reason;
  }

  /** Sends an action; returns whether it was performed. `sentence` gets the reading after it. */
  async send(action, parameters, sentence) {
    const result = await this.page.request(action, parameters);
    if (result && sentence) this.page.toast(sentence(result.reading));
    return Boolean(result);
  }

  /** A mass from a field in the unit of the display, in grams. */
  grams(text) { return Number((Number(text) * this.page.unit().grams).toFixed(6)); }

  runTimer(command) {
    this.send('timer', { do: command }, r =>
      command === 'reset' ? '«pageTimerReset»' : command === 'start' ? `«pageTimerStarted time=${clock(r.timer_s ?? 0)}»` : `«pageTimerStopped time=${clock(r.timer_s ?? 0)}»`);
  }

  setTarget({ target, tolerance }) {
    const parameters = { target_g: this.grams(target), ...(tolerance !== '' && { tolerance_g: this.grams(tolerance) }) };
    return this.send('target', parameters, r =>
      `«pageTargetSet target=${this.page.exact(r.target.target_g)} tolerance=${this.page.exact(r.target.tolerance_g)}»`);
  }

  count(parameters) {
    return this.send('count', parameters, r => {
      const pieces = r.pieces === null ? '' : `: «pieces count=${r.pieces}»`;
      return `«pageCountingPieces mass=${this.page.exact(r.piece_g)}»${pieces}`;
    });
  }

  /** Lists the known containers, each with buttons. Names come from users: they are only ever text. */
  showContainers(containers) {
    const list = $('containers');
    const hadFocus = list.contains(document.activeElement);
    this.containers = containers;
    list.replaceChildren(...containers.map(({ name, tare_g, configured }) => {
      const [row, text, tare, remove, pair] = ['li', 'span', 'button', 'button', 'div'].map(tag => document.createElement(tag));
      text.textContent = `${name}, ${this.page.mass(tare_g)}`;
      tare.textContent = '«pageDoTare»';
      tare.setAttribute('aria-label', `«pageTareWith name=${name}»`);
      remove.textContent = '«pageRemove»';
      remove.setAttribute('aria-label', `«pageRemoveIt name=${name}»`);
      tare.type = remove.type = 'button';
      this.on(tare, () => this.send('tare', { container: name }));
      this.on(remove, () => this.remove(name, tare_g));
      pair.append(tare);
      // Only the configuration removes its containers.
      if (!configured) pair.append(' ', remove);
      row.append(text, pair);
      return row;
    }));
    if (!containers.length) list.append(Object.assign(document.createElement('li'), { textContent: '«pageNoContainers»' }));
    if (hadFocus) list.focus();
    this.allow();
  }

  async remove(name, tare_g) {
    if (await this.page.ask('«pageAskRemove»', name, `«pageRemoveHint mass=${this.page.mass(tare_g)}»`, '«pageRemove»', '«pageKeep»', true)) {
      this.send('container', { name, remove: true }, () => `«pageRemoved name=${name}»`);
    }
  }

  /** Shows the unit of the display, which the fields for masses have. */
  showUnit() {
    for (const node of this.box.querySelectorAll('[data-unit]')) node.textContent = this.page.unit().symbol;
    this.showContainers(this.containers);
  }

  /** Marks the buttons as available or not. */
  allow() {
    const isDisabled = this.page.obstacle() !== '';
    for (const button of this.box.querySelectorAll('button')) if (button !== this.sound) button.setAttribute('aria-disabled', isDisabled);
  }

  // ---- Sound.

  switchSound() {
    this.isLoud = !this.isLoud;
    localStorage.setItem('grampad-sound', this.isLoud ? 'on' : 'off');
    this.sound.setAttribute('aria-pressed', this.isLoud);
    if (this.isLoud) this.chime();
  }

  unlock() {
    if (!this.isLoud) return;
    this.audio ??= new AudioContext();
    if (this.audio.state === 'suspended') this.audio.resume().catch(() => {});
  }

  /** The tones of an event, if sound is on: hertz and the delay in seconds. */
  play(event) { this.chime({ selected: [[660, 0]], confirmed: [[990, 0]] }[event]); }

  /** Short tones, if sound is on: by default the two of a target. */
  async chime(tones = [[880, 0], [1320, .18]]) {
    if (!this.isLoud) return;
    this.unlock();
    const { audio } = this;
    // Before the first click the browser keeps it suspended.
    if (audio.state !== 'running') await Promise.race([audio.resume().catch(() => {}), new Promise(done => setTimeout(done, 500))]);
    if (audio.state !== 'running') return;
    for (const [hertz, delay] of tones) {
      const [tone, volume, start] = [audio.createOscillator(), audio.createGain(), audio.currentTime + delay];
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(.2, start);
      volume.gain.exponentialRampToValueAtTime(.001, start + .16);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + .17);
    }
  }
}

/** A time on the timer: `0:27`. */
export const clock = seconds => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
