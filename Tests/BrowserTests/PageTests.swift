import Foundation
import Testing

extension All {
  /// The page in a real browser, on a whole appliance with a simulated pad.
  struct PageTests {
    /// Measures how long each piece of news of a press takes: from the moment that the scale gives it to the frame of the
    /// browser that shows it.
    private static let stopwatch = """
      window.delays = [];
      const add = EventSource.prototype.addEventListener;
      EventSource.prototype.addEventListener = function (name, take) {
        add.call(this, name, name !== 'gesture' ? take : event => {
          const before = document.querySelector('#press').style.strokeDasharray;
          take(event);
          if (document.querySelector('#press').style.strokeDasharray === before) return;
          const since = Date.parse(JSON.parse(event.data).time);
          requestAnimationFrame(() => delays.push(Date.now() - since));
        });
      };
      """

    /// Records what the ring and the scale show: some of it lasts for a few seconds only.
    private static let record = """
      window.shown = [];
      document.addEventListener('readystatechange', () => {
        for (const [id, ...words] of [['ring', 'ring-word', 'ring-what'], ['scale', 'digits']]) {
          const node = document.getElementById(id), texts = words.map(word => document.getElementById(word));
          new MutationObserver(() => shown.push([node.dataset.state, ...texts.map(text => text.textContent)].join(' ')))
            .observe(node, { subtree: true, childList: true, attributeFilter: ['data-state'] });
        }
      }, { once: true });
      """

    /// The number of the newest weighing; 0 without one. The view of the scale lists three.
    static let newestNumber = "Number(document.querySelector('#weighings a')?.textContent.slice(1) ?? 0)"

    /// Opens the history, which has the chart.
    static func openHistory(_ browser: Browser) throws {
      try browser.evaluate("location.hash = '#/history'")
      try browser.wait("the history", until: "document.querySelector('#view-history:not([hidden]) #chart svg')")
    }

    private func ring(_ state: String) -> String { "document.querySelector('#ring').dataset.state === '\(state)'" }
    private func scale(_ state: String) -> String { "document.querySelector('#scale').dataset.state === '\(state)'" }

    @Test func showsWhatHappensOnThePad() throws {
      let browser = try Browser()
      try browser.resize(1280, 900)
      try browser.setColors(isDark: false)
      try browser.call("Page.addScriptToEvaluateOnNewDocument", ["source": Self.record])
      let stage = try Stage("show")
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try browser.wait("empty", until: "shown.some(text => text.startsWith('empty '))")
      try browser.photograph("empty")

      try browser.wait("a first weighing", until: "document.querySelector('#weighings tr')")
      try browser.wait("a tare", until: "document.querySelector('#tare').textContent === '84 g'")
      try browser.wait("coffee", until: "parseInt(document.querySelector('#digits').textContent) > 30")
      try browser.photograph("weighing")

      try browser.wait(
        "a ring half full", until: "shown.some(text => /^updating (49|50|51) % Commit 48 g/.test(text))")
      try browser.photograph("ring-half")
      for (state, word) in [("selected", "CONFIRM"), ("confirmed", "OK")] {
        try browser.wait(word, until: "shown.includes('\(state) \(word) Commit 48 g')")
        try browser.photograph(word.lowercased())
      }
      try browser.wait("a second weighing", until: "document.querySelectorAll('#weighings tr').length === 2")
      #expect(try browser.text("document.querySelector('#weighings td.net').textContent") == "48 g")

      try browser.wait("overload", until: "shown.includes('overload 385+')")
      try browser.photograph("overload")
      try browser.wait("rest", until: scale("stable") + " && document.querySelector('#digits').textContent === '150'")

      try checkActions(browser)
      try checkLooks(browser)
      try checkQuiet(browser, stage)
      try checkOffline(browser, stage)
    }

    /// A press on the pad moves the ring within 150 ms. Other work delays some of the frames, a fault most of them.
    @Test(.tags(.measuresTime)) func theRingFollowsThePress() throws {
      let browser = try Browser()
      try browser.call("Page.addScriptToEvaluateOnNewDocument", ["source": Self.stopwatch])
      let stage = try Stage("rising")
      defer { withExtendedLifetime(stage) {} }
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("moves of the ring", until: "delays.length >= 50")
      let delays = try browser.evaluate("delays") as? [Double] ?? []
      let sorted = delays.sorted()
      try #require(sorted.count >= 50)
      let median = sorted[sorted.count / 2]
      print("press to frame: \(sorted.count) moves, median \(median) ms, worst \(sorted[sorted.count - 1]) ms")
      #expect(median < 150)
    }

    /// Buttons are held: by mouse and by key; letting go early does nothing.
    private func checkActions(_ browser: Browser) throws {
      let rows = Self.newestNumber
      let newest = "document.querySelector('#weighings tr')"
      // Let go early: nothing.
      try browser.setHold(20_000)
      try browser.mouse("mousePressed", on: "[data-action=commit]")
      try browser.wait("the ring fills", until: ring("updating"))
      try browser.mouse("mouseReleased", on: "[data-action=commit]")
      try browser.wait("the ring is idle", until: ring("idle"))
      #expect(try browser.number(rows) == 2)
      try browser.setHold(2000)
      // Held until it is full, with a label.
      try browser.evaluate("document.querySelector('#label').value = 'Grüße, \"beans\"'")
      try browser.mouse("mousePressed", on: "[data-action=commit]")
      try browser.wait(
        "the button is full", until: "document.querySelector('[data-action=commit]').dataset.press === 'full'")
      try browser.mouse("mouseReleased", on: "[data-action=commit]")
      try browser.wait("a third weighing", until: "\(rows) === 3")
      #expect(try browser.text("\(newest).querySelector('.label').textContent") == "Grüße, \"beans\"")
      // By key.
      try browser.evaluate("document.querySelector('[data-action=beans]').focus()")
      try browser.key("keyDown", " ", code: 32)
      try browser.wait(
        "the button is full", until: "document.querySelector('[data-action=beans]').dataset.press === 'full'")
      try browser.key("keyUp", " ", code: 32)
      try browser.wait("a fourth weighing", until: "\(rows) === 4")
      #expect(try browser.text("\(newest).querySelector('.label').textContent") == "beans")
      try browser.evaluate("document.querySelector('[data-action=void]').focus()")
      try browser.key("keyDown", "Enter", code: 13)
      try browser.wait(
        "the button is full", until: "document.querySelector('[data-action=void]').dataset.press === 'full'")
      try browser.key("keyUp", "Enter", code: 13)
      try browser.wait("it is struck", until: "\(newest).className.includes('voided')")
      // A screen reader clicks and is asked.
      try browser.evaluate("document.querySelector('[data-action=tare]').click()")
      try browser.wait("a question", until: "document.querySelector('#ask').open")
      try browser.evaluate("document.querySelector('#ask-yes').click()")
      try browser.wait("a tare", until: "document.querySelector('#tare').textContent === '150 g'")
    }

    private func checkLooks(_ browser: Browser) throws {
      try browser.wait("no message", until: "!document.querySelector('#toast').dataset.show")
      for (name, width, height, scale, isPhone) in [("kiosk", 800, 480, 1.0, false), ("phone", 390, 844, 2.0, true)] {
        try browser.resize(width, height, scale: scale, isPhone: isPhone)
        for isDark in [false, true] {
          try browser.setColors(isDark: isDark)
          try browser.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 600)))")
          let faults = try browser.evaluate(Audit.script) as? [String]
          #expect(faults == [], "\(name)")
          let faint = try browser.text(Contrast.script)
          #expect(faint.isEmpty, "\(name)\(isDark ? ", dark" : ""): \(faint)")
          try browser.photograph(name + (isDark ? "-dark" : ""))
        }
      }
      try browser.resize(800, 480)
      // Read from two metres: capitals of a two-hundredth of the distance, 10 mm; 5 inches of 800 pixels are 108 mm wide.
      // A digit is 0.7 of the size of the font.
      let size = try browser.number("parseFloat(getComputedStyle(document.querySelector('#digits')).fontSize)")
      #expect(size * 0.7 * 108 / 800 > 10, "digits of \(size) px")
      let last = try browser.number("document.querySelector('#quick').getBoundingClientRect().bottom")
      #expect(last <= 480, "the buttons are on the screen")
      try browser.resize(1280, 900)
      try browser.setColors(isDark: false)
    }

    /// No error in the console, nothing asked of anybody else, and all of it small.
    private func checkQuiet(_ browser: Browser, _ stage: Stage) throws {
      for (method, parameters) in browser.events {
        switch method {
        case "Runtime.exceptionThrown": Issue.record("exception: \(parameters)")
        case "Log.entryAdded": Issue.record("log: \(parameters)")
        case "Runtime.consoleAPICalled": Issue.record("console: \(parameters)")
        case "Network.requestWillBeSent":
          let url = (parameters["request"] as? [String: Any])?["url"] as? String ?? ""
          #expect(url.hasPrefix(stage.address), "asks for \(url)")
        default: break
        }
      }
      let bytes = try browser.number(
        "performance.getEntries().filter(e => e.entryType === 'navigation' || (e.entryType === 'resource' && !e.name.includes('/api/'))).reduce((n, e) => n + e.encodedBodySize, 0)"
      )
      print("the page has \(Int(bytes)) bytes")
      #expect(bytes > 10_000 && bytes < 162_000)
    }

    /// An appliance that hangs, one that is gone and one that is back.
    private func checkOffline(_ browser: Browser, _ stage: Stage) throws {
      let link = "document.documentElement.dataset.link"
      stage.child.send(SIGSTOP)
      var begin = ContinuousClock.now
      try browser.wait("stale", until: "\(link) === 'stale'")
      print("hangs: stale after \(ContinuousClock.now - begin)")
      #expect(try browser.evaluate("document.querySelector('[data-action=tare]').ariaDisabled") as? String == "true")
      stage.child.send(SIGCONT)
      try browser.wait("live again", until: "\(link) === 'live'")
      stage.child.send(SIGKILL)
      begin = .now
      try browser.wait("stale", until: "\(link) === 'stale'")
      print("killed: stale after \(ContinuousClock.now - begin)")
      try browser.photograph("offline")
    }
  }
}
