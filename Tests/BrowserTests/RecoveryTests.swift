import Foundation
import Testing

extension All {
  /// Parts of the page that are loaded when they are needed, while the scale is away and afterwards.
  struct RecoveryTests {
    /// Each part, by its script, with what opens it and what shows that it is open.
    private static let parts = [
      (
        script: "history.js", open: "location.hash = ''; document.querySelector('a[href=\"#history\"]').click()",
        isOpen:
          "document.querySelector('#history h2') && getComputedStyle(document.querySelector('#actions')).display === 'none'"
      ),
      (
        script: "calibration.js", open: "location.hash = ''; location.hash = 'calibrate'",
        isOpen: "document.querySelector('#calibrating h2')"
      ),
      (
        script: "ranges.js", open: "document.querySelector('[data-range=\"6h\"]').click()",
        isOpen: "document.querySelector('[data-range=\"6h\"]').ariaPressed === 'true'"
      ),
    ]

    /// A part that could not be loaded is said to be missing, and the next attempt loads it.
    @Test(arguments: 0..<parts.count) func aPartThatWasMissingIsLoadedLater(_ number: Int) throws {
      let part = Self.parts[number]
      let stage = try Stage("still")
      defer { withExtendedLifetime(stage) {} }
      let browser = try Browser()
      try browser.call("Network.setBypassServiceWorker", ["bypass": true])
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try browser.call("Network.setBlockedURLs", ["urls": ["*\(part.script)*"]])
      try browser.evaluate(part.open)
      try browser.wait(
        "a message", until: "document.querySelector('#toast').textContent.includes('could not be loaded')")
      try browser.call("Network.setBlockedURLs", ["urls": [String]()])
      try browser.evaluate(part.open)
      try browser.wait("the part", until: "Boolean(\(part.isOpen))")
    }

    /// The copy of the page has all of its files, style sheets too.
    @Test func theCopyIsComplete() throws {
      let stage = try Stage("still")
      defer { withExtendedLifetime(stage) {} }
      let browser = try Browser()
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("the worker", until: "navigator.serviceWorker.ready.then(r => Boolean(r.active))")
      let names = try browser.evaluate(
        "caches.open('grampad').then(c => c.keys()).then(keys => keys.map(k => new URL(k.url).pathname))")
      let copied = Set(try #require(names as? [String]))
      let needed = ["history", "calibration", "settings", "pad", "page"].flatMap { ["/\($0).js", "/\($0).css"] }
      #expect(copied.isSuperset(of: needed + ["/", "/kiosk", "/live.js", "/ranges.js"]), "\(copied.sorted())")
    }
  }
}
