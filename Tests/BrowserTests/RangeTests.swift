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
      let labels = try browser.text("[...\(Self.hours).querySelectorAll('.tick')].map(t => t.textContent).join(' ')")
      #expect(labels.contains(#/\d\d:\d\d/#), "\(labels)")
      try browser.evaluate("\(Self.hours).focus()")
      for _ in 1...4 { try browser.tap("+", code: 187, text: "+") }
      try browser.settle()
      #expect(try browser.number("\(Self.hours).querySelector('.band').getBBox().width") > 8)
      #expect(try browser.text("\(Self.hours).getAttribute('aria-label')").hasPrefix("Net over 1 h: latest "))
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
  }
}
