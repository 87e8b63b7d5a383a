import Foundation
import Testing

extension All {
  /// Peek and pop: the preview of a weighing and its page, by force and by time.
  struct PeekTests {
    static let peek = "document.querySelector('#peek')"
    static let isPreviewed =
      "\(peek).open && !\(peek).matches(':modal') && document.querySelector('tr.previewed')"
    static let isClosed = "!\(peek).open && !document.querySelector('tr.previewed')"
    static let isDialog = "\(peek).matches(':modal')"
    /// The second of three weighings, `rye`.
    static let row = "#weighings tr:nth-child(2) td:nth-child(2)"
    static func isOn(_ number: Int) -> String {
      "location.hash === '#/history/\(number)' && document.querySelector('#detail')?.hidden === false && document.querySelector('#detail').innerText.includes('#\(number)')"
    }

    /// A page with weighings #1 `beans`, #2 `rye` and #3 without a label, each of 84 g.
    static func open(
      width: Int = 1280, height: Int = 900, isDark: Bool = false, play: String = "still"
    ) throws -> (Stage, Browser) {
      let stage = try Stage(play)
      let browser = try Browser()
      try browser.resize(width, height, isPhone: width < 500)
      if width < 500 { try browser.call("Emulation.setTouchEmulationEnabled", ["enabled": true, "maxTouchPoints": 5]) }
      try browser.setColors(isDark: isDark)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.waitForLateParts()
      for label in ["beans", "rye", nil] {
        try browser.evaluate(
          "fetch('api/action/commit', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '\(label.map { "{\"label\": \"\($0)\"}" } ?? "{}")'}).then(a => a.json())"
        )
      }
      try browser.wait("three weighings", until: "document.querySelectorAll('#weighings tr').length === 3")
      try browser.wait("no message", until: "!document.querySelector('#toast').dataset.show")
      browser.forgetEvents()
      return (stage, browser)
    }

    /// Chromium's pen and touch report the force that the test sets; 0.8 of the maximum is full.
    @Test(arguments: [Pointer.Kind.pen, .touch])
    func forcePreviewsAndPops(_ kind: Pointer.Kind) throws {
      let (stage, browser) = try Self.open()
      defer { withExtendedLifetime(stage) {} }
      var pointer = try Pointer(kind, on: Self.row, browser)
      // A pen measures force from the first change on.
      try browser.setHold(1_000_000)
      try pointer.press(0.1)
      try pointer.push(0.15)
      try browser.setHold(2000)
      // A light touch previews nothing however long it lasts.
      try browser.pass(1200)
      #expect(try browser.isTrue(Self.isClosed))
      try pointer.push(0.3)
      try browser.wait("a preview", until: Self.isPreviewed)
      #expect(try browser.text("document.querySelector('tr.previewed td').textContent") == "#2")
      let text = try browser.text("\(Self.peek).innerText")
      for part in ["#2", "84 g", "rye", "Uncertainty", "±", "Calibration", "by its points", "Container", "–"] {
        #expect(text.contains(part), "\(text)")
      }
      try browser.wait("a curve", until: "\(Self.peek).querySelector('.rest').getAttribute('d').length > 10")
      #expect(try browser.text("\(Self.peek).querySelector('.number').textContent") == "84 g")
      // More force raises it; less than the threshold does not pop.
      try pointer.push(0.7)
      try browser.wait("a rise", until: "parseFloat(\(Self.peek).style.getPropertyValue('--fill')) > 0.8")
      try browser.pass(500)
      #expect(try browser.isTrue(Self.isPreviewed))
      try pointer.push(0.79)
      try browser.wait("the page of #2", until: Self.isOn(2))
      #expect(try browser.isTrue(Self.isClosed))
      try pointer.release()
      try browser.pass(300)
      #expect(try browser.isTrue(Self.isOn(2)))
      try browser.evaluate("history.back()")
      try browser.wait("the list", until: "document.querySelector('#detail').hidden && location.hash === ''")
      try browser.wait("its row", until: "document.activeElement.getAttribute('href') === '#/history/2'")
      #expect(try browser.requestedActions == [])
    }

    @Test(arguments: [Pointer.Kind.pen, .touch])
    func lessForceAndReleaseIsOnlyAPreview(_ kind: Pointer.Kind) throws {
      let (stage, browser) = try Self.open()
      defer { withExtendedLifetime(stage) {} }
      var pointer = try Pointer(kind, on: Self.row, browser)
      try browser.setHold(1_000_000)
      try pointer.press(0.1)
      try pointer.push(0.4)
      try browser.wait("a preview", until: Self.isPreviewed)
      try pointer.release()
      try browser.wait("no preview", until: Self.isClosed)
      try browser.pass(300)
      #expect(try browser.text("location.hash").isEmpty)
      #expect(try browser.requestedActions == [])
    }

    /// A hard but short press is a tap, and a tap opens the page as a click on a link does.
    @Test(.tags(.measuresTime), arguments: Pointer.Kind.allCases) func aTapStaysATap(_ kind: Pointer.Kind) throws {
      let (stage, browser) = try Self.open()
      defer { withExtendedLifetime(stage) {} }
      try browser.evaluate(
        "window.previews = 0; new MutationObserver(() => { previews += 1 }).observe(\(Self.peek), {attributeFilter: ['open']})"
      )
      var pointer = try Pointer(kind, on: Self.row, browser)
      try pointer.press(0.5)
      try pointer.push(0.9)
      try pointer.release()
      try browser.wait("the page of #2", until: Self.isOn(2))
      #expect(try browser.number("previews") == 0)
      #expect(try browser.requestedActions == [])
    }

    /// A mouse, and a screen that reports a constant, measure no force: a quarter of 2 s previews, 0.97 of them pops.
    /// The last screen derives its value from the size of the contact.
    @Test(
      .tags(.measuresTime),
      arguments: [
        (Pointer.Kind.mouse, 0.0, 0.0), (.touch, 0.5, 0.5), (.touch, 0.3, 0.3), (.touch, 1, 1), (.touch, 0.2, 0.4),
      ])
    func withoutForceTimePreviewsAndPops(_ kind: Pointer.Kind, _ first: Double, _ second: Double) throws {
      let (stage, browser) = try Self.open()
      defer { withExtendedLifetime(stage) {} }
      var pointer = try Pointer(kind, on: Self.row, measures: false, browser)
      try browser.evaluate(
        """
        window.times = {};
        addEventListener('pointerdown', () => times.down = performance.now(), true);
        new MutationObserver(() => { if (\(Self.isPreviewed)) times.open ??= performance.now(); }).observe(\(Self.peek), {attributeFilter: ['open']});
        addEventListener('hashchange', () => times.pop = performance.now());
        """)
      try pointer.press(first)
      try pointer.push(second)
      try browser.wait("the page of #2", until: Self.isOn(2))
      try pointer.release()
      let (open, pop) = (try browser.number("times.open - times.down"), try browser.number("times.pop - times.down"))
      #expect(open >= 490 && open < pop - 1000, "preview after \(open) ms")
      #expect(pop >= 1930 && pop < 8000, "popped after \(pop) ms")
      #expect(try browser.requestedActions == [])
    }

    /// Safari tells the force of a trackpad by events of its own: 1 is a click, 2 a force click.
    @Test func safariTellsTheForceOfATrackpad() throws {
      let (stage, browser) = try Self.open()
      defer { withExtendedLifetime(stage) {} }
      let pointer = try Pointer(.mouse, on: Self.row, browser)
      let force = { (value: Double) in
        try browser.evaluate(
          "document.querySelector('\(Self.row)').dispatchEvent(Object.assign(new MouseEvent('webkitmouseforcechanged', {bubbles: true}), {webkitForce: \(value)}))"
        )
      }
      try browser.setHold(1_000_000)
      try pointer.press()
      _ = try force(1)
      _ = try force(1.1)
      try browser.setHold(2000)
      try browser.pass(1000)
      #expect(try browser.isTrue(Self.isClosed))
      _ = try force(1.5)
      try browser.wait("a preview", until: Self.isPreviewed)
      _ = try force(2)
      try browser.wait("the page of #2", until: Self.isOn(2))
      try pointer.release()
    }

    /// A press that was cancelled opens nothing, however late it is released. The next one does.
    @Test func escapeCancels() throws {
      let (stage, browser) = try Self.open()
      defer { withExtendedLifetime(stage) {} }
      let mouse = try Pointer(.mouse, on: Self.row, browser)
      try browser.setHold(20_000)
      try mouse.press()
      try browser.wait("a preview", until: Self.isPreviewed)
      try browser.tap("Escape", code: 27)
      try browser.wait("no preview", until: Self.isClosed)
      try browser.pass(800)
      try mouse.release()
      try browser.pass(300)
      #expect(try browser.isTrue("\(Self.isClosed) && location.hash === ''"))
      try browser.mouse("mousePressed", on: "#weighings tr:nth-child(2) [data-more]")
      try browser.mouse("mouseReleased", on: "#weighings tr:nth-child(2) [data-more]")
      try browser.wait("the dialog", until: Self.isDialog)
    }

    @Test func aSecondFingerCancels() throws {
      let (stage, browser) = try Self.open()
      defer { withExtendedLifetime(stage) {} }
      var finger = try Pointer(.touch, on: Self.row, browser)
      let (one, other) = ((x: finger.x, y: finger.y), (x: finger.x + 80, y: finger.y))
      try finger.press(0.1)
      try finger.push(0.4)
      try browser.wait("a preview", until: Self.isPreviewed)
      try finger.touch("touchStart", [one, other], force: 0.4)
      try browser.wait("no preview", until: Self.isClosed)
      try finger.touch("touchMove", [one, other], force: 0.9)
      try browser.pass(500)
      #expect(try browser.isTrue("\(Self.isClosed) && location.hash === ''"))
      try finger.touch("touchEnd", [])
      try browser.pass(300)
      #expect(try browser.isTrue("\(Self.isClosed) && location.hash === ''"))
      #expect(try browser.requestedActions == [])
    }

    /// Sliding up on the preview shows the actions, which stay after the release; sliding back hides them.
    @Test(arguments: Pointer.Kind.allCases) func slidingUpShowsTheActions(_ kind: Pointer.Kind) throws {
      let (stage, browser) = try Self.open()
      defer { withExtendedLifetime(stage) {} }
      var pointer = try Pointer(kind, on: Self.row, browser)
      let areShown = "\(Self.peek).querySelector('.acts').checkVisibility()"
      try browser.setHold(20_000)
      try pointer.press(0.1)
      try pointer.push(0.4)
      try browser.wait("a preview", until: Self.isPreviewed)
      #expect(try browser.isTrue("!\(areShown)"))
      try pointer.slide(0, -70, 0.4)
      try browser.wait("the actions", until: areShown)
      try pointer.slide(0, 60, 0.4)
      try browser.wait("no actions", until: "!\(areShown)")
      try pointer.slide(0, -70, 0.4)
      // No force pops while the actions are shown.
      try pointer.push(1)
      try browser.pass(300)
      #expect(try browser.isTrue("\(Self.isPreviewed) && location.hash === ''"))
      try pointer.release()
      try browser.wait("a dialog", until: Self.isDialog)
      let groups = try browser.evaluate(
        "[...\(Self.peek).querySelectorAll('fieldset')].map(g => [g.querySelector('legend').textContent, ...[...g.querySelectorAll('button')].map(b => b.textContent)].join(', '))"
      )
      #expect(
        groups as? [String] == ["This weighing, Relabel, Void", "Next weighing, Use its tare, Repeat its label"])
      try browser.pass(300)
      #expect(try browser.requestedActions == [], "a preview never acts")
      // The focus is on the button that changes nothing.
      #expect(try browser.text("document.activeElement.textContent") == "Close")
    }
  }
}
