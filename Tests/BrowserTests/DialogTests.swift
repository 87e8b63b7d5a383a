import Foundation
import Testing

extension All {
  /// Questions and dialogs: what they name, what they keep, and where the focus is afterwards.
  struct DialogTests {
    private static let focus = "document.activeElement"

    private func open(_ play: String) throws -> (Stage, Browser) {
      let stage = try Stage(play)
      let browser = try Browser()
      try browser.resize(1280, 1400)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      return (stage, browser)
    }

    private func escape(_ browser: Browser) throws {
      try browser.key("keyDown", "Escape", code: 27)
      try browser.key("keyUp", "Escape", code: 27)
    }

    /// A load that changes while a question is open is asked about again: another weight is never recorded.
    @Test func aQuestionNamesTheWeightThatIsRecorded() throws {
      // Without a script: that of the demonstration begins with 100 g of its own.
      let (stage, browser) = try open("quick")
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("the pad", until: "document.querySelector('#pad') !== null")
      func put(_ text: String, then digits: String) throws {
        try browser.evaluate(
          "[...document.querySelectorAll('.tray button')].find(b => b.textContent === '\(text)').click()")
        try browser.wait(
          digits,
          until: "document.querySelector('#digits').textContent === '\(digits)' && \(LayoutTests.state("stable"))")
      }
      let title = "document.querySelector('#ask-title').textContent"
      try put("100 g", then: "100")
      // As a screen reader activates the button, without a pointer; again if the page has just not heard of the appliance.
      let commit = "document.querySelector('button[data-action=commit]')"
      try browser.wait("a question", until: "document.querySelector('#ask').open || (\(commit).click(), false)")
      #expect(try browser.text(title) == "Commit 100 g?")
      try put("50 g", then: "150")
      try browser.evaluate("document.querySelector('#ask-yes').click()")
      try browser.wait("it asks again", until: "document.querySelector('#ask').open && \(title) === 'Commit 150 g?'")
      #expect(try browser.number("document.querySelectorAll('#weighings tr').length") == 0)
      try browser.evaluate("document.querySelector('#ask-yes').click()")
      try browser.wait("the weighing", until: "document.querySelector('#weighings tr')?.innerText.includes('150 g')")
    }

    /// The dialog of a weighing follows it, and its row has the focus afterwards, even if it was drawn again.
    @Test func theDialogOfAWeighingFollowsIt() throws {
      let (stage, browser) = try PeekTests.open()
      defer { withExtendedLifetime(stage) {} }
      try browser.evaluate("document.querySelector('#weighings [data-more]').focus()")
      try browser.evaluate("\(Self.focus).click()")
      try browser.wait("the dialog", until: PeekTests.isDialog)
      #expect(try browser.evaluate("\(PeekTests.peek).innerText.includes('fresh')") as? Bool == false)
      try browser.evaluate("document.querySelector('#peek input').value = 'fresh'")
      try browser.evaluate("document.querySelector('#peek form button').click()")
      try browser.wait(
        "the new label", until: "[...document.querySelectorAll('#peek dd')].some(d => d.textContent === 'fresh')")
      try escape(browser)
      try browser.wait("closed", until: PeekTests.isClosed)
      #expect(try browser.evaluate("\(Self.focus).matches('#weighings tr:first-child [data-more]')") as? Bool == true)
    }

    /// What is typed on the page of a weighing stays while another page relabels the weighing.
    @Test func aLabelThatIsBeingTypedStays() throws {
      let (stage, browser) = try PeekTests.open()
      defer { withExtendedLifetime(stage) {} }
      try browser.evaluate("location.hash = '#/history/2'")
      try browser.wait("its page", until: PeekTests.isOn(2))
      try browser.evaluate("document.querySelector('#detail .acts input').focus()")
      try browser.evaluate("document.activeElement.select()")
      try browser.call("Input.insertText", ["text": "half"])
      let body =
        "JSON.stringify({ id: document.querySelector('#weighings tr:nth-child(2)').dataset.id, label: 'other' })"
      try browser.evaluate(
        "fetch('api/action/relabel', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: \(body) }).then(a => a.json())"
      )
      try browser.wait(
        "the other label", until: "[...document.querySelectorAll('#detail dd')].some(d => d.textContent === 'other')")
      #expect(try browser.text("\(Self.focus).value") == "half")
    }
  }
}
