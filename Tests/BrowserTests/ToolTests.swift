import Foundation
import Testing

extension All {
  /// The views that brew and count, and containers: with mouse and keyboard, on a whole appliance with a simulated pad.
  struct ToolTests {
    /// Counts the tones instead of playing them.
    private static let tones = """
      window.tones = 0;
      const make = AudioContext.prototype.createOscillator;
      AudioContext.prototype.createOscillator = function () { window.tones += 1; return make.call(this); };
      """

    private func open(_ play: String, view: String = "", width: Int = 1280) throws -> (Stage, Browser) {
      let stage = try Stage(play)
      let browser = try Browser()
      try browser.call("Page.addScriptToEvaluateOnNewDocument", ["source": Self.tones])
      try browser.resize(width, 900)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try browser.waitForLateParts()
      try show(view, browser)
      return (stage, browser)
    }

    private func show(_ view: String, _ browser: Browser) throws {
      try browser.evaluate("location.hash = '#/\(view)'")
      try browser.wait(
        view, until: "document.querySelector('#view-\(view.isEmpty ? "scale" : view)')?.checkVisibility()")
    }

    private func submit(_ form: String, _ value: String, _ browser: Browser) throws {
      try browser.evaluate(
        "document.querySelector('#\(form) input').value = '\(value)'; document.querySelector('#\(form)').requestSubmit()"
      )
    }

    private func type(_ text: String, _ browser: Browser) throws {
      try browser.call("Input.insertText", ["text": text])
    }

    private func press(_ key: String, code: Int, text: String? = nil, _ browser: Browser) throws {
      try browser.key("keyDown", key, code: code, text: text)
      try browser.key("keyUp", key, code: code)
    }

    private func shows(_ id: String, _ text: String) -> String {
      "!document.querySelector('#\(id)').parentElement.hidden && document.querySelector('#\(id)').textContent === '\(text)'"
    }

    /// Everything is done with Tab, Space, Enter and letters, as it is without a mouse.
    @Test func everythingWorksByKeyboard() throws {
      let (stage, browser) = try open("still", view: "brew")
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      // The one button starts, stops and resets, and keeps the focus. A second tap of a wet finger is ignored.
      let primary = "document.querySelector('[data-timer]')", told = "document.querySelector('#announce').textContent"
      try browser.evaluate("\(primary).focus()")
      for (command, sentence) in [
        ("start", "Timer started at 0:00"), ("stop", "Timer stopped at 0:0"), ("reset", "Timer reset"),
      ] {
        try browser.wait(command, until: "document.activeElement.dataset.timer === '\(command)'")
        try browser.evaluate("window.tapped = performance.now()")
        try browser.wait("the taps are apart", until: "performance.now() > window.tapped + 600")
        try press(" ", code: 32, text: " ", browser)
        try browser.wait(sentence, until: "\(told).startsWith('\(sentence)')")
        #expect(try browser.text("document.querySelector('#toast').textContent") == "", "nothing is covered")
      }
      try browser.wait("no timer", until: "document.querySelector('#timer').parentElement.hidden")

      try browser.evaluate("document.querySelector('#target-other').focus()")
      try press(" ", code: 32, text: " ", browser)
      #expect(try browser.text("document.activeElement.name") == "target")
      try type("100", browser)
      try press("Tab", code: 9, browser)
      try type("0.5", browser)
      try press("Enter", code: 13, text: "\r", browser)
      try browser.wait("the target", until: "\(told) === 'Target set to 100 g ± 0.5 g'")
      #expect(try browser.text("document.activeElement.id") == "target-other", "the form is closed")
      try browser.wait("how far", until: "document.querySelector('.target dd').textContent === '16 g to go'")
      // It is among the last targets now, and its button ends it.
      let chip = "document.querySelector('[data-target=\"100\"]')"
      try browser.wait("its button", until: "\(chip)?.ariaPressed === 'true'")
      try browser.evaluate("\(chip).focus()")
      try press("Enter", code: 13, text: "\r", browser)
      try browser.wait("no target", until: "document.querySelector('#target').parentElement.hidden")
      try browser.wait(
        "it can be set again", until: "\(chip).ariaPressed === 'false' && document.activeElement === \(chip)")
      try press("Enter", code: 13, text: "\r", browser)
      try browser.wait("the target", until: shows("target", "100 g: 16 g to go"))
      try browser.reload()
      try browser.waitForLateParts()
      try browser.wait("it is remembered", until: "\(chip)?.ariaPressed === 'true'")

      try show("count", browser)
      let seven = "document.querySelector('#sample-form input')"
      try browser.evaluate("\(seven).focus()")
      try type("7", browser)
      try press("Enter", code: 13, text: "\r", browser)
      try browser.wait("the count", until: "document.querySelector('#counting .hero').textContent === '7'")
      #expect(try browser.isTrue("!document.querySelector('#sampling').checkVisibility()"), "the sample is done")
      try browser.evaluate("document.querySelector('#count-end').focus()")
      try press("Enter", code: 13, text: "\r", browser)
      try browser.wait("no count", until: "document.querySelector('#sampling').checkVisibility()")
      try browser.evaluate("document.querySelector('#sampling details').open = true")
      try browser.evaluate("document.querySelector('#piece-form input').focus()")
      try type("42", browser)
      try press("Enter", code: 13, text: "\r", browser)
      try browser.wait("the count", until: shows("pieces", "2"))

      try show("", browser)
      try browser.evaluate("document.querySelector('#containers-card').open = true")
      try browser.evaluate("document.querySelector('#preset-form input').focus()")
      try type("30", browser)
      try press("Enter", code: 13, text: "\r", browser)
      try browser.wait("the tare", until: "document.querySelector('#tare').textContent === '30 g'")
      try browser.wait("an empty field", until: "document.querySelector('#preset-form input').value === ''")
    }

    /// A page that is opened while the timer runs or stands finds its state by the time alone.
    @Test func theButtonFitsTheTimer() throws {
      let (stage, browser) = try open("still", view: "brew")
      defer { withExtendedLifetime(stage) {} }
      let command = "document.querySelector('[data-timer]')?.dataset.timer",
        time = "document.querySelector('.timer dd')"
      func act(_ what: String) throws {
        try browser.evaluate(
          "fetch('api/action/timer', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{\"do\": \"\(what)\"}' }).then(a => a.json())"
        )
      }
      try act("start")
      try browser.wait("it runs", until: "\(command) === 'stop' && /^0:(0[2-9]|[1-5]\\d)$/.test(\(time).textContent)")
      try browser.reload()
      try browser.waitForLateParts()
      try browser.wait("it runs", until: "\(command) === 'stop'")
      try act("stop")
      try browser.wait(
        "it stands, and can go on",
        until: "\(command) === 'reset' && [...document.querySelectorAll('.bar button')].every(b => b.checkVisibility())"
      )
      let stopped = try browser.text("\(time).textContent")
      try browser.reload()
      try browser.waitForLateParts()
      try browser.wait("it stands", until: "\(command) === 'reset' && \(time).textContent === '\(stopped)'")
      try browser.pass(2_500)
      #expect(try browser.text("\(time).textContent") == stopped)
      try act("reset")
      try browser.wait("it can be started", until: "\(command) === 'start' && \(time).textContent === '0:00'")
    }

    /// The curve covers the brew: it begins at 0:00 and stays when the timer is stopped.
    @Test func theCurveIsThatOfTheBrew() throws {
      let (stage, browser) = try open("busy", view: "brew")
      defer { withExtendedLifetime(stage) {} }
      let curve = "document.querySelector('#view-brew .move')?.getAttribute('d') ?? ''"
      let labels = "[...document.querySelectorAll('#view-brew .chart text')].map(t => t.textContent)"
      try browser.wait("minutes without a timer", until: "\(labels).includes('now')")
      try browser.evaluate("document.querySelector('[data-timer]').click()")
      try browser.wait(
        "a brew", until: "\(labels).includes('0:00') && \(labels).includes('0:05') && !\(labels).includes('now')")
      try browser.wait("its curve", until: "(\(curve)).split('L').length > 10")
      try browser.evaluate("document.querySelector('[data-timer]').click()")
      try browser.wait("it is stopped", until: "document.querySelector('[data-timer]').dataset.timer === 'reset'")
      try browser.pass(600)
      let stopped = try browser.text(curve)
      try browser.pass(1_500)
      #expect(try browser.text(curve) == stopped)
    }

    /// A sample is chosen with two clicks; too many pieces for it are said, and a larger one is a click away.
    @Test func aSampleIsGuided() throws {
      let (stage, browser) = try open("hands", view: "count", width: 390)
      defer { withExtendedLifetime(stage) {} }
      func put(_ grams: Int) throws {
        try browser.evaluate(
          "fetch('api/pad', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ plugged: true, noise_g: 0, loads: [{ id: 1, mass_g: \(grams), x: 0.5, y: 0.5 }], finger: null }) }).then(a => a.json())"
        )
        try browser.wait(
          "\(grams) g",
          until: "document.querySelector('#digits').textContent === '\(grams)' && \(LayoutTests.state("stable"))")
      }
      try put(100)
      let ten = "document.querySelectorAll('#sampling .chips button')[1]"
      try browser.evaluate("\(ten).click()")
      #expect(try browser.text("\(ten).ariaPressed + document.querySelector('#sample-form input').value") == "true10")
      try browser.evaluate("document.querySelector('#sample-form .main').click()")
      let hero = "document.querySelector('#counting .hero')"
      try browser.wait("ten pieces", until: "\(hero).checkVisibility() && \(hero).textContent === '10'")
      #expect(try browser.text("document.querySelector('#counting dd').textContent").hasSuffix(" g"))
      #expect(try browser.isTrue("!document.querySelector('#counting .warning')"))
      try put(300)
      try browser.wait("an estimate", until: "\(hero).textContent === '≈\u{A0}30'")
      #expect(try browser.text("document.querySelector('#counting .warning').textContent").contains("larger sample"))
      try browser.evaluate("document.querySelector('#count-again').click()")
      try browser.wait("the guide", until: "document.querySelector('#sampling').checkVisibility()")
    }

    /// A name is text, whatever it contains.
    @Test func aContainerIsStoredTaredAndRemoved() throws {
      let (stage, browser) = try open("still", width: 390)
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.evaluate("document.querySelector('#containers-card').open = true")
      let evil = "<img src=x onerror=alert(1)>"
      let list = "document.querySelector('#containers')"
      try browser.wait("the list", until: "\(list).innerText === 'No containers yet.'")
      try submit("container-form", evil, browser)
      try browser.wait("the container", until: "\(list).querySelector('span')?.textContent === '\(evil), 84 g'")
      #expect(try browser.number("\(list).querySelectorAll('img').length") == 0)
      try browser.waitUntilTold(" === 'Stored container \(evil): 84 g'")
      let names =
        try browser.evaluate(
          "[...\(list).querySelectorAll('button')].map(button => button.getAttribute('aria-label'))") as? [String]
      #expect(names == ["Tare with \(evil)", "Remove \(evil)"])
      try browser.evaluate("\(list).querySelector('button').click()")
      try browser.wait("the tare", until: shows("container", evil))
      // A page that is opened later knows it, too.
      try browser.reload()
      try browser.waitForLateParts()
      try browser.wait("the list", until: "\(list)?.querySelectorAll('button').length === 2")
      try browser.evaluate("document.querySelector('#containers-card').open = true")
      // Enter in the question keeps it.
      try browser.evaluate("\(list).querySelectorAll('button')[1].click()")
      try browser.wait("a question", until: "document.querySelector('#ask').open")
      #expect(try browser.text("document.querySelector('#ask').innerText").contains("84 g. Weighings keep their tare."))
      try press("Enter", code: 13, text: "\r", browser)
      try browser.wait("no question", until: "!document.querySelector('#ask').open")
      #expect(try browser.number("\(list).querySelectorAll('button').length") == 2)
      try browser.evaluate("\(list).querySelectorAll('button')[1].click()")
      try browser.evaluate("document.querySelector('#ask-yes').click()")
      try browser.wait("no container", until: "\(list).innerText === 'No containers yet.'")
    }

    @Test(arguments: [
      ("empty", "count", "sample-form", "10", "Counting failed: nothing is on the pad"),
      ("still", "brew", "target-form", "900", "Target failed: target_g is above the capacity of 385 g"),
      ("still", "", "preset-form", "900", "Tare failed: tare_g is above the capacity of 385 g"),
      (
        "still", "", "container-form", String(repeating: "ü", count: 30),
        "Container failed: Invalid body: name: expected a line of text of 1 to 32 bytes."
      ),
    ])
    func aRefusalIsExplained(_ play: String, _ view: String, _ form: String, _ value: String, _ reason: String) throws {
      let (stage, browser) = try open(play, view: view)
      defer { withExtendedLifetime(stage) {} }
      if play == "still" { try browser.wait("84 g", until: LayoutTests.state("stable")) }
      if view.isEmpty { try browser.wait("the list", until: "document.querySelector('#containers li')") }
      try submit(form, value, browser)
      try browser.wait("a message", until: "told.length > 0")
      #expect(try browser.text("told[0]") == reason)
      #expect(try browser.text("document.querySelector('#\(form) input').value") == value, "it can be corrected")
    }

    /// Off until the user switches it on, which the browser remembers.
    @Test func theTargetSoundsOnlyIfItIsWanted() throws {
      let (stage, browser) = try open("busy", view: "brew")
      defer { withExtendedLifetime(stage) {} }
      func reach() throws {
        try browser.wait("a load", until: "parseInt(document.querySelector('#digits').textContent) > 20")
        try browser.evaluate(
          "window.reached = 0; new EventSource('api/live').addEventListener('event', e => { if (JSON.parse(e.data).type === 'target_reached') window.reached += 1; })"
        )
        try browser.evaluate(
          "document.querySelector('#target-form input').value = parseInt(document.querySelector('#digits').textContent) + 5; document.querySelector('#target-form').requestSubmit()"
        )
        try browser.wait("the target is reached", until: "window.reached > 0", within: .seconds(120))
        try browser.waitUntilTold(".endsWith(' reached')")
      }
      #expect(try browser.text("document.querySelector('#sound').ariaPressed") == "false")
      try reach()
      try browser.settle()
      #expect(try browser.number("window.tones") == 0)
      try browser.evaluate("document.querySelector('#sound').scrollIntoView({ block: 'center', behavior: 'instant' })")
      try browser.mouse("mousePressed", on: "#sound")
      try browser.mouse("mouseReleased", on: "#sound")
      try browser.wait("it sounds once to be heard", until: "window.tones === 2")
      try reach()
      try browser.wait("it sounds", until: "window.tones === 4")
      try browser.reload()
      try browser.waitForLateParts()
      try browser.wait("it is remembered", until: "document.querySelector('#sound')?.ariaPressed === 'true'")
    }

    /// Brewing and counting, empty and with everything in use, at every size and in every colour scheme.
    @Test(arguments: [("brew", false), ("brew", true), ("count", false), ("count", true)])
    func theViewIsLaidOutWell(_ view: String, _ isInUse: Bool) throws {
      let (stage, browser) = try open("still", view: view)
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      if isInUse && view == "brew" {
        try submit("target-form", "100", browser)
        try browser.evaluate("document.querySelector('#target-other').click()")
        try browser.evaluate("document.querySelector('[data-timer]').click()")
        try browser.wait(
          "all are shown", until: "['target', 'timer'].every(id => !document.getElementById(id).parentElement.hidden)")
        try browser.evaluate("document.querySelector('#target-other').click()")
      } else if isInUse {
        try submit("sample-form", "7", browser)
        try browser.wait("the count", until: "document.querySelector('#counting .hero').textContent === '7'")
      }
      try browser.wait("no message", until: "!document.querySelector('#toast').dataset.show")
      for (name, isDark, isForced, textSize) in LayoutTests.looks {
        try browser.setColors(isDark: isDark, isForced: isForced)
        try browser.setTextSize(textSize)
        for (width, height) in LayoutTests.sizes where !isForced || [390, 1280].contains(width) {
          try browser.resize(width, height)
          try browser.evaluate("scrollTo(0, 0)")
          try browser.settle()
          let title = "\(view)\(isInUse ? "-used" : "")-\(width)-\(name)"
          let faults = try browser.evaluate(Audit.script) as? [String]
          #expect(faults == [], "\(title)")
          if !isForced { #expect(try browser.text(Contrast.script) == "", "\(title)") }
          // The big button is within reach of a thumb: on the first screen.
          if textSize == 16 && view == "brew" && !isInUse {
            #expect(
              try browser.isTrue(
                "document.querySelector('[data-timer]').getBoundingClientRect().bottom <= innerHeight"), "\(title)")
          }
          try browser.photograph(title, isWhole: true)
        }
      }
    }
  }
}
