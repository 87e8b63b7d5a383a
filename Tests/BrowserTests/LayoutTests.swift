import Foundation
import Testing

extension All {
  /// The page at every size, in every state and in every colour scheme: measured, and photographed to be looked at.
  struct LayoutTests {
    struct Scene: CustomTestStringConvertible {
      let testDescription: String
      let play: String
      /// True while the page shows the scene.
      let condition: String
      /// Done before each measurement.
      let preparation: String?

      init(_ name: String, _ play: String, _ condition: String, preparation: String? = nil) {
        (testDescription, self.play, self.condition, self.preparation) = (name, play, condition, preparation)
      }

      static let all = [
        Scene("stable", "still", state("stable")),
        Scene(
          "nopad", "nopad", state("offline"), preparation: "document.querySelector('[data-action=commit]').click()"),
        Scene("overload", "overload", state("overload")),
        Scene("negative", "long", state("stable") + " && document.querySelector('#digits').textContent === '−75'"),
        Scene("selected", "pressed", ring("selected")),
        Scene("confirmed", "pressed", ring("confirmed")),
        Scene(
          "void", "pressed", "document.querySelector('#ask').open",
          preparation: "document.querySelector('#ask').open || document.querySelector('[data-action=void]').click()"),
      ]
    }

    static func state(_ name: String) -> String { "document.querySelector('#scale').dataset.state === '\(name)'" }
    static func ring(_ name: String) -> String { "document.querySelector('#ring').dataset.state === '\(name)'" }

    static let sizes = [(320, 640), (390, 844), (844, 390), (1280, 900), (1920, 1080)]
    /// Name, dark, high contrast, text size: each size in the first two, some of them in the others.
    static let looks = [
      ("light", false, false, 16), ("dark", true, false, 16), ("contrast", true, true, 16),
      ("text-200", false, false, 32),
    ]

    @Test(arguments: Scene.all) func isLaidOutWell(_ scene: Scene) throws {
      let stage = try Stage(scene.play)
      let browser = try Browser()
      try browser.resize(1280, 900)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      for (name, isDark, isForced, textSize) in Self.looks {
        try browser.setColors(isDark: isDark, isForced: isForced)
        try browser.setTextSize(textSize)
        for (width, height) in Self.sizes where !isForced || [390, 1280].contains(width) {
          try browser.resize(width, height)
          try browser.wait(
            scene.testDescription,
            until: "(\(scene.preparation.map { "(\($0), true)" } ?? "true")) && (\(scene.condition))")
          try browser.settle()
          let title = "\(scene.testDescription)-\(width)-\(name)"
          let faults = try browser.evaluate(Audit.script) as? [String]
          #expect(faults == [], "\(title)")
          if !isForced { #expect(try browser.text(Contrast.script) == "", "\(title)") }
          try browser.photograph(title)
        }
      }
    }

    @Test func digitsGrowWithTheWindow() throws {
      let stage = try Stage("still")
      let browser = try Browser()
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("84 g", until: Self.state("stable"))
      var last = 0.0
      for (width, height) in [(390, 844), (800, 480), (1310, 900), (1600, 1000), (1920, 1080), (2560, 1440)] {
        try browser.resize(width, height)
        try browser.settle()
        let size = try browser.number("parseFloat(getComputedStyle(document.querySelector('#digits')).fontSize)")
        #expect(size > last, "\(width) px: digits of \(size) px")
        last = size
      }
    }

    /// In high contrast mode a page has no colours of its own: the chosen range has another system colour.
    @Test func theChosenRangeIsVisibleInHighContrast() throws {
      let stage = try Stage("still")
      let browser = try Browser()
      try browser.setColors(isDark: true, isForced: true)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try PageTests.openHistory(browser)
      let ground = { (pressed: Bool) in
        try browser.text("getComputedStyle(document.querySelector('#spans [aria-pressed=\(pressed)]')).backgroundColor")
      }
      #expect(try ground(true) != ground(false))
    }
  }
}
