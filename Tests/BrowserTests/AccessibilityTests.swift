import Foundation
import Testing

extension All {
  /// axe-core on every view of the page.
  struct AccessibilityTests {
    /// axe-core, which `deploy/test --tier browser` installs below .build/axe.
    static func axe() throws -> String {
      let folder = URL(fileURLWithPath: ".build/axe/lib")
      let python = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      let file = try #require(python.first { $0.lastPathComponent.hasPrefix("python3") })
        .appendingPathComponent("site-packages/axe_playwright_python/axe.min.js")
      return try String(contentsOf: file, encoding: .utf8)
    }

    /// What axe-core finds, one string a fault, and the number of rules that it has checked.
    private static let run = """
      axe.run(document).then(result => ({
        passes: result.passes.length,
        faults: result.violations.map(v => `${v.impact} ${v.id}: ${v.nodes.map(n => n.html.slice(0, 120)).join(' | ')}`),
      }))
      """

    static func check(_ name: String, _ browser: Browser) throws {
      let result = try #require(try browser.evaluate(run) as? [String: Any], "\(name)")
      #expect(result["faults"] as? [String] == [], "\(name): \(result["faults"] ?? "")")
      #expect(result["passes"] as? Int ?? 0 > 20, "\(name)")
    }

    @Test(arguments: [(390, 844, false), (1280, 900, true)])
    func axeFindsNothing(_ width: Int, _ height: Int, _ isDark: Bool) throws {
      let (stage, browser) = try PeekTests.open(width: width, height: height, isDark: isDark)
      defer { withExtendedLifetime(stage) {} }
      try browser.evaluate(Self.axe())
      try Self.check("main", browser)
      try browser.evaluate("location.hash = '#/history'")
      try browser.wait(
        "totals",
        until:
          "document.querySelectorAll('#history .by-label li').length > 1 && document.querySelector('#history .days[aria-busy=false]')"
      )
      try browser.evaluate("document.querySelector('#history .by-label').open = true")
      try Self.check("history", browser)
      try browser.evaluate("location.hash = '#/'")
      try browser.wait("the scale", until: "document.querySelector('#view-history').hidden")
      try browser.evaluate(
        "document.querySelector('#containers-card').open = true; document.querySelector('#status').open = true")
      try Self.check("open panels", browser)
      try browser.evaluate("document.querySelector('#status').open = false")
      for (view, part) in [
        ("brew", "h2"), ("count", "h2"), ("history", ".days[aria-busy=false] h3"), ("calibrate", "#calibration svg"),
        ("settings", "#health"),
      ] {
        try browser.evaluate("location.hash = '#/\(view)'")
        try browser.wait(
          view, until: "document.querySelector('#view-\(view):not([hidden]) \(part)')?.checkVisibility()")
        try Self.check(view, browser)
      }
      try browser.evaluate("location.hash = '#/'")
      try browser.wait("the scale", until: "document.querySelector('#scale').checkVisibility()")
      try browser.evaluate("document.querySelector('[data-more]').click()")
      try browser.wait("a dialog", until: "document.querySelector('#peek').matches(':modal')")
      try Self.check("dialog", browser)
      try browser.tap("Escape", code: 27)
      try browser.evaluate("location.hash = '#/history/2'")
      try browser.wait("the page", until: "document.querySelector('#detail .rest')")
      try Self.check("page of a weighing", browser)
      try browser.evaluate("location.hash = '#/history/77'")
      try browser.wait("no weighing", until: "document.querySelector('#detail').innerText.includes('#77')")
      try Self.check("missing weighing", browser)
      // The checker does find faults.
      try browser.evaluate("document.querySelector('#detail').append(document.createElement('button'))")
      let result = try #require(try browser.evaluate(Self.run) as? [String: Any])
      #expect((result["faults"] as? [String])?.contains { $0.contains("button-name") } == true)
    }
  }
}
