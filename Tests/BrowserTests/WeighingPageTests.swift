import Foundation
import Testing

extension All {
  /// The page of a weighing and its actions, by click, by key and by address.
  struct WeighingPageTests {
    @Test func theActionsOfAWeighing() throws {
      let (stage, browser) = try PeekTests.open()
      defer { withExtendedLifetime(stage) {} }
      let click = { (text: String) in
        try browser.evaluate(
          "[...document.querySelectorAll('#peek button, #detail button, dialog[open] button')].find(b => b.checkVisibility() && b.textContent === '\(text)').click()"
        )
      }
      let more = "document.querySelector('#weighings tr:nth-child(2) [data-more]').click()"
      // A weighing without a tare cannot give one.
      try browser.evaluate(more)
      try browser.wait("a dialog", until: PeekTests.isDialog)
      _ = try click("Use its tare")
      try browser.waitUntilTold(" === 'Unavailable: it has no tare'")
      _ = try click("Repeat its label")
      try browser.wait("the label", until: "document.querySelector('#label').value === 'rye'")
      #expect(try browser.isTrue("\(PeekTests.isClosed) && document.activeElement.id === 'label'"))
      #expect(try browser.requestedActions == [])

      try browser.evaluate(more)
      let field = "document.querySelector('#peek form input')"
      #expect(try browser.text("\(field).value") == "rye")
      #expect(try browser.text("\(field).getAttribute('aria-label')") == "New label of #2")
      try browser.evaluate("\(field).value = 'spelt'")
      _ = try click("Relabel")
      try browser.wait(
        "the label", until: "document.querySelector('#weighings tr:nth-child(2)').innerText.includes('spelt')")
      // Void asks where its button was, on the page of the weighing as in the preview: Escape and Keep change nothing.
      let voiding = "document.querySelector('dialog[open] .voiding, #view-history:not([hidden]) .voiding')"
      let asks = "\(voiding).innerText.startsWith('Void weighing #2?') && document.activeElement.textContent === 'Keep'"
      _ = try click("Void")
      try browser.wait("a question", until: asks)
      try browser.tap("Escape", code: 27)
      try browser.wait("the button", until: "\(voiding).innerText === 'Void' && \(PeekTests.isDialog)")
      #expect(try browser.isTrue("\(voiding).contains(document.activeElement)"))
      try browser.evaluate("document.querySelector('#peek [data-close]').click()")
      try browser.wait("the page of #2", until: PeekTests.isOn(2))
      _ = try click("Void")
      try browser.wait("a question", until: asks)
      _ = try click("Keep")
      #expect(try browser.text("\(voiding).innerText") == "Void")
      _ = try click("Void")
      #expect(try browser.isTrue("!document.querySelector('#ask').open"), "no dialog in a dialog")
      _ = try click("Void #2")
      try browser.wait("it is voided", until: "document.querySelector('#detail .badge')?.textContent === 'voided'")
      // The masses of a tare: 84 g set as the tare give a net of 0.
      try browser.evaluate(
        "fetch('api/action/tare', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{\"tare_g\": 30}'}).then(() => fetch('api/action/commit', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'})).then(() => fetch('api/action/clear_tare', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}))"
      )
      try browser.wait("the tare is cleared", until: "document.querySelector('#tare').textContent === '0 g'")
      // #4 and #5 are the relabel and the void.
      try browser.evaluate("location.hash = '#/history/6'")
      try browser.wait(
        "the page of #6", until: "\(PeekTests.isOn(6)) && document.querySelector('#detail').innerText.includes('54 g')")
      _ = try click("Use its tare")
      try browser.wait("its tare", until: "document.querySelector('#tare').textContent === '30 g'")
    }

    /// Everything by key, and each control with a name.
    @Test func everythingWorksByKeyboard() throws {
      let (stage, browser) = try PeekTests.open()
      defer { withExtendedLifetime(stage) {} }
      try browser.evaluate("document.querySelector('#weighings tr:nth-child(2) a').focus()")
      #expect(try browser.text("document.activeElement.getAttribute('aria-label')") == "Weighing #2, 84 g")
      try browser.tap("Enter", code: 13, text: "\r")
      try browser.wait("the page of #2", until: PeekTests.isOn(2))
      #expect(try browser.isTrue("document.activeElement.matches('#detail h2')"))
      try browser.evaluate("history.back()")
      try browser.wait("the list", until: "document.querySelector('#detail').hidden")
      try browser.wait("its row", until: "document.activeElement.getAttribute('href') === '#/history/2'")
      try browser.tap("Tab", code: 9)
      #expect(
        try browser.text("document.activeElement.getAttribute('aria-label')") == "Preview and actions of #2, 84 g")
      try browser.tap("Enter", code: 13, text: "\r")
      try browser.wait("a dialog", until: PeekTests.isDialog)
      try browser.wait("its curve", until: "document.querySelector('dialog[open] [role=slider]') !== null")
      let tree = try browser.call("Accessibility.getFullAXTree")["nodes"] as? [[String: Any]] ?? []
      let names = tree.filter { $0["ignored"] as? Bool != true }.map { node in
        ["role", "name"].map { (node[$0] as? [String: Any])?["value"] as? String ?? "" }.joined(separator: " ")
      }
      for name in [
        "dialog #2 84 g", "group This weighing", "group Next weighing", "textbox New label of #2", "button Relabel",
        "button Void", "button Use its tare", "button Repeat its label", "link Open", "button Close",
      ] { #expect(names.contains(name), "\(name) in \(names)") }
      #expect(names.contains { $0.hasPrefix("slider Net over") }, "the curve has a name")
      try browser.tap("Escape", code: 27)
      try browser.wait("no dialog", until: PeekTests.isClosed)
      #expect(
        try browser.text("document.activeElement.getAttribute('aria-label')") == "Preview and actions of #2, 84 g")
    }

    /// An address of a weighing opens its page; one that is not there says so.
    @Test func aWeighingHasAnAddress() throws {
      let (stage, browser) = try PeekTests.open()
      // Not the same document with another fragment: the page is opened by it.
      try browser.call("Page.navigate", ["url": "about:blank"])
      try browser.call("Page.navigate", ["url": stage.address + "#weighing-1"])
      try browser.wait(
        "the page of #1",
        until: "\(PeekTests.isOn(1)) && document.querySelector('#detail').innerText.includes('beans')")
      #expect(try browser.text("location.hash") == "#/history/1", "an address of an earlier version")
      #expect(try browser.isTrue("document.querySelector('#mini-weight').checkVisibility()"))
      #expect(try browser.isTrue("!document.querySelector('#weighings-card').checkVisibility()"))
      try browser.wait("its curve", until: "document.querySelector('#detail .rest')?.getAttribute('d').length > 10")
      try browser.evaluate("location.hash = '#/history/99'")
      try browser.wait(
        "that it is missing",
        until: "document.querySelector('#detail').innerText.includes('no weighing with this number')")
      try browser.evaluate("document.querySelector('#detail a').click()")
      try browser.wait("the list", until: "document.querySelector('#history').checkVisibility()")
    }

    @Test(arguments: [(390, 844), (1280, 900)]) func looksWell(_ width: Int, _ height: Int) throws {
      let (stage, browser) = try PeekTests.open(width: width, height: height)
      defer { withExtendedLifetime(stage) {} }
      for (color, isDark) in [("light", false), ("dark", true)] {
        try browser.setColors(isDark: isDark)
        var pointer = try Pointer(.touch, on: PeekTests.row, browser)
        try pointer.press(0.1)
        try pointer.push(0.5)
        try browser.wait(
          "a curve",
          until: "\(PeekTests.isPreviewed) && \(PeekTests.peek).querySelector('.rest').getAttribute('d').length > 10")
        try check("peek-\(width)-\(color)", browser)
        try pointer.slide(0, -70, 0.5)
        try browser.wait("the actions", until: "\(PeekTests.peek).dataset.acts === 'true'")
        try check("peek-actions-\(width)-\(color)", browser)
        try pointer.release()
        try browser.wait("a dialog", until: PeekTests.isDialog)
        try check("peek-dialog-\(width)-\(color)", browser)
        try browser.tap("Escape", code: 27)
        try browser.wait("no dialog", until: PeekTests.isClosed)
        try browser.evaluate("location.hash = '#/history/2'")
        try browser.wait("the page", until: "\(PeekTests.isOn(2)) && document.querySelector('#detail .rest')")
        try browser.evaluate("scrollTo(0, 0)")
        try check("detail-\(width)-\(color)", browser, isWhole: true)
        try browser.evaluate("history.back()")
        try browser.wait("the list", until: "document.querySelector('#detail').hidden")
      }
    }

    private func check(_ name: String, _ browser: Browser, isWhole: Bool = false) throws {
      try browser.settle()
      let faults = try browser.evaluate(Audit.script) as? [String]
      #expect(faults == [], "\(name): \(faults ?? [])")
      #expect(try browser.text(Contrast.script) == "", "\(name)")
      try browser.photograph(name, isWhole: isWhole)
    }
  }
}
