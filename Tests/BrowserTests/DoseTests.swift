import Foundation
import Testing

extension All {
  /// Doses and stops ahead of a target, on a whole appliance with an output and a simulated pad onto which the test pours.
  struct DoseTests {
    /// Lets a test pour 2 g/s onto the pad until the page has heard of a stop, and two steps longer; records the events,
    /// the messages, the tones and the flashes of the page.
    private static let script = """
      Object.assign(window, { heard: [], tones: 0, flashes: 0, mass: 0, pouring: 0 });
      const make = AudioContext.prototype.createOscillator;
      AudioContext.prototype.createOscillator = function () { window.tones += 1; return make.call(this); };
      const post = (path, json) => fetch(`api/${path}`,
        { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(json) }).then(a => a.json());
      window.dose = target => post('action/dose', { output: 'grinder', target_g: target });
      window.restartScript = () => post('pad', { scripted: true });
      window.put = mass => {
        window.mass = mass;
        return post('pad', { plugged: true, noise_g: 0, loads: [{ id: 1, mass_g: mass, x: 0.5, y: 0.5 }], finger: null });
      };
      const isOff = () => document.querySelector('#dosing').dataset.state === 'settling' || heard.at(-1)?.type === 'target_stop';
      window.pour = () => {
        let late = 0, isBusy = false;
        // One step at a time: on a busy machine the stream is slower, but has no lumps.
        window.pouring = setInterval(() => {
          if (isBusy) return;
          if (isOff() && ++late > 2) return clearInterval(pouring);
          isBusy = true;
          put(mass + 0.5).finally(() => { isBusy = false; });
        }, 250);
      };
      addEventListener('DOMContentLoaded', () => {
        new EventSource('api/live').addEventListener('event', ({ data }) => {
          heard.push(JSON.parse(data));
        });
        const watch = (node, note, what) => new MutationObserver(note).observe(node, what);
        watch(document.documentElement, () => flashes += 'flash' in document.documentElement.dataset, { attributeFilter: ['data-flash'] });
      });
      """

    private static let dosing = "document.querySelector('#dosing')"
    private static let isDosing = "\(dosing)?.checkVisibility()"

    private func open(_ view: String, languages: String = "en-GB") throws -> (Stage, Browser) {
      let stage = try Stage("dosing")
      let browser = try Browser(languages: languages)
      try browser.call("Page.addScriptToEvaluateOnNewDocument", ["source": Self.script])
      try browser.resize(390, 844)
      try browser.call("Page.navigate", ["url": stage.address + view])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try browser.waitForLateParts()
      try browser.wait("the broker", until: "document.querySelector('#part-broker').dataset.state === 'ok'")
      try putCup(browser)
      return (stage, browser)
    }

    private func putCup(_ browser: Browser) throws {
      try browser.evaluate("put(50)")
      try browser.wait(
        "50 g", until: "document.querySelector('#digits').textContent === '50' && \(LayoutTests.state("stable"))")
    }

    /// Starts a dose by its request, and pours.
    private func start(_ target: Int, _ browser: Browser) throws {
      try browser.evaluate("dose(\(target)).then(pour)")
      try browser.wait("the stop", until: Self.isDosing)
    }

    private func waitForDose(_ reason: String, _ browser: Browser) throws {
      try browser.wait("the end: \(reason)", until: "heard.some(e => e.type === 'dosed' && e.reason === '\(reason)')")
      try browser.wait("no stop", until: "!\(Self.isDosing)")
    }

    /// The stop is there in every view, over an open question and in the kiosk, and acts when it is pressed, not when it is
    /// released.
    @Test(arguments: [
      ("#/brew", "", "mouse"), ("#/history", "", "Escape"), ("#/settings", "", "Enter"), ("#/", "question", "mouse"),
      ("#/", "question", "Escape"), ("kiosk", "", "mouse"),
    ])
    func aDoseIsStopped(_ view: String, _ over: String, _ how: String) throws {
      let (stage, browser) = try open(view)
      defer { withExtendedLifetime(stage) {} }
      try start(300, browser)
      try browser.wait(
        "what is dosed", until: "\(Self.dosing).querySelector('p').textContent === 'Dosing 300 g with grinder'")
      try browser.wait("the net", until: "/^\\d+ g \\/ 300 g$/.test(\(Self.dosing).querySelector('b').textContent)")
      #expect(try browser.number("\(Self.dosing).querySelector('progress').max") == 300)
      if over == "question" {
        try browser.evaluate("document.querySelector('#ask').showModal()")
        try browser.wait("the stop is not inert", until: "\(Self.dosing).closest('#ask')")
      }
      switch how {
      case "mouse": try browser.mouse("mousePressed", on: "#dosing button")
      case "Enter":
        try browser.evaluate("\(Self.dosing).querySelector('button').focus()")
        try browser.key("keyDown", "Enter", code: 13, text: "\r")
      default: try browser.key("keyDown", how, code: 27)
      }
      try waitForDose("stopped", browser)
      try browser.wait("a message", until: "told.some(text => text.startsWith('Dose ended: stopped'))")
      #expect(try browser.number("heard.filter(e => e.type === 'dose_started').length") == 1)
    }

    /// Requests that wait do not hold up a stop: here more than the browser has connections, for a load at rest. The script of the
    /// pad pours for longer than they wait, so that the load does not come to rest while the page is slow.
    @Test func aStopOvertakesWhatWaits() throws {
      let (stage, browser) = try open("#/brew")
      defer { withExtendedLifetime(stage) {} }
      try browser.evaluate("restartScript()")
      try browser.wait("its load", until: "/^[234]\\d$/.test(document.querySelector('#digits').textContent)")
      try browser.wait("a dose onto 20 g", until: "dose(380).then(answer => answer.ok)")
      try browser.wait("the stop", until: Self.isDosing)
      try browser.wait("a load that moves", until: LayoutTests.state("settling"))
      try browser.evaluate(
        """
        Object.assign(window, { answered: 0, before: null });
        import('./requests.js').then(({ request }) => {
          for (let number = 0; number < 10; number++) request('commit', {}).then(result => { answered += result !== null; });
        });
        const state = () => \(Self.dosing).dataset.state;
        new MutationObserver(() => { if (state() === 'settling') before ??= answered; })
          .observe(\(Self.dosing), { attributeFilter: ['data-state'] });
        """)
      try browser.wait(
        "a refusal", until: "told.includes('Commit failed: too many commands are waiting; try again')")
      try browser.mouse("mousePressed", on: "#dosing button")
      try browser.wait("it is switched off first", until: "before === 0")
      try waitForDose("stopped", browser)
    }

    /// Without the scale, the page says that its stop does nothing, also after a press. The scale ends the dose by itself.
    @Test func aStopThatCannotBeSentIsSaid() throws {
      let (stage, browser) = try open("#/brew")
      try start(300, browser)
      stage.child.send(SIGSTOP)
      try browser.evaluate("clearInterval(pouring)")
      let word = "\(Self.dosing).querySelector('p').textContent"
      try browser.wait(
        "the advice", until: "\(word) === 'The stop cannot be sent: not connected. Switch the plug off by hand.'")
      try browser.mouse("mousePressed", on: "#dosing button")
      #expect(try browser.isTrue("\(Self.isDosing)"))
      stage.child.send(SIGCONT)
      try browser.wait("the scale is back", until: "document.documentElement.dataset.link === 'live'")
      try browser.wait("no stop", until: "!\(Self.isDosing)")
    }

    /// A dose is started with the form, stopped by the scale ahead of its target, learned for its label, and forgotten.
    @Test func aDoseIsLearnedAndForgotten() throws {
      let (stage, browser) = try open("#/brew")
      defer { withExtendedLifetime(stage) {} }
      let card = "document.querySelector('#learned-card')"
      #expect(try browser.isTrue("\(card).hidden"), "nothing is learned yet")
      #expect(try browser.isTrue("document.querySelector('#dose-form select').closest('label').hidden"), "one output")
      try browser.evaluate("document.querySelector('#dose-other').click()")
      #expect(try browser.text("document.activeElement.name") == "target")
      try browser.call("Input.insertText", ["text": "75"])
      try browser.evaluate("document.querySelector('#dose-form [name=label]').value = 'beans'")
      // A second Enter at once starts nothing, so that nothing is refused.
      try browser.evaluate(
        "document.querySelector('#dose-form').addEventListener('submit', ({ target }) => setTimeout(() => target.requestSubmit()), { once: true })"
      )
      try browser.key("keyDown", "Enter", code: 13, text: "\r")
      // A dose without a flow would end soon.
      try browser.wait("the stop", until: "\(Self.isDosing) && (pour(), true)")
      try waitForDose("reached", browser)
      #expect(try browser.isTrue("!told.some(text => text.startsWith('Dose failed'))"))
      try browser.wait(
        "a message", until: "told.some(text => /^7\\d\\.\\d g(, \\d+\\.\\d g (over|under))?$/.test(text))")
      #expect(try browser.text("document.querySelector('#dose-form [name=target]').value") == "75", "for the next dose")

      try browser.wait("the table", until: "!\(card).hidden")
      let cells =
        try browser.evaluate("[...\(card).querySelectorAll('tbody td')].map(cell => cell.textContent)") as? [String]
      #expect(cells?.first == "beans" && cells?.dropFirst(3).first == "1" && cells?.count == 5, "\(cells ?? [])")
      #expect(try browser.isTrue("document.querySelector('#stop-labels [value=beans]')"), "it is suggested")
      let reset = "\(card).querySelector('[aria-label=\"Reset beans\"]')"
      try browser.evaluate("\(card).open = true; \(reset).click()")
      try browser.wait("a question", until: "document.querySelector('#ask').open")
      // Enter keeps it.
      try browser.key("keyDown", "Enter", code: 13, text: "\r")
      try browser.key("keyUp", "Enter", code: 13)
      try browser.wait("no question", until: "!document.querySelector('#ask').open")
      try browser.evaluate("\(reset).click()")
      try browser.wait("a question", until: "document.querySelector('#ask').open")
      try browser.evaluate("document.querySelector('#ask-yes').click()")
      try browser.waitUntilTold(" === 'Forgot what was learned for beans'")
      try browser.wait("no table", until: "\(card).hidden")
    }

    /// German words are long: the table of what was learned has room for them.
    @Test func whatWasLearnedIsLaidOutWell() throws {
      let (stage, browser) = try open("#/brew", languages: "de-DE")
      defer { withExtendedLifetime(stage) {} }
      try start(75, browser)
      try waitForDose("reached", browser)
      try browser.wait("the table", until: "!document.querySelector('#learned-card').hidden")
      try browser.evaluate("document.querySelector('#learned-card').open = true")
      for (textSize, width) in [(16, 320), (16, 390), (16, 510), (16, 600), (16, 1280), (32, 320), (32, 510)] {
        try browser.setTextSize(textSize)
        try browser.resize(width, 844)
        try browser.wait("no message", until: "!document.querySelector('#toast').dataset.show")
        try browser.evaluate("document.querySelector('#learned-card').scrollIntoView()")
        try browser.settle()
        let title = "learned-\(width)-\(textSize)"
        #expect(try browser.evaluate(Audit.script) as? [String] == [], "\(title)")
        #expect(try browser.isTrue("document.querySelector('#learned-card td button').checkVisibility()"), "\(title)")
        try browser.photograph(title)
      }
    }

    /// The checkbox of a target makes the scale report a stop ahead of it, which the page says, shows and sounds.
    @Test func aStopAheadOfATargetIsSaid() throws {
      let (stage, browser) = try open("#/brew")
      defer { withExtendedLifetime(stage) {} }
      try browser.evaluate("document.querySelector('#sound').scrollIntoView({ block: 'center', behavior: 'instant' })")
      try browser.mouse("mousePressed", on: "#sound")
      try browser.mouse("mouseReleased", on: "#sound")
      try browser.wait("it sounds once to be heard", until: "tones === 2")
      try browser.evaluate("document.querySelector('#target-other').click()")
      let label = "document.querySelector('#target-form [name=label]')"
      #expect(try !browser.isTrue("\(label).checkVisibility()"))
      try browser.evaluate("document.querySelector('#target-form [name=ahead]').click()")
      #expect(try browser.isTrue("\(label).checkVisibility()"))
      try browser.evaluate("\(label).value = 'shot'; document.querySelector('#target-form [name=target]').value = '75'")
      try browser.evaluate("document.querySelector('#target-form').requestSubmit()")
      try browser.wait(
        "the target", until: "import('./scale.js').then(m => m.scale.reading.target?.stop_ahead === true)")
      try browser.evaluate("pour()")
      try browser.wait("the stop", until: "heard.some(e => e.type === 'target_stop' && e.label === 'shot')")
      try browser.wait("it is said", until: "told.includes('Stop now') && flashes > 0")
      try browser.wait("it sounds", until: "tones >= 5")
      // Its button sets the target as it was.
      let kept = try browser.text(
        "JSON.stringify(JSON.parse(localStorage.getItem('grampad-targets')).find(t => t.target_g === 75))")
      #expect(kept == #"{"target_g":75,"stop_ahead":true,"label":"shot"}"#)
    }

    /// The stop covers neither the bar at the foot nor, in the kiosk, the number; a thumb finds it.
    @Test func theStopIsLaidOutWell() throws {
      let (stage, browser) = try open("#/brew")
      defer { withExtendedLifetime(stage) {} }
      for (path, textSize, sizes) in [
        ("#/brew", 16, LayoutTests.sizes), ("kiosk", 16, [(320, 240), (800, 480), (1920, 1080), (480, 800)]),
        ("kiosk", 32, [(320, 240), (480, 320), (800, 480)]),
      ] {
        try browser.setTextSize(textSize)
        try browser.call("Page.navigate", ["url": stage.address + path])
        try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
        try browser.waitForLateParts()
        try putCup(browser)
        try start(300, browser)
        for (width, height) in sizes {
          try browser.resize(width, height)
          try browser.wait("no message", until: "!document.querySelector('#toast').dataset.show")
          try browser.evaluate("scrollTo(0, 0)")
          try browser.settle()
          let title = "dosing-\(path.filter(\.isLetter))-\(width)-\(textSize)"
          #expect(try browser.evaluate(Audit.script) as? [String] == [], "\(title)")
          #expect(try browser.text(Contrast.script) == "", "\(title)")
          let box = "\(Self.dosing).querySelector('button').getBoundingClientRect()"
          #expect(try browser.isTrue("\(box).width >= 88 && \(box).height >= 60"), "\(title)")
          #expect(try browser.isTrue("\(box).bottom <= innerHeight"), "\(title)")
          // Digits have a sixth of their height free below them. On a small screen, those next to the button are the only ones.
          let digits = "document.querySelector('#digits').getBoundingClientRect()"
          #expect(
            try path != "kiosk"
              || browser.isTrue(
                "\(digits).bottom - \(digits).height / 6 <= \(Self.dosing).getBoundingClientRect().top"),
            "\(title)")
          try browser.photograph(title)
        }
        try browser.key("keyDown", "Escape", code: 27)
        try browser.key("keyUp", "Escape", code: 27)
        try waitForDose("stopped", browser)
      }
    }
  }
}
