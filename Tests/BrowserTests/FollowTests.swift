import Foundation
import Testing

extension All {
  /// What a finger does on the pad: the page follows it through the history and shows its controls.
  struct FollowTests {
    private static let peek = "document.querySelector('#peek')"
    private static func previews(_ number: Int) -> String {
      "\(peek).open && \(peek).innerText.includes('#\(number)') && document.querySelector('tr.previewed td').textContent === '#\(number)'"
    }

    /// Three weighings; then the pad previews the newest, an older one, and recalls that.
    @Test(arguments: [(390, 844, true), (1280, 900, false)])
    func thePageFollowsThePadThroughTheHistory(_ width: Int, _ height: Int, _ isDark: Bool) throws {
      let (stage, browser) = try PeekTests.open(width: width, height: height, isDark: isDark, play: "scrub")
      defer { withExtendedLifetime(stage) {} }
      try browser.evaluate("window.turns = []; addEventListener('hashchange', () => turns.push(performance.now()))")
      let word = "document.querySelector('#ring-word').textContent"
      // Nothing has turned the page before: the recall of an earlier round does not count.
      try browser.wait("the newest", until: "\(Self.previews(3)) && \(word) === '#3' && (window.turns = [])")
      try browser.settle()
      try browser.photograph("follow-\(width)")
      try browser.wait("an older one", until: Self.previews(1))
      #expect(try browser.isTrue("document.activeElement === document.body"), "no focus is moved")
      // The slide pops it.
      try browser.wait(
        "its page", until: "location.hash === '#/history/1' && document.querySelector('#detail')?.checkVisibility()")
      #expect(try browser.isTrue("!\(Self.peek).open"))
      try browser.wait(
        "the list again", until: "location.hash === '' && document.querySelector('#scale').checkVisibility()")
      let shown = try browser.number("turns[1] - turns[0]")
      // Ten seconds, but a busy machine is late to tell the beginning or the end.
      #expect(shown > 5000 && shown < 30_000, "shown for \(shown) ms")
      #expect(try browser.requestedActions == [])
    }

    /// A kiosk follows in the ring; the preview does not cover the digits.
    @Test func aKioskFollowsInTheRing() throws {
      let (stage, browser) = try PeekTests.open(play: "scrub")
      defer { withExtendedLifetime(stage) {} }
      try browser.call("Page.navigate", ["url": stage.address + "kiosk"])
      try browser.wait(
        "the newest",
        until: "document.querySelector('#ring-word').textContent === '#3' && !\(Self.peek).open"
      )
      try browser.waitUntilTold(".includes('Recalled #1')")
      #expect(try browser.isTrue("document.querySelector('#digits').checkVisibility()"))
    }

    /// A reader who uses the page keeps it.
    @Test func aRecalledWeighingStaysForAReader() throws {
      let (stage, browser) = try PeekTests.open(play: "scrub")
      defer { withExtendedLifetime(stage) {} }
      // A key at once: the page is left after 10 s.
      try browser.evaluate(
        "addEventListener('hashchange', () => { window.isUsed = dispatchEvent(new KeyboardEvent('keydown')); })")
      try browser.wait("the page of #1", until: "window.isUsed && location.hash === '#/history/1'")
      try browser.pass(11_000)
      #expect(try browser.text("location.hash") == "#/history/1")
    }

    @Test func aControlIsAFader() throws {
      let (stage, browser) = (try Stage("fader"), try Browser())
      defer { withExtendedLifetime(stage) {} }
      try browser.resize(1280, 900)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      let row = "document.querySelector('#controls div')"
      try browser.wait("the controls", until: "document.querySelector('#controls-card').checkVisibility()")
      #expect(try browser.text("\(row).querySelector('meter').getAttribute('aria-label')") == "lamp")
      try browser.wait(
        "a press", until: "\(row).classList.contains('held') && \(row).querySelector('meter').value > 0.4")
      try browser.evaluate("document.querySelector('#controls-card').scrollIntoView({ block: 'center' })")
      try browser.photograph("fader")
      try browser.wait("its percentage", until: "/^\\d+ %$/.test(\(row).querySelector('span').textContent)")
      try browser.wait("the end", until: "!\(row).classList.contains('held')")
    }
  }
}
