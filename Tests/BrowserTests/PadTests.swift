import Foundation
import Testing

extension All {
  /// The simulated pad of `demo` in the page, on a whole appliance.
  struct PadTests {
    private func open(_ stage: Stage? = nil, width: Int = 1280) throws -> (Stage, Browser) {
      let stage = try stage ?? Stage("hands")
      let browser = try Browser()
      try browser.resize(width, 1400)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("the pad", until: "document.querySelector('#pad') !== null")
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try browser.waitForLateParts()
      return (stage, browser)
    }

    /// A point of an element in the window, as fractions of its width and height.
    private func point(_ selector: String, _ x: Double, _ y: Double, _ browser: Browser) throws -> (Double, Double) {
      let box = "document.querySelector('\(selector)').getBoundingClientRect()"
      return (
        try browser.number("\(box).left + \(box).width * \(x)"), try browser.number("\(box).top + \(box).height * \(y)")
      )
    }

    private func mouse(_ type: String, at point: (Double, Double), _ browser: Browser) throws {
      try browser.call(
        "Input.dispatchMouseEvent",
        [
          "type": type, "x": point.0, "y": point.1, "button": "left", "buttons": type == "mouseReleased" ? 0 : 1,
          "clickCount": 1,
        ])
    }

    /// Drags with the mouse in three steps.
    private func drag(from start: (Double, Double), to end: (Double, Double), _ browser: Browser) throws {
      try mouse("mousePressed", at: start, browser)
      for part in [0.3, 0.7, 1] {
        let between = (start.0 + (end.0 - start.0) * part, start.1 + (end.1 - start.1) * part)
        try mouse("mouseMoved", at: between, browser)
      }
      try mouse("mouseReleased", at: end, browser)
    }

    private func shows(_ digits: String) -> String {
      "document.querySelector('#digits').textContent === '\(digits)' && \(LayoutTests.state("stable"))"
    }

    /// Waits until the ring says that lifting confirms, and until a lift counts: not within 100 ms of the slide.
    private func waitForConfirmation(_ browser: Browser) throws {
      try browser.wait("it confirms", until: "document.querySelector('#ring-word').textContent === 'OK'")
      try browser.evaluate("window.confirmed = performance.now()")
      try browser.wait("a lift counts", until: "performance.now() > window.confirmed + 150")
    }

    private static let row = "document.querySelector('#weighings tr')"

    /// From `grampad demo` to a tared, labelled, confirmed and then voided weighing, with the mouse alone.
    @Test func aNewcomerWeighsWithTheMouse() throws {
      let (stage, browser) = try open(.demo())
      defer { withExtendedLifetime(stage) {} }
      #expect(try browser.text("document.querySelector('#pad').dataset.state") == "scripted")
      // A mass is dragged from the tray; the script stops and its loads are gone.
      try drag(
        from: point(".tray button:nth-child(5)", 0.5, 0.5, browser), to: point("#pad", 0.5, 0.5, browser), browser)
      // The script may have tared before.
      let clear = "fetch('api/action/clear_tare', { method: 'POST', headers: { 'Content-Type': 'application/json' } })"
      #expect(try browser.number("\(clear).then(answer => answer.status)") == 200)
      try browser.wait("100 g", until: shows("100"))
      // The tare zone of the pad: hold, slide up, release.
      try mouse("mousePressed", at: point("#pad", 0.07, 0.8, browser), browser)
      try browser.wait("the ring is full", until: "document.querySelector('#ring-word').textContent === 'CONFIRM'")
      try browser.photograph("pad-press", isWhole: true)
      try mouse("mouseMoved", at: point("#pad", 0.07, 0.4, browser), browser)
      try waitForConfirmation(browser)
      try mouse("mouseReleased", at: point("#pad", 0.07, 0.4, browser), browser)
      try browser.wait("the tare", until: "document.querySelector('#tare').textContent === '100 g' && \(shows("0"))")
      // A second mass on top of the first.
      try drag(
        from: point(".tray button:nth-child(4)", 0.5, 0.5, browser), to: point("#pad", 0.52, 0.5, browser), browser)
      try browser.wait("50 g", until: shows("50"))
      #expect(try browser.text("document.querySelector('#pad .mass').textContent") == "150 g")
      // A quick action labels the weighing.
      let beans = "button[data-action=beans]"
      try mouse("mousePressed", at: point(beans, 0.5, 0.5, browser), browser)
      try browser.wait("it is full", until: "document.querySelector('\(beans)').dataset.press === 'full'")
      try mouse("mouseReleased", at: point(beans, 0.5, 0.5, browser), browser)
      try browser.wait(
        "the weighing", until: "\(Self.row)?.innerText.includes('beans') && \(Self.row).innerText.includes('50 g')")
      // Voided by the actions of its row.
      try browser.evaluate(
        "document.querySelector('[data-more]').scrollIntoView({ block: 'center', behavior: 'instant' })")
      for selector in ["[data-more]", "#peek .risky", "#peek .voiding .risky"] {
        try mouse("mousePressed", at: point(selector, 0.5, 0.5, browser), browser)
        try mouse("mouseReleased", at: point(selector, 0.5, 0.5, browser), browser)
      }
      try browser.wait("it is voided", until: "\(Self.row).innerText.toLowerCase().includes('void')")
      // The upper mass is lifted off the stack, then the pad is cleared.
      try browser.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
      try drag(from: point("#pad .mass", 0.5, 0.5, browser), to: point("#digits", 0.5, 0.5, browser), browser)
      try browser.wait("the cup alone", until: shows("0"))
    }

    /// Masses are put on, moved, stacked and lifted, and a zone is pressed, with the keyboard alone.
    ///
    /// A press that the scale hears nothing of for two seconds ends, so that it needs the machine for itself.
    @Test(.tags(.measuresTime)) func everythingWorksByKeyboard() throws {
      let (stage, browser) = try open(width: 390)
      defer { withExtendedLifetime(stage) {} }
      func press(_ key: String, code: Int, text: String? = nil) throws {
        try browser.key("keyDown", key, code: code, text: text)
        try browser.key("keyUp", key, code: code)
      }
      try browser.evaluate("document.querySelector('.tray button:nth-child(6)').focus()")
      try press("Enter", code: 13, text: "\r")
      try browser.wait("200 g", until: shows("200"))
      #expect(try browser.text("document.activeElement.textContent") == "200 g", "the mass has the focus")
      let left = try browser.number("parseFloat(document.activeElement.style.left)")
      try press("ArrowLeft", code: 37)
      #expect(try browser.number("parseFloat(document.activeElement.style.left)") < left)
      #expect(try browser.isTrue("document.querySelector('#keys-mass').checkVisibility()"), "its keys are named")
      // Space in the commit zone presses, Up slides, releasing Space confirms.
      try browser.evaluate("[...document.querySelectorAll('.zone')].find(z => z.textContent === 'Commit').focus()")
      #expect(try browser.isTrue("document.querySelector('#keys-press').checkVisibility()"))
      try browser.key("keyDown", " ", code: 32, text: " ")
      try browser.wait("the ring is full", until: "document.querySelector('#ring-word').textContent === 'CONFIRM'")
      try press("ArrowUp", code: 38)
      try browser.wait("it confirms", until: "document.querySelector('#ring-word').textContent === 'OK'")
      // Escape cancels, even now.
      try press("Escape", code: 27)
      try browser.wait("it is over", until: "document.querySelector('#ring').dataset.state === 'idle'")
      #expect(try browser.number("document.querySelectorAll('#weighings tr').length") == 0)
      try browser.key("keyUp", " ", code: 32)
      try browser.key("keyDown", " ", code: 32, text: " ")
      try browser.wait("the ring is full", until: "document.querySelector('#ring-word').textContent === 'CONFIRM'")
      try press("ArrowUp", code: 38)
      try waitForConfirmation(browser)
      try browser.key("keyUp", " ", code: 32)
      try browser.wait("the weighing", until: "\(Self.row)?.innerText.includes('200 g')")
      // Enter presses until the next Enter, and a digit sets the force.
      let word = "document.querySelector('#ring-word').textContent"
      try press("Enter", code: 13, text: "\r")
      try press("5", code: 53, text: "5")
      try browser.wait("half the force", until: "parseInt(\(word)) > 30 && parseInt(\(word)) < 80")
      try browser.pass(1_200)
      #expect(try browser.isTrue("parseInt(\(word)) < 80"), "it does not grow")
      try press("0", code: 48, text: "0")
      try browser.wait("the ring is full", until: "\(word) === 'CONFIRM'")
      try press("ArrowUp", code: 38)
      try waitForConfirmation(browser)
      try press("Enter", code: 13, text: "\r")
      try browser.wait("the second weighing", until: "document.querySelectorAll('#weighings tr').length === 2")
      // A finger next to the masses, which is moved into the tare zone.
      try browser.evaluate("document.querySelector('#pad .aim').focus()")
      #expect(try browser.isTrue("document.querySelector('#keys-aim').checkVisibility()"))
      for _ in 0..<9 { try press("ArrowLeft", code: 37) }
      try browser.key("keyDown", " ", code: 32, text: " ")
      try browser.wait(
        "a press", until: "\(word) === 'CONFIRM' && document.querySelector('#ring-what').textContent.startsWith('Tare')"
      )
      try press("Escape", code: 27)
      try browser.wait("it is over", until: "document.querySelector('#ring').dataset.state === 'idle'")
      try browser.key("keyUp", " ", code: 32)
      try browser.evaluate("document.querySelector('#pad .mass').focus()")
      try press("Delete", code: 46)
      try browser.wait("empty", until: LayoutTests.state("empty"))
    }

    /// While the pad of a phone is pressed, number and ring stay in view above it, whatever is scrolled.
    @Test(arguments: [(320, 640), (390, 844), (768, 1024), (844, 390)])
    func numberAndRingStayInView(_ width: Int, _ height: Int) throws {
      let (stage, browser) = try open()
      defer { withExtendedLifetime(stage) {} }
      try browser.resize(width, height)
      try browser.evaluate("document.querySelector('.tray button:nth-child(5)').click()")
      try browser.wait("100 g", until: shows("100"))
      try browser.wait("no message", until: "!document.querySelector('#toast').dataset.show")
      try browser.evaluate("document.querySelector('#pad').scrollIntoView({ block: 'end', behavior: 'instant' })")
      try mouse("mousePressed", at: point("#pad", 0.93, 0.7, browser), browser)
      try browser.wait("the ring is full", until: "document.querySelector('#ring-word').textContent === 'CONFIRM'")
      let isSeen = """
        (['digits', 'ring-word'].every(id => {
          const node = document.getElementById(id), box = node.getBoundingClientRect();
          return node.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
        }))
        """
      #expect(try browser.isTrue(isSeen))
      #expect(
        try browser.isTrue(
          "document.querySelector('#display').getBoundingClientRect().bottom <= innerHeight && document.querySelector('#ring').getBoundingClientRect().bottom <= innerHeight"
        ))
      try browser.photograph("pad-press-\(width)")
      try mouse("mouseReleased", at: point("#pad", 0.93, 0.7, browser), browser)
    }

    /// More masses than the pad tells apart are stacked; one that is dropped into a zone weighs, too.
    @Test func anyNumberOfMassesWeighs() throws {
      let (stage, browser) = try open()
      defer { withExtendedLifetime(stage) {} }
      for number in 0..<18 {
        let place = (0.22 + 0.14 * Double(number % 5), 0.1 + 0.26 * Double(number / 5))
        try drag(
          from: point(".tray button:nth-child(1)", 0.5, 0.5, browser), to: point("#pad", place.0, place.1, browser),
          browser)
      }
      try browser.wait("18 masses of 5 g", until: shows("90"))
      #expect(try browser.number("document.querySelectorAll('#pad .mass').length") == 16)
      try drag(
        from: point(".tray button:nth-child(2)", 0.5, 0.5, browser), to: point("#pad", 0.05, 0.5, browser), browser)
      try browser.wait("10 g more", until: shows("100"))
      try browser.evaluate("document.querySelector('#pad-card input').value = 5000")
      try browser.evaluate("document.querySelector('#pad-card form').requestSubmit()")
      try browser.waitUntilTold(" === 'At most 5 kg in one place'")
      #expect(try browser.isTrue(shows("100")))
    }

    /// Noise is added, and the pad is unplugged and plugged in again with its masses; a second page follows.
    @Test func thePadIsUnpluggedAndNoisy() throws {
      let (stage, browser) = try open()
      defer { withExtendedLifetime(stage) {} }
      let other = try Browser()
      try other.call("Page.navigate", ["url": stage.address])
      try browser.evaluate("document.querySelector('.tray button:nth-child(5)').click()")
      try browser.wait("100 g", until: shows("100"))
      try other.wait(
        "the mass in the second page", until: "document.querySelector('#pad .mass')?.textContent === '100 g'")
      func click(_ text: String) throws {
        try browser.evaluate(
          "[...document.querySelectorAll('#pad-card button')].find(b => b.textContent === '\(text)').click()")
      }
      try click("Noise")
      try browser.wait(
        "an uncertain weight", until: "parseFloat(document.querySelector('#uncertainty').textContent.slice(2)) > 0.35")
      try click("Noise")
      try click("Unplug")
      try browser.wait("no pad", until: LayoutTests.state("offline"))
      try browser.waitUntilTold(".includes('unplugged')")
      try other.wait("unplugged", until: "document.querySelector('#pad').dataset.state === 'unplugged'")
      try click("Plug in")
      try browser.wait("100 g again", until: shows("100"))
      try click("Clear")
      try browser.wait("empty", until: LayoutTests.state("empty"))
      try click("Resume script")
      try browser.wait("the script", until: "document.querySelector('#pad').dataset.state === 'scripted'")
    }

    @Test func thePadIsLaidOutWell() throws {
      let (stage, browser) = try open()
      defer { withExtendedLifetime(stage) {} }
      for mass in [6, 6, 3] {
        try browser.evaluate("document.querySelector('.tray button:nth-child(\(mass))').click()")
      }
      try browser.evaluate("document.querySelector('#pad .mass').focus({ preventScroll: true }); scrollTo(0, 0)")
      try browser.wait("the load", until: "document.querySelector('#digits').textContent === '385+'")
      try browser.wait("no message", until: "!document.querySelector('#toast').dataset.show")
      for (name, isDark, isForced, textSize) in LayoutTests.looks {
        try browser.setColors(isDark: isDark, isForced: isForced)
        try browser.setTextSize(textSize)
        for (width, height) in LayoutTests.sizes where !isForced || [390, 1280].contains(width) {
          try browser.resize(width, height)
          try browser.settle()
          let title = "pad-\(width)-\(name)"
          let faults = try browser.evaluate(Audit.script) as? [String]
          #expect(faults == [], "\(title)")
          if !isForced { #expect(try browser.text(Contrast.script) == "", "\(title)") }
          try browser.photograph(title, isWhole: true)
        }
      }
    }
  }
}
