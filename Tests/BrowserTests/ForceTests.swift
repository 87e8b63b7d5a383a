import Foundation
import Testing

extension All {
  /// Force buttons and the zoom of the chart: by force, and by whatever a reader without it has.
  struct ForceTests {
    private static let commit = "document.querySelector('[data-action=commit]')"
    private static let fill = "parseFloat(\(commit).style.getPropertyValue('--fill'))"
    private static let rows = "document.querySelectorAll('#weighings tr').length"

    private func open(_ play: String = "still") throws -> (Stage, Browser) {
      let stage = try Stage(play)
      let browser = try Browser()
      try browser.resize(1280, 900)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      browser.forgetEvents()
      return (stage, browser)
    }

    /// 0.8 of the pointer's maximum is full; 0.97 of that selects, and 0.4 s there confirm.
    @Test(arguments: [Pointer.Kind.pen, .touch])
    func aButtonFillsAndRisesByForce(_ kind: Pointer.Kind) throws {
      let (stage, browser) = try open()
      defer { withExtendedLifetime(stage) {} }
      var pointer = try Pointer(kind, on: "[data-action=commit]", browser)
      let top = "\(Self.commit).getBoundingClientRect().top"
      let (before, shadow) = (try browser.number(top), "getComputedStyle(\(Self.commit)).boxShadow")
      let flat = try browser.text(shadow)
      try browser.setHold(1_000_000)
      try pointer.press(0.2)
      try pointer.push(0.4)
      try browser.setHold(2000)
      try browser.wait("half full", until: "Math.abs(\(Self.fill) - 0.5) < 0.01")
      #expect(try browser.number(top) < before - 1.5)
      #expect(try browser.text(shadow) != flat)
      #expect(try browser.text("document.querySelector('#ring-word').textContent") == "50 %")
      // Where force is measured, time does nothing.
      try browser.pass(2500)
      #expect(try browser.isTrue("Math.abs(\(Self.fill) - 0.5) < 0.01 && \(Self.commit).dataset.press === 'some'"))
      try pointer.push(0.77)
      try browser.pass(600)
      #expect(try browser.isTrue("\(Self.commit).dataset.press === 'some'"), "0.96 of full does not select")
      try browser.record("states", "document.querySelector('#ring').dataset.state", of: "#ring")
      try pointer.push(0.79)
      try browser.wait("CONFIRM", until: "states.includes('selected')")
      try browser.photograph("button-selected-\(kind)")
      try browser.wait("OK", until: LayoutTests.ring("confirmed"))
      // A falling force keeps the confirmation, so that the release acts.
      try pointer.push(0.1)
      try browser.pass(200)
      #expect(try browser.isTrue(LayoutTests.ring("confirmed")))
      try pointer.release()
      try browser.wait("a weighing", until: "\(Self.rows) === 1")
      #expect(try browser.requestedActions == ["commit {}"])
    }

    @Test(.tags(.measuresTime)) func aHardButShortPressDoesNotAct() throws {
      let (stage, browser) = try open()
      defer { withExtendedLifetime(stage) {} }
      var pen = try Pointer(.pen, on: "[data-action=commit]", browser)
      try pen.press(0.5)
      try pen.push(1)
      try pen.release()
      try browser.wait("a hint", until: "document.querySelector('#announce').textContent === 'Commit: hold for 2 s'")
      #expect(try browser.requestedActions == [])
    }

    /// A constant is no force: the button fills with time.
    @Test(arguments: [(0.5, 0.5), (0.3, 0.3), (0.2, 0.4)])
    func aScreenThatMeasuresNoForceFillsWithTime(_ first: Double, _ second: Double) throws {
      let (stage, browser) = try open()
      defer { withExtendedLifetime(stage) {} }
      var finger = try Pointer(.touch, on: "[data-action=commit]", measures: false, browser)
      try finger.press(first)
      try finger.push(second)
      try browser.wait("full", until: "\(Self.commit).dataset.press === 'full'")
      try finger.release()
      try browser.wait("a weighing", until: "\(Self.rows) === 1")
    }

    @Test func aSecondFingerCancelsAButton() throws {
      let (stage, browser) = try open()
      defer { withExtendedLifetime(stage) {} }
      var finger = try Pointer(.touch, on: "[data-action=commit]", browser)
      try finger.press(0.3)
      try finger.push(0.9)
      try browser.wait("full", until: "\(Self.commit).dataset.press === 'full'")
      let points = [(x: finger.x, y: finger.y), (x: finger.x, y: finger.y + 200)]
      try finger.touch("touchStart", points, force: 0.9)
      try browser.wait("cancelled", until: "\(Self.commit).dataset.press === undefined")
      try finger.touch("touchEnd", [])
      try browser.pass(300)
      #expect(try browser.requestedActions == [])
    }

    // ---- The chart.

    private static let label = "document.querySelector('#chart').getAttribute('aria-label')"
    private static let mark =
      "(b => b.x + b.width / 2)(document.querySelector('#chart .diamond').getBoundingClientRect())"
    private static let zoomed = "!\(label).startsWith('Net over 5 minutes') && !\(label).startsWith('Net over time')"
    private static let reset = "document.querySelector('[aria-label=\"Show the whole range\"]')"
    private static let whole = "\(label).startsWith('Net over 5 minutes')"

    private func openChart(_ browser: Browser) throws {
      try browser.evaluate("location.hash = '#/history'")
      try browser.wait("the chart", until: "document.querySelector('#chart .move')")
    }

    /// A pointer on the mark of a weighing, some seconds after it.
    private func pointerOnMark(_ kind: Pointer.Kind, _ browser: Browser) throws -> Pointer {
      try openChart(browser)
      try browser.evaluate("document.querySelector('[data-span=\"60\"]').click()")
      try browser.evaluate(
        "fetch('api/action/commit', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}).then(a => a.json())"
      )
      try browser.wait("a mark", until: "document.querySelector('#chart .diamond')")
      // The mark moves away from the right edge.
      try browser.pass(5000)
      try browser.evaluate("document.querySelector('[data-span=\"300\"]').click()")
      try browser.evaluate("document.querySelector('#chart').scrollIntoView({ block: 'center' })")
      try browser.settle()
      var pointer = try Pointer(kind, on: "#chart", browser)
      pointer.x = try browser.number(Self.mark)
      // Until the chart is zoomed its mark goes on moving, with each picture of it.
      try browser.evaluate(
        """
        (look = () => { if (!(\(Self.zoomed))) lastMark = \(Self.mark); })();
        new MutationObserver(look).observe(document.querySelector('#chart'), { subtree: true, childList: true, attributes: true });
        """)
      return pointer
    }

    /// Expects that the zoom has moved the mark away from the pointer as many times as it has enlarged the time.
    private func expectMarkHeld(by pointer: Double, zoom: Double, _ browser: Browser) throws {
      let before = try browser.number("lastMark") - pointer, after = try browser.number(Self.mark) - pointer
      #expect(abs(after - zoom * before) < 12, "the pointer holds its time: the mark was at \(before), is at \(after)")
    }

    @Test(arguments: [Pointer.Kind.pen, .touch])
    func forceZoomsTheChartUnderTheFinger(_ kind: Pointer.Kind) throws {
      let (stage, browser) = try open()
      defer { withExtendedLifetime(stage) {} }
      var pointer = try pointerOnMark(kind, browser)
      let x = pointer.x
      try pointer.press(0.1)
      try pointer.push(0.15)
      try browser.pass(500)
      #expect(try browser.isTrue("!(\(Self.zoomed))"), "a light touch does not zoom")
      try pointer.push(0.4)
      try browser.wait("a zoom", until: "\(Self.label).startsWith('Net over 150 s')")
      try pointer.push(0.8)
      try browser.wait("8 times", until: "/^Net over 3[78] s/.test(\(Self.label))")
      // At the right edge the mark was 10 pixels or more, so without an anchor it would move by 70.
      try expectMarkHeld(by: x, zoom: 8, browser)
      try browser.photograph("chart-zoomed-\(kind)")
      try pointer.release()
      try browser.wait("all of it", until: Self.whole)
      #expect(try browser.requestedActions == ["commit {}"])
    }

    /// Without a sensor a long press does not zoom: there is no action that needs a substitute.
    @Test func aMouseButtonDoesNotZoom() throws {
      let (stage, browser) = try open()
      defer { withExtendedLifetime(stage) {} }
      try openChart(browser)
      let mouse = try Pointer(.mouse, on: "#chart", browser)
      try mouse.press()
      try browser.pass(2500)
      #expect(try browser.isTrue("!(\(Self.zoomed))"))
      try mouse.release()
    }

    @Test func wheelKeysAndButtonsZoomTheChart() throws {
      let (stage, browser) = try open()
      defer { withExtendedLifetime(stage) {} }
      let mouse = try pointerOnMark(.mouse, browser)
      let wheel = { (delta: Double) in
        try browser.call(
          "Input.dispatchMouseEvent", ["type": "mouseWheel", "x": mouse.x, "y": mouse.y, "deltaX": 0, "deltaY": delta])
      }
      // Chromium ends a scroll with the next look at the page.
      try browser.pass(600)
      _ = try wheel(-1200)
      try browser.wait("a zoom", until: Self.zoomed)
      try expectMarkHeld(by: mouse.x, zoom: exp(1200 * 0.002), browser)
      _ = try wheel(2000)
      try browser.wait("all of it", until: Self.whole)
      // Keys on the chart, which can be reached by key.
      try browser.evaluate("document.querySelector('#chart').focus()")
      #expect(try browser.text("document.activeElement.id") == "chart")
      try browser.tap("+", code: 187)
      try browser.wait("twice", until: "\(Self.label).startsWith('Net over 150 s')")
      try browser.tap("+", code: 187)
      try browser.wait("four times", until: "\(Self.label).startsWith('Net over 75 s')")
      // What is zoomed is no range of the buttons, and can be reset.
      #expect(try browser.number("document.querySelectorAll('#spans [aria-pressed=true]').length") == 0)
      #expect(try browser.isTrue("\(Self.reset).checkVisibility({ visibilityProperty: true })"))
      for _ in 1...3 { try browser.tap("ArrowLeft", code: 37, modifiers: 8) }
      try browser.wait("earlier", until: "\(Self.label).includes('no data') || \(Self.label).includes('latest 0 g')")
      try browser.tap("Escape", code: 27)
      try browser.wait("all of it", until: Self.whole)
      #expect(try browser.isTrue("!\(Self.reset).checkVisibility({ visibilityProperty: true })"))
      #expect(try browser.isTrue("document.querySelector('[data-span=\"300\"]').ariaPressed === 'true'"))
      // Buttons with names.
      try browser.evaluate("document.querySelector('[aria-label=\"Zoom in\"]').click()")
      try browser.wait("twice", until: "\(Self.label).startsWith('Net over 150 s')")
      try browser.evaluate("document.querySelector('[aria-label=\"Zoom out\"]').click()")
      try browser.wait("all of it", until: Self.whole)
    }

    @Test func twoFingersZoomTheChart() throws {
      let (stage, browser) = try open()
      defer { withExtendedLifetime(stage) {} }
      try openChart(browser)
      let finger = try Pointer(.touch, on: "#chart", browser)
      let fingers = { (width: Double) in
        [(x: finger.x - width, y: finger.y), (x: finger.x + min(width, 20), y: finger.y)]
      }
      try finger.touch("touchStart", [fingers(50)[0]])
      try finger.touch("touchStart", fingers(50))
      for width in stride(from: 60.0, through: 260, by: 40) { try finger.touch("touchMove", fingers(width)) }
      try browser.wait("four times", until: "/^Net over (7[0-9]|8[0-9]) s/.test(\(Self.label))")
      try finger.touch("touchEnd", [])
      try browser.pass(300)
      #expect(try browser.isTrue(Self.zoomed), "it stays until the reader zooms out")
      try browser.evaluate("\(Self.reset).click()")
      try browser.wait("all of it", until: Self.whole)
    }
  }
}
