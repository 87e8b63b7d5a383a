import Foundation
import Testing

extension All {
  /// Parts of the page that are loaded when they are needed, while the scale is away and afterwards.
  struct RecoveryTests {
    /// Each part, by its script, with what opens it and what shows that it is open.
    private static let parts = [
      (
        script: "history.js", open: "location.hash = '#/'; document.querySelector('a[href=\"#/history\"]').click()",
        isOpen: "document.querySelector('#history h2')?.checkVisibility()"
      ),
      (
        script: "calibration.js", open: "location.hash = ''; location.hash = '#/calibrate'",
        isOpen: "document.querySelector('#calibrating h2')"
      ),
      // A module that another one imports.
      (
        script: "ranges.js", open: "location.hash = '#/'; location.hash = '#/history'",
        isOpen: "document.querySelector('#chart')?.checkVisibility()"
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
      try browser.waitUntilTold(".includes('could not be loaded')")
      try browser.call("Network.setBlockedURLs", ["urls": [String]()])
      try browser.evaluate(part.open)
      try browser.wait("the part", until: "Boolean(\(part.isOpen))")
    }

    /// A new worker removes the copies of other versions.
    @Test func onlyTheCopyOfThisVersionIsKept() throws {
      let stage = try Stage("still")
      defer { withExtendedLifetime(stage) {} }
      let browser = try Browser()
      // The icon has no script, and registers no worker.
      try browser.call("Page.navigate", ["url": stage.address + "icon.svg"])
      try browser.wait(
        "the old copies", until: "Promise.all(['grampad', 'grampad-0', 'other'].map(n => caches.open(n)))")
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("the worker", until: "navigator.serviceWorker.ready.then(r => r.active.state === 'activated')")
      let names = try browser.evaluate("caches.keys()") as? [String] ?? []
      #expect(names.count == 2 && names.contains("other"), "\(names)")
      #expect(names.contains { $0.wholeMatch(of: /grampad-[0-9a-f]{8,16}/) != nil }, "\(names)")
    }

    /// A proxy answers for a scale that is away: the page opens from the copy all the same.
    @Test func theCopyIsUsedBehindAProxy() throws {
      let stage = try Stage("still")
      let browser = try Browser()
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("the worker", until: "navigator.serviceWorker.ready.then(r => Boolean(r.active))")
      stage.child.send(SIGKILL)
      try browser.wait("it has ended", until: "fetch('/healthz').then(() => false, () => true)")
      let proxy = try Child(
        "python3",
        [
          "-c",
          """
          import http.server, sys
          class Proxy(http.server.BaseHTTPRequestHandler):
              def do_GET(self): self.send_error(502)
              def log_message(self, *words): pass
          server = http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Proxy)
          print('ready', flush=True)
          server.serve_forever()
          """, "\(stage.port)",
        ], input: 0, output: 1)
      #expect(try proxy.read(upTo: UInt8(ascii: "\n"), before: .now + .seconds(30)) == Array("ready".utf8))
      try browser.wait("the error of the proxy", until: "fetch('/healthz').then(a => a.status === 502)")
      try browser.reload()
      try browser.wait(
        "it says so", until: "document.querySelector('#stale')?.textContent.includes('does not respond')")
      #expect(try browser.number("fetch('/api/weighings').then(a => a.status)") == 502)
      withExtendedLifetime(proxy) {}
    }

    /// The copy of the page has all of its files, style sheets too.
    @Test func theCopyIsComplete() throws {
      let stage = try Stage("still")
      defer { withExtendedLifetime(stage) {} }
      let browser = try Browser()
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("the worker", until: "navigator.serviceWorker.ready.then(r => Boolean(r.active))")
      let names = try browser.evaluate(
        "caches.keys().then(([name]) => caches.open(name)).then(c => c.keys()).then(keys => keys.map(k => new URL(k.url).pathname))"
      )
      let copied = Set(try #require(names as? [String]))
      let needed = ["history", "calibration", "settings", "pad", "page"].flatMap { ["/\($0).js", "/\($0).css"] }
      #expect(copied.isSuperset(of: needed + ["/", "/kiosk", "/live.js", "/ranges.js"]), "\(copied.sorted())")
    }
  }
}
