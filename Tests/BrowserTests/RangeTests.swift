import Foundation
import Testing

extension All {
  /// The ranges of hours in the chart.
  struct RangeTests {
    private static let hours = "document.querySelector('#hours')"
    private static func choose(_ name: String) -> String {
      "[...document.querySelectorAll('#spans button')].find(b => b.textContent === '\(name)')"
    }
    /// A band with a height: the lowest and the highest value of a bucket differ.
    private static let band = "\(hours).querySelector('.band').getBBox().height"

    @Test(arguments: [(390, 844, false), (1280, 900, true)])
    func showTheExtremesInClockTime(_ width: Int, _ height: Int, _ isDark: Bool) throws {
      let stage = try Stage("busy")
      let browser = try Browser()
      try browser.resize(width, height, isPhone: width < 500)
      try browser.setColors(isDark: isDark)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      // By keyboard.
      try browser.evaluate("location.hash = '#/history'")
      try browser.wait("the chart", until: "document.querySelector('#chart .move')")
      try browser.evaluate("\(Self.choose("1 h")).focus()")
      try browser.tap(" ", code: 32, text: " ")
      try browser.wait("hours", until: "!\(Self.hours).hidden && \(Self.hours).querySelector('.gap')")
      #expect(try browser.isTrue("document.querySelector('#chart').hidden"))
      #expect(
        try browser.text("[...document.querySelectorAll('#spans [aria-pressed=true]')].map(b => b.textContent).join()")
          == "1 h")
      // A load that grows fills buckets, which live readings continue.
      try browser.wait("a band", until: "\(Self.band) > 20")
      try browser.wait("its width", until: "\(Self.hours).querySelector('.band').getBBox().width > 1.5")
      let labels = try browser.text("[...\(Self.hours).querySelectorAll('text')].map(t => t.textContent).join(' ')")
      #expect(labels.contains(#/\d\d:\d\d/#), "\(labels)")
      try browser.evaluate("\(Self.hours).focus()")
      for _ in 1...4 { try browser.tap("+", code: 187, text: "+") }
      try browser.settle()
      #expect(try browser.number("\(Self.hours).querySelector('.band').getBBox().width") > 8)
      // The time that is shown is the one that is named, and no button claims more.
      #expect(try browser.text("\(Self.hours).getAttribute('aria-label')").hasPrefix("Net over 225 s: latest "))
      #expect(try browser.number("document.querySelectorAll('#spans [aria-pressed=true]').length") == 0)
      try browser.wait("no message", until: "!document.querySelector('#toast').dataset.show")
      try browser.evaluate("document.querySelector('#chart-card').scrollIntoView()")
      try browser.settle()
      try browser.photograph("range-\(width)-\(isDark ? "dark" : "light")")
      try browser.evaluate(AccessibilityTests.axe())
      try AccessibilityTests.check("range", browser)
      #expect(try browser.text(Contrast.script) == "")

      for name in ["6 h", "24 h"] {
        try browser.evaluate("\(Self.choose(name)).click()")
        try browser.wait(
          name, until: "\(Self.hours).getAttribute('aria-label').startsWith('Net over \(name): latest ')")
      }
      try browser.evaluate("\(Self.choose("5 min")).click()")
      try browser.wait("minutes", until: "\(Self.hours).hidden && !document.querySelector('#chart').hidden")
      #expect(try browser.isTrue("document.querySelector('#chart .move').getAttribute('d').length > 10"))
    }

    /// While the appliance does not respond, nothing is drawn; afterwards it knows what it measured.
    @Test func anOutageIsAGapOfThePageOnly() throws {
      let stage = try Stage("still")
      let browser = try Browser()
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.evaluate("location.hash = '#/history'")
      try browser.wait("the chart", until: "document.querySelector('#chart .move')")
      try browser.evaluate("\(Self.choose("1 h")).click()")
      try browser.wait("a line", until: "\(Self.hours).querySelector('.move').getAttribute('d').length > 10")
      stage.child.send(SIGSTOP)
      try browser.wait("stale", until: "document.documentElement.dataset.link === 'stale'")
      stage.child.send(SIGCONT)
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try browser.wait(
        "the range", until: "\(Self.hours).getAttribute('aria-label').startsWith('Net over 1 h: latest 84 g')")
      let answer =
        try browser.evaluate("fetch('api/trace?range=1h').then(a => a.json()).then(a => a.buckets.length)") as? Int
      #expect(try #require(answer) >= 1)
    }

    /// Time, mass and state under the pointer, under a finger and by key; a mark is a link.
    @Test func valuesAreReadInTheChart() throws {
      let (stage, browser) = try PeekTests.open()
      defer { withExtendedLifetime(stage) {} }
      try browser.evaluate("location.hash = '#/history'")
      let chart = "document.querySelector('#chart')", value = "\(chart).getAttribute('aria-valuetext')"
      let readout = "document.querySelector('.readout')"
      // Three weighings within a second are one mark.
      try browser.wait("the marks", until: "\(chart).querySelector('text.count')?.textContent === '3'")
      #expect(try browser.number("\(chart).querySelectorAll('.diamond').length") == 0)
      let place = try #require(
        try browser.evaluate("(b => [b.left + b.width * .5, b.top + b.height * .4])(\(chart).getBoundingClientRect())")
          as? [Double])
      let height = try browser.number("document.querySelector('#history').getBoundingClientRect().top")
      try browser.call("Input.dispatchMouseEvent", ["type": "mouseMoved", "x": place[0], "y": place[1]])
      try browser.wait(
        "a value", until: "/^\\d\\d?:\\d\\d:\\d\\d.* · (84 g · Stable|0 g · Empty|no data)$/.test(\(value))")
      // Each drawing changes the first of them, a movement both.
      let move = "\(chart).dispatchEvent(new PointerEvent('pointermove', { clientX: \(place[0] + 1) }))"
      #expect(try browser.isTrue("\(move) && \(readout).textContent === \(value)"))
      #expect(try browser.number("document.querySelector('#history').getBoundingClientRect().top") == height)
      try browser.call("Input.dispatchMouseEvent", ["type": "mouseMoved", "x": place[0], "y": 5])
      try browser.wait("no cursor", until: "\(readout).textContent.startsWith('Net over 5 minutes')")
      // By key: from the end to the marks, whose weighings are links then.
      try browser.evaluate("\(chart).focus()")
      let press = { (key: String) in
        "(document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '\(key)', bubbles: true })), false)"
      }
      let step = press("ArrowLeft")
      // Enter zooms in to them, at once: they move away from the cursor.
      try browser.wait(
        "the marks",
        until: """
          \(step) || (links => links.length === 3
            && (window.read = [\(value), ...links.map(a => a.ariaLabel)].join('; '), !\(press("Enter"))))([...\(readout).querySelectorAll('a')])
          """)
      let read = try browser.text("read")
      #expect(read.hasSuffix("· 3 weighings; #3 · 84 g; #2 · 84 g · rye; #1 · 84 g · beans"), "\(read)")
      try browser.wait("a zoom", until: "!\(chart).ariaLabel.startsWith('Net over 5 minutes')")
      try browser.evaluate("\(chart).focus()")
      try browser.wait("a mark", until: "\(step) || (a => a && (a.click(), true))(\(readout).querySelector('a'))")
      try browser.wait("a weighing", until: "/^#.history.[123]$/.test(location.hash)")
    }

    /// A click on the mark of a weighing opens it.
    @Test func aMarkIsALink() throws {
      let stage = try Stage("still")
      defer { withExtendedLifetime(stage) {} }
      let browser = try Browser()
      try browser.resize(1280, 900)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.evaluate(
        "fetch('api/action/commit', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}).then(a => a.json())"
      )
      try browser.evaluate("location.hash = '#/history'")
      try browser.wait("a mark", until: "document.querySelector('#chart .diamond')")
      // The mark moves on.
      try browser.insist {
        for type in ["mousePressed", "mouseReleased"] { try browser.mouse(type, on: "#chart .diamond") }
        try browser.wait("the page of #1", until: PeekTests.isOn(1), within: .seconds(10))
      }
    }
  }
}
