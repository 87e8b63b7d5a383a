import Foundation
import Testing

extension All {
  /// What the page says about actions: before, during and instead of them.
  struct ActionTests {
    private func open(_ play: String) throws -> (Stage, Browser) {
      let stage = try Stage(play)
      let browser = try Browser()
      try browser.resize(1280, 900)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      return (stage, browser)
    }

    private func note(_ action: String) -> String {
      "document.querySelector('[data-action=\(action)] small').textContent"
    }
    private func isDisabled(_ action: String) -> String {
      "document.querySelector('[data-action=\(action)]').ariaDisabled === 'true'"
    }

    @Test(arguments: [
      ("nopad", "commit", "no pad"), ("nopad", "tare", "no pad"), ("nopad", "zero", "no pad"),
      ("nopad", "beans", "no pad"), ("nopad", "clear_tare", "no tare set"), ("nopad", "void", "no weighing yet"),
      ("empty", "commit", "nothing on the pad"), ("empty", "tare", "nothing on the pad"),
      ("overload", "commit", "overload"), ("overload", "zero", "overload"),
    ])
    func anImpossibleActionIsDisabledWithItsReason(_ play: String, _ action: String, _ reason: String) throws {
      let (stage, browser) = try open(play)
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("the reason", until: "\(note(action)) === '\(reason)'", within: .seconds(120))
      #expect(try browser.evaluate(isDisabled(action)) as? Bool == true)
      // The reason is the accessible description, and the button can still be reached by key.
      let described = try browser.evaluate(
        "document.querySelector('[data-action=\(action)]').getAttribute('aria-describedby').split(' ').includes(document.querySelector('[data-action=\(action)] small').id)"
      )
      #expect(described as? Bool == true)
      try browser.evaluate("document.querySelector('[data-action=\(action)]').focus()")
      #expect(try browser.text("document.activeElement.dataset.action") == action)
      try browser.mouse("mousePressed", on: "[data-action=\(action)]")
      try browser.waitUntilTold(".includes('\(reason)')")
      #expect(
        try browser.evaluate("document.querySelector('[data-action=\(action)]').dataset.press === undefined") as? Bool
          == true)
      try browser.mouse("mouseReleased", on: "[data-action=\(action)]")
    }

    @Test func withoutAPadThereAreDashesAndNoNumber() throws {
      let (stage, browser) = try open("nopad")
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("no pad", until: LayoutTests.state("offline"))
      #expect(try browser.text("document.querySelector('#digits').textContent") == "– – –")
      #expect(try browser.text("document.title") == "No pad – Kitchen scale")
      #expect(try browser.text("document.querySelector('#gross').textContent") == "–")
    }

    /// 84 g are 2.963 oz, and the step is 0.05 oz.
    @Test func everyMassIsInTheUnitOfTheDisplay() throws {
      let (stage, browser) = try open("ounces")
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("the load", until: "document.querySelector('#digits').textContent === '2.95'")
      #expect(try browser.text("document.querySelector('#unit').textContent") == "oz")
      try browser.wait("stable", until: LayoutTests.state("stable"))
      #expect(try browser.text("document.querySelector('#gross').textContent") == "2.95 oz")
      #expect(try browser.text("document.querySelector('#tare').textContent") == "0.00 oz")
      #expect(
        try browser.evaluate("/^± [0-9.]+ oz$/.test(document.querySelector('#uncertainty').textContent)") as? Bool
          == true)
      try browser.wait("the preview", until: "\(note("commit")) === '2.95 oz'")
      try browser.evaluate(
        "fetch('api/action/commit', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{\"label\": \"rye\"}'})"
      )
      try browser.wait("the weighing", until: "document.querySelector('#weighings .net')?.textContent === '2.95 oz'")
      try browser.evaluate("location.hash = '#/history'")
      try browser.wait(
        "the total", until: "document.querySelector('#history .summary')?.textContent === '1 weighing, 2.95 oz'")
    }

    @Test func aShortClickIsAnswered() throws {
      let (stage, browser) = try open("still")
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: "\(note("commit")) === '84 g'")
      try browser.record("notes", note("commit"), of: "[data-action=commit] small")
      try browser.setHold(20_000)
      try browser.mouse("mousePressed", on: "[data-action=commit]")
      try browser.mouse("mouseReleased", on: "[data-action=commit]")
      try browser.wait("a hint", until: "notes.includes('hold for 20 s')")
      #expect(try browser.text("document.querySelector('#announce').textContent") == "Commit: hold for 20 s")
      try browser.wait("the preview again", until: "\(note("commit")) === '84 g'")
      #expect(try browser.number("document.querySelectorAll('#weighings tr').length") == 0)
    }

    @Test func aPressSaysWhatItWillRecord() throws {
      let (stage, browser) = try open("pressed")
      defer { withExtendedLifetime(stage) {} }
      for state in ["selected", "confirmed"] {
        try browser.wait(
          state,
          until: "\(LayoutTests.ring(state)) && document.querySelector('#ring-what').textContent === 'Commit 84 g'")
      }
      try browser.wait("the weighing", until: "document.querySelector('#weighings td.net').textContent === '84 g'")
    }

    @Test func aVoidSaysWhatItVoidsAndDefaultsToNo() throws {
      let (stage, browser) = try open("still")
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: "\(note("commit")) === '84 g'")
      #expect(try browser.text(note("void")) == "no weighing yet")
      try browser.evaluate("document.querySelector('#label').value = 'beans'")
      try hold("commit", browser)
      try browser.wait("a weighing", until: "\(note("void")) === '#1, 84 g'")
      let question = "document.querySelector('#ask').innerText"
      let isOpen = "document.querySelector('#ask').open"
      let isVoided = "document.querySelector('#weighings tr').className.includes('voided')"
      try browser.evaluate("document.querySelector('[data-action=void]').click()")
      try browser.wait("a question", until: isOpen)
      let text = try browser.text(question)
      for part in ["Void weighing #1?", "84 g", "beans", ":"] { #expect(text.contains(part), "\(text)") }
      // Enter means no, and so does Escape.
      #expect(try browser.text("document.activeElement.value") == "no")
      try browser.key("keyDown", "Enter", code: 13, text: "\r")
      try browser.key("keyUp", "Enter", code: 13)
      try browser.wait("no question", until: "!\(isOpen)")
      #expect(try browser.evaluate(isVoided) as? Bool == false)
      try browser.evaluate("document.querySelector('[data-action=void]').click()")
      try browser.evaluate("document.querySelector('#ask-yes').click()")
      try browser.wait("it is voided", until: isVoided)
      #expect(try browser.text("document.querySelector('#weighings .badge').textContent") == "voided")
      #expect(try browser.number("document.querySelectorAll('#weighings tr').length") == 1)
      try browser.wait("nothing to void", until: "\(note("void")) === '#1 is already voided'")
      #expect(try browser.evaluate(isDisabled("void")) as? Bool == true)
    }

    /// On an empty pad, a quick action is available if the scale would accept it.
    @Test func aQuickActionThatNeedsNoLoadIsAvailable() throws {
      let (stage, browser) = try open("quick")
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("the reason", until: "\(note("commit")) === 'nothing on the pad'")
      #expect(try browser.text(note("undo")) == "no weighing yet")
      #expect(try browser.text(note("spoilt")) == "no weighing yet")
      for (action, outcome, effect) in [
        ("brew", "Brew", "!document.querySelector('#timer').parentElement.hidden"),
        ("jar", "Jar 30 g", "document.querySelector('#tare').textContent === '30 g'"),
      ] {
        #expect(try browser.evaluate(isDisabled(action)) as? Bool == false, "\(action)")
        try hold(action, browser) {
          let text = try browser.text("document.querySelector('#ring-what').textContent")
          #expect(text == outcome)
        }
        try browser.wait(action, until: effect)
      }
    }

    /// A weighing that is recorded while a quick action is held is not the one that it voids or relabels.
    @Test func aQuickActionChangesTheWeighingThatItShowed() throws {
      let (stage, browser) = try open("quick")
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("the pad", until: "document.querySelector('.tray button')")
      try browser.evaluate(
        "[...document.querySelectorAll('.tray button')].find(b => b.textContent === '100 g').click()")
      try browser.wait("100 g", until: LayoutTests.state("stable"))
      let commit =
        "fetch('api/action/commit', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}).then(a => a.json())"
      let rows = PageTests.newestNumber
      for (number, action) in ["undo", "spoilt"].enumerated() {
        try browser.evaluate(commit)
        // The first action was a record, too.
        try browser.wait("a weighing", until: "\(rows) === \(3 * number + 1)")
        try hold(action, browser) {
          try browser.evaluate(commit)
          try browser.wait("another one", until: "\(rows) === \(3 * number + 2)")
        }
        let row = { (newest: Int) in "document.querySelector('#weighings tr:nth-child(\(newest))').innerText" }
        let word = action == "undo" ? "voided" : "spoilt"
        try browser.wait("the change", until: "\(row(1)).includes('\(word)') || \(row(2)).includes('\(word)')")
        #expect(try browser.text(row(2)).contains(word))
      }
    }

    private func hold(_ action: String, _ browser: Browser, meanwhile: () throws -> Void = {}) throws {
      try browser.mouse("mousePressed", on: "[data-action=\(action)]")
      try browser.wait("full", until: "document.querySelector('[data-action=\(action)]').dataset.press === 'full'")
      try meanwhile()
      try browser.mouse("mouseReleased", on: "[data-action=\(action)]")
    }

    /// An appliance that hangs sends nothing: the chart shows that nothing is known, also after it is back.
    @Test func aHangIsAGapInTheChart() throws {
      let (stage, browser) = try open("still")
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.evaluate("location.hash = '#/history'")
      try browser.wait("the chart", until: "document.querySelector('#chart .rest')")
      try browser.evaluate("document.querySelector('[data-span=\"60\"]').click()")
      stage.child.send(SIGSTOP)
      try browser.wait("stale", until: "document.documentElement.dataset.link === 'stale'")
      try browser.wait("five seconds", until: "/ ([5-9]|\\d\\d+) s/.test(document.querySelector('#stale').textContent)")
      // The seconds are not announced again and again.
      #expect(
        try browser.text("document.querySelector('#stale [role=alert]').textContent")
          == "No connection: the reading below is out of date. Retrying…")
      stage.child.send(SIGCONT)
      try browser.wait("live again", until: "document.documentElement.dataset.link === 'live'")
      // Two readings later; the plot has a minute across.
      try browser.wait(
        "a gap of 3 s or more",
        until: """
          (() => {
            const gaps = [...document.querySelectorAll('#chart .gap')].map(gap => gap.getBBox()).sort((a, b) => b.width - a.width);
            const [gap] = gaps, plot = document.querySelector('#chart clipPath rect').getBBox();
            const lines = document.querySelector('#chart .rest').getAttribute('d').match(/M[^M]+/g);
            return gap.width / plot.width > 3 / 60 && lines.length > 1 && lines.every(line => {
              const [, a, b] = line.match(/M(\\S+) .*H(\\S+)/).map(Number);
              return b <= gap.x + 2 || a >= gap.x + gap.width - 2;
            });
          })()
          """)
      #expect(try browser.text("document.querySelector('#ring-word').textContent") == "Ready")
      try browser.photograph("hang", isWhole: true)
    }
  }
}
