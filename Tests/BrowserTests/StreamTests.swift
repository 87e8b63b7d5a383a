import Foundation
import Testing

extension All {
  /// Events of the appliance that come again, late, or from a clock that differs from the reader's.
  struct StreamTests {
    /// Lets a test repeat an event, or send one of its own.
    private static let script = """
      window.news = {};
      window.EventSource = class extends EventSource {
        constructor(address) { super(address); window.stream = this; }
        addEventListener(name, ...rest) {
          super.addEventListener(name, event => { news[name] = event.data; });
          super.addEventListener(name, ...rest);
        }
      };
      window.tell = (name, data) => stream.dispatchEvent(new MessageEvent(name, { data: data ?? news[name] }));
      """

    private static let rows = "document.querySelectorAll('#weighings tr').length"
    private static let commit = post("commit", "{}")

    private static func post(_ action: String, _ body: String) -> String {
      "fetch('api/action/\(action)', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(\(body))}).then(a => a.json())"
    }

    private func open(_ play: String, script: String = "") throws -> (Stage, Browser) {
      let stage = try Stage(play)
      let browser = try Browser()
      try browser.call("Page.addScriptToEvaluateOnNewDocument", ["source": Self.script + script])
      try browser.resize(1280, 900)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      return (stage, browser)
    }

    /// After a reconnection, the appliance introduces itself again. What has the focus keeps it.
    @Test func whatIsToldAgainChangesNothing() throws {
      let (stage, browser) = try open("quick")
      defer { withExtendedLifetime(stage) {} }
      for (event, node) in [("actions", "[data-action=jar]"), ("hello", ".zone")] {
        try browser.wait("the node", until: "document.querySelector('\(node)')")
        try browser.evaluate("window.node = document.querySelector('\(node)'); node.focus(); tell('\(event)')")
        #expect(try browser.isTrue("document.activeElement === node && node.isConnected"), "\(event)")
      }
      // A list that has changed is shown, and the focus stays on the same action.
      try browser.evaluate("document.querySelector('[data-action=jar]').focus()")
      try browser.evaluate("tell('actions', news.actions.replace('Jar', 'Big jar'))")
      #expect(try browser.text("document.activeElement.firstChild.textContent") == "Big jar")
    }

    /// A list that was asked for before a weighing does not remove it when it arrives after it.
    @Test func anOlderAnswerDoesNotReplaceTheList() throws {
      let late = """
        window.held = null;
        const get = window.fetch;
        window.fetch = async (...words) => {
          const answer = await get(...words);
          if (held && words[0] === 'api/weighings') await new Promise(done => held.push(done));
          return answer;
        };
        """
      let (stage, browser) = try open("still", script: late)
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.evaluate(Self.commit)
      try browser.wait("a weighing", until: "\(Self.rows) === 1")
      try browser.evaluate("window.held = []")
      // A loss in the journal makes the page read the list again.
      try browser.evaluate("tell('event', JSON.stringify({ type: 'journal_loss', from: 1, to: 1 }))")
      try browser.wait("an answer", until: "held.length === 1")
      try browser.evaluate(Self.commit)
      try browser.wait("another weighing", until: "\(Self.rows) === 2")
      try browser.evaluate("window.first = held.shift(); held.forEach(done => done()); held = null; first()")
      try browser.pass(300)
      #expect(try browser.number(Self.rows) == 2)
    }

    /// A second recall within 10 s takes the place of the first, and the list is back 10 s after it.
    @Test func aSecondRecallTakesThePlaceOfTheFirst() throws {
      let (stage, browser) = try open("still")
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.wait("what is loaded after the weight", until: "document.querySelector('#containers li')")
      for _ in 1...2 { try browser.evaluate(Self.commit) }
      try browser.wait("two weighings", until: "\(Self.rows) === 2")
      let recall = { (number: Int) in
        "fetch('api/weighings').then(a => a.json()).then(list => tell('event', JSON.stringify({ type: 'recalled', weighing: list.find(e => e.weighing.sequence === \(number)).weighing })))"
      }
      try browser.evaluate(recall(1))
      try browser.wait("its page", until: PeekTests.isOn(1))
      // Twice, the second time for 10 s from then.
      let isKept = try browser.evaluate(
        """
        (async () => {
          for (let time = 0; time < 2; time++) {
            await \(recall(2));
            await new Promise(done => setTimeout(done, 6000));
          }
          return \(PeekTests.isOn(2));
        })()
        """)
      #expect(isKept as? Bool == true)
      try browser.wait("the list", until: "location.hash === '' && document.querySelector('#detail').hidden")
    }

    /// A mark in the chart is as old as the weighing, although the reader's clock is an hour ahead.
    @Test func aMarkHasTheAgeOfItsWeighing() throws {
      let ahead = "const now = Date.now; Date.now = () => now() + 36e5;"
      let (stage, browser) = try open("still", script: ahead)
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.evaluate(Self.commit)
      try browser.wait("a weighing", until: "\(Self.rows) === 1")
      try PageTests.openHistory(browser)
      try browser.wait("a mark", until: "document.querySelector('#chart .diamond')")
    }
  }
}
