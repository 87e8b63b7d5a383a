import Foundation
import Testing

extension All {
  /// Timer, target, counting, containers and totals: with mouse and keyboard, on a whole appliance with a simulated pad.
  struct ToolTests {
    /// Counts the tones instead of playing them.
    private static let tones = """
      window.tones = 0;
      const make = AudioContext.prototype.createOscillator;
      AudioContext.prototype.createOscillator = function () { window.tones += 1; return make.call(this); };
      """

    private func open(_ play: String, width: Int = 1280) throws -> (Stage, Browser) {
      let stage = try Stage(play)
      let browser = try Browser()
      try browser.call("Page.addScriptToEvaluateOnNewDocument", ["source": Self.tones])
      try browser.resize(width, 900)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      return (stage, browser)
    }

    private func type(_ text: String, _ browser: Browser) throws {
      try browser.call("Input.insertText", ["text": text])
    }

    private func press(_ key: String, code: Int, text: String? = nil, _ browser: Browser) throws {
      try browser.key("keyDown", key, code: code, text: text)
      try browser.key("keyUp", key, code: code)
    }

    private func says(_ text: String) -> String { "document.querySelector('#toast').textContent === '\(text)'" }

    private func shows(_ id: String, _ text: String) -> String {
      "!document.querySelector('#\(id)').parentElement.hidden && document.querySelector('#\(id)').textContent === '\(text)'"
    }

    /// Everything is done with Tab, Space, Enter and letters, as it is without a mouse.
    @Test func everythingWorksByKeyboard() throws {
      let (stage, browser) = try open("still")
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      // The panel is closed until the user opens it, and stays as it was left.
      try browser.evaluate("document.querySelector('#tools summary').focus()")
      try press("Enter", code: 13, text: "\r", browser)
      try browser.wait("the panel", until: "document.querySelector('#tools').open")

      try press("Tab", code: 9, browser)
      #expect(try browser.text("document.activeElement.dataset.timer") == "start")
      try press(" ", code: 32, text: " ", browser)
      try browser.wait("the timer", until: "!document.querySelector('#timer').parentElement.hidden")
      try press("Tab", code: 9, browser)
      try press(" ", code: 32, text: " ", browser)
      try browser.wait(
        "a result", until: "/^Timer stopped at \\d:\\d\\d$/.test(document.querySelector('#toast').textContent)")
      try press("Tab", code: 9, browser)
      try press(" ", code: 32, text: " ", browser)
      try browser.wait("no timer", until: "document.querySelector('#timer').parentElement.hidden")

      try press("Tab", code: 9, browser)
      try type("100", browser)
      try press("Tab", code: 9, browser)
      try type("0.5", browser)
      try press("Enter", code: 13, text: "\r", browser)
      try browser.wait("a result", until: says("Target set to 100 g ± 0.5 g"))
      try browser.wait("the target", until: shows("target", "100 g: 16 g to go"))
      try press("Tab", code: 9, browser)
      try press("Tab", code: 9, browser)
      #expect(try browser.text("document.activeElement.id") == "target-end")
      try press("Enter", code: 13, text: "\r", browser)
      try browser.wait("no target", until: "document.querySelector('#target').parentElement.hidden")

      try browser.evaluate("document.querySelector('#sample-form input').focus()")
      try type("7", browser)
      try press("Enter", code: 13, text: "\r", browser)
      try browser.wait("the count", until: shows("pieces", "7"))
      try browser.evaluate("document.querySelector('#count-end').click()")
      try browser.wait("no count", until: "document.querySelector('#pieces').parentElement.hidden")
      try browser.evaluate("document.querySelector('#piece-form input').focus()")
      try type("42", browser)
      try press("Enter", code: 13, text: "\r", browser)
      try browser.wait("the count", until: shows("pieces", "2"))

      try browser.evaluate("document.querySelector('#preset-form input').focus()")
      try type("30", browser)
      try press("Enter", code: 13, text: "\r", browser)
      try browser.wait("the tare", until: "document.querySelector('#tare').textContent === '30 g'")
      try browser.wait("an empty field", until: "document.querySelector('#preset-form input').value === ''")
    }

    /// A name is text, whatever it contains.
    @Test func aContainerIsStoredTaredAndRemoved() throws {
      let (stage, browser) = try open("still", width: 390)
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.evaluate("document.querySelector('#tools').open = true")
      let evil = "<img src=x onerror=alert(1)>"
      let list = "document.querySelector('#containers')"
      #expect(try browser.text("\(list).innerText") == "No containers yet.")
      try browser.evaluate(
        "document.querySelector('#container-form input').value = '\(evil)'; document.querySelector('#container-form').requestSubmit()"
      )
      try browser.wait("the container", until: "\(list).querySelector('span')?.textContent === '\(evil), 84 g'")
      #expect(try browser.number("\(list).querySelectorAll('img').length") == 0)
      try browser.wait("a result", until: says("Stored container \(evil): 84 g"))
      let names =
        try browser.evaluate(
          "[...\(list).querySelectorAll('button')].map(button => button.getAttribute('aria-label'))") as? [String]
      #expect(names == ["Tare with \(evil)", "Remove \(evil)"])
      try browser.evaluate("\(list).querySelector('button').click()")
      try browser.wait("the tare", until: shows("container", evil))
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
      ("empty", "sample-form", "10", "Counting failed: nothing is on the pad"),
      ("still", "target-form", "900", "Target failed: target_g is above the capacity of 385 g"),
      ("still", "preset-form", "900", "Tare failed: tare_g is above the capacity of 385 g"),
      (
        "still", "container-form", String(repeating: "ü", count: 30),
        "Container failed: Invalid body: name: expected a line of text of 1 to 32 bytes."
      ),
    ])
    func aRefusalIsExplained(_ play: String, _ form: String, _ value: String, _ reason: String) throws {
      let (stage, browser) = try open(play)
      defer { withExtendedLifetime(stage) {} }
      if play == "still" { try browser.wait("84 g", until: LayoutTests.state("stable")) }
      try browser.evaluate("document.querySelector('#tools').open = true")
      try browser.evaluate(
        "document.querySelector('#\(form) input').value = '\(value)'; document.querySelector('#\(form)').requestSubmit()"
      )
      try browser.wait("a message", until: "document.querySelector('#toast').textContent !== ''")
      #expect(try browser.text("document.querySelector('#toast').textContent") == reason)
      #expect(try browser.text("document.querySelector('#\(form) input').value") == value, "it can be corrected")
    }

    /// Off until the user switches it on, which the browser remembers.
    @Test func theTargetSoundsOnlyIfItIsWanted() throws {
      let (stage, browser) = try open("busy")
      defer { withExtendedLifetime(stage) {} }
      try browser.evaluate("document.querySelector('#tools').open = true")
      func reach() throws {
        try browser.wait("a load", until: "parseInt(document.querySelector('#digits').textContent) > 20")
        try browser.evaluate(
          "window.reached = 0; new EventSource('api/live').addEventListener('event', e => { if (JSON.parse(e.data).type === 'target_reached') window.reached += 1; })"
        )
        try browser.evaluate(
          "document.querySelector('#target-form input').value = parseInt(document.querySelector('#digits').textContent) + 5; document.querySelector('#target-form').requestSubmit()"
        )
        try browser.wait("the target is reached", until: "window.reached > 0", within: .seconds(120))
        try browser.wait("the message", until: "document.querySelector('#toast').textContent.endsWith(' reached')")
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
      try browser.call("Page.reload")
      try browser.wait("it is remembered", until: "document.querySelector('#sound').ariaPressed === 'true'")
    }

    /// The panel with everything in use, at every size and in every colour scheme.
    @Test func thePanelIsLaidOutWell() throws {
      let (stage, browser) = try open("still")
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.evaluate("document.querySelector('#tools').open = true")
      for (form, value) in [
        ("container-form", "milk jug"), ("container-form", "portafilter, double basket"), ("target-form", "100"),
        ("sample-form", "7"),
      ] {
        try browser.evaluate(
          "document.querySelector('#\(form) input').value = '\(value)'; document.querySelector('#\(form)').requestSubmit()"
        )
        try browser.wait("it is done", until: "document.querySelector('#\(form) input').value === ''")
      }
      try browser.evaluate("document.querySelector('[data-timer=start]').click()")
      try browser.wait(
        "all are shown",
        until: "['target', 'pieces', 'timer'].every(id => !document.getElementById(id).parentElement.hidden)")
      try browser.wait("no message", until: "!document.querySelector('#toast').dataset.show")
      for (name, isDark, isForced, textSize) in LayoutTests.looks {
        try browser.setColors(isDark: isDark, isForced: isForced)
        try browser.setTextSize(textSize)
        for (width, height) in LayoutTests.sizes where !isForced || [390, 1280].contains(width) {
          try browser.resize(width, height)
          try browser.settle()
          let title = "tools-\(width)-\(name)"
          let faults = try browser.evaluate(Audit.script) as? [String]
          #expect(faults == [], "\(title)")
          if !isForced { #expect(try browser.text(Contrast.script) == "", "\(title)") }
          try browser.photograph(title, isWhole: true)
        }
      }
    }
  }
}
