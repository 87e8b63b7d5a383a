import Foundation
import Testing

extension All {
  /// The calibration in the page, on a whole appliance with a configuration file and the simulated pad.
  struct CalibrationPageTests {
    /// A temporary folder with the configuration; removed with the value.
    private final class Folder {
      let path = FileManager.default.temporaryDirectory.path + "/grampad-calibration-\(UUID())"
      init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        // 200 g read about 70 g.
        try "calibration: {curve: linear, points: [{raw: 0, grams: 0}, {raw: 3000, grams: 385}]}\n"
          .write(toFile: path + "/grampad.settings.yaml", atomically: true, encoding: .utf8)
      }
      deinit { try? FileManager.default.removeItem(atPath: path) }
      var settings: String { (try? String(contentsOfFile: path + "/grampad.settings.yaml", encoding: .utf8)) ?? "" }
    }

    private func open(
      width: Int = 1280, height: Int = 1000, at address: String = "#/calibrate"
    ) throws -> (Stage, Browser, Folder) {
      let folder = try Folder()
      let stage = try Stage("settings", folder: folder.path)
      let browser = try Browser()
      try browser.resize(width, height)
      try browser.call("Page.navigate", ["url": stage.address + address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try browser.wait("the pad", until: "document.querySelector('#pad') !== null")
      if !address.isEmpty { try browser.wait("the view", until: "\(Self.view)?.innerText.includes('Start')") }
      return (stage, browser, folder)
    }

    private static let view = "document.querySelector('#calibrating')"

    /// The visible button with a text.
    private static func button(_ text: String) -> String {
      "[...\(view).querySelectorAll('button')].find(b => b.textContent === '\(text)' && b.checkVisibility())"
    }

    private func click(_ text: String, _ browser: Browser) throws {
      try browser.wait("a button \(text)", until: "\(Self.button(text)) !== undefined")
      try browser.evaluate("\(Self.button(text)).click()")
    }

    private static func post(_ path: String, _ body: String) -> String {
      """
      fetch('\(path)', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(\(body)) })
        .then(answer => answer.json())
      """
    }

    /// Puts a mass on the pad instead of what is there; 0 for none.
    private func put(_ grams: Int, _ browser: Browser) throws {
      let loads = grams == 0 ? "[]" : "[{ id: Math.floor(performance.now()), mass_g: \(grams), x: .5, y: .5 }]"
      let answer = try browser.evaluate(Self.post("api/pad", "{ loads: \(loads) }")) as? [String: Any]
      #expect(answer?["ok"] as? Bool == true)
    }

    private func state(_ browser: Browser) throws -> [String: Any] {
      try #require(
        try browser.evaluate("fetch('api/calibration/session').then(answer => answer.json())") as? [String: Any])
    }

    /// Starts a calibration with loads that rest for half a second, and measures; the page then opens it.
    ///
    /// - Returns: Its identifier.
    @discardableResult
    func measure(_ masses: [Int], _ loads: [Int], adopts: Bool = true, _ browser: Browser) throws -> String {
      try put(0, browser)
      let start = Self.post(
        "api/calibration/session", "{ do: 'start', masses_g: \(masses), rest_s: .5, replace: true }")
      let session = try #require((try browser.evaluate(start) as? [String: Any])?["session"] as? String)
      // The weighing thread connects the pad; the load of an earlier step may still be in its last frames.
      try browser.wait(
        "the empty pad",
        until: "fetch('api/calibration/session').then(a => a.json()).then(s => s.load !== null && s.load.counts < 5)")
      for load in loads {
        try put(load, browser)
        let body = "{ do: 'measure', session: '\(session)' }"
        _ = try browser.evaluate(Self.post("api/calibration/session", body))
        try browser.wait(
          "\(load) g", until: "fetch('api/calibration/session').then(a => a.json()).then(s => s.activity === 'ready')")
      }
      guard adopts else { return session }
      try browser.evaluate("sessionStorage.setItem('grampad-calibration', '\(session)'); location.hash = '#/calibrate'")
      try browser.reload()
      try browser.wait("the steps", until: "\(Self.view)?.querySelectorAll('li').length >= \(masses.count + 3)")
      return session
    }

    private func open(_ details: String, _ browser: Browser) throws {
      let summary = "[...\(Self.view).querySelectorAll('summary')].find(s => s.textContent === '\(details)')"
      try browser.evaluate("\(summary).parentElement.open = true")
    }

    private func agree(_ browser: Browser) throws {
      try browser.wait("a question", until: "document.querySelector('#ask').open")
      try browser.evaluate("document.querySelector('#ask-yes').click()")
    }

    private static let loads = [0, 100, 200, 350, 0, 100]

    /// From the choice of masses to the certificate, with the keyboard alone; the masses lie on the simulated pad.
    @Test func theWholeWayByKeyboard() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      func enter() throws { try browser.tap("Enter", code: 13, text: "\r") }
      func tab(to expression: String) throws {
        for _ in 0..<60 where try !browser.isTrue(expression) { try browser.tap("Tab", code: 9) }
        #expect(try browser.isTrue(expression), "\(expression)")
      }
      // 20 and 50 g are left out, 350 g are added.
      #expect(try browser.text("document.activeElement.textContent") == "Calibrate")
      for mass in [20, 50] {
        try tab(to: "document.activeElement.textContent === '\(mass) g'")
        try browser.tap(" ", code: 32, text: " ")
      }
      try tab(to: "document.activeElement.name === 'masses'")
      try browser.call("Input.insertText", ["text": "350 g x"])
      try enter()
      try browser.wait("a fault", until: "document.querySelector('#masses-fault').textContent.includes('“x”')")
      try browser.evaluate("document.activeElement.select()")
      try browser.call("Input.insertText", ["text": "350"])
      try enter()
      // Each step: the focus is on what comes next.
      for (index, load) in Self.loads.enumerated() {
        try browser.wait(
          "step \(index + 1)", until: "\(Self.view).innerText.includes('Step \(index + 1) of 6')", within: .seconds(60))
        try browser.wait("the focus", until: "document.activeElement.textContent === 'Measure'")
        try put(load, browser)
        if index == 2 {
          try browser.wait(
            "live counts", until: "parseFloat(\(Self.view).querySelector('dd').textContent) > 100")
          try browser.photograph("calibration-measuring", isWhole: true)
        }
        try enter()
      }
      try browser.wait("the result", until: "\(Self.button("Apply")) !== undefined", within: .seconds(120))
      #expect(try browser.text("\(Self.view).innerText").contains("Good: between your masses, the scale is right to "))
      #expect(try browser.isTrue("!\(Self.view).querySelector('tbody').checkVisibility()"), "details come on demand")
      try tab(to: "document.activeElement.textContent === 'Details'")
      try enter()
      // Drawn once its size is known.
      try browser.wait("the plot", until: "\(Self.view).querySelectorAll('svg .point').length === 4")
      #expect(try browser.number("\(Self.view).querySelectorAll('tbody tr').length") == 4)
      #expect(try browser.text("document.querySelector('#digits').textContent") != "100", "not applied yet")
      try browser.evaluate("\(Self.button("Apply")).focus()")
      try enter()
      try browser.waitUntilTold(" === 'Calibration applied and saved'")
      try browser.wait("the reading is right", until: "document.querySelector('#digits').textContent === '100'")
      #expect(folder.settings.contains("grams: 350}") && folder.settings.contains("pad: {name:"), "\(folder.settings)")
      try put(200, browser)
      try browser.wait("and another", until: "document.querySelector('#digits').textContent === '200'")
      // Verified.
      try put(0, browser)
      try tab(to: "document.activeElement.name === 'mass'")
      try browser.call("Input.insertText", ["text": "200"])
      try browser.tap("Tab", code: 9)
      try browser.call("Input.insertText", ["text": "2"])
      try enter()
      try browser.wait("the instruction", until: "\(Self.view).innerText.includes('Put 200.0 g on the pad.')")
      try put(200, browser)
      try browser.wait("verified", until: "\(Self.view).innerText.includes('200 g reads ')", within: .seconds(120))
      #expect(try browser.text("\(Self.view).innerText").contains(", within 2 g."))
      // Tested.
      try tab(to: "document.activeElement.textContent === 'Self-test'")
      try enter()
      try tab(to: "document.activeElement.name === 'mass_g'")
      try browser.call("Input.insertText", ["text": "200"])
      for (key, value) in [("times", "2"), ("creep_s", "1"), ("conditions", "21 °C")] {
        try tab(to: "document.activeElement.name === '\(key)'")
        try browser.evaluate("document.activeElement.select()")
        try browser.call("Input.insertText", ["text": value])
      }
      try enter()
      for (task, load) in [(1, 0), (2, 200), (3, 0), (4, 200), (6, 0)] {
        try browser.wait(
          "task \(task)", until: "\(Self.view).innerText.includes('\(task) of 6')", within: .seconds(60))
        try put(load, browser)
      }
      let link = "\(Self.view).querySelector('a[download]')"
      try browser.wait("the certificate", until: "\(link)?.checkVisibility() === true", within: .seconds(120))
      let certificate = try browser.text("fetch(\(link).href).then(answer => answer.text())")
      #expect(certificate.hasPrefix("GRAMPAD SELF-TEST CERTIFICATE\n"), "\(certificate)")
      #expect(certificate.contains("Conditions     21 °C\n") && certificate.contains("200 g read "), "\(certificate)")
      try browser.photograph("calibration-done", isWhole: true)
      // Undone, and left.
      try browser.evaluate("\(Self.button("Undo")).focus()")
      try enter()
      try browser.waitUntilTold(".includes('in use again')")
      #expect(!folder.settings.contains("350"), "\(folder.settings)")
      try browser.evaluate("\(Self.button("End the calibration")).focus()")
      try enter()
      try agree(browser)
      try browser.wait("the start", until: "\(Self.button("Start")) !== undefined")
      try browser.evaluate("location.hash = '#/'")
      try browser.wait(
        "left", until: "!\(Self.view).checkVisibility() && document.querySelector('#weighings-card').checkVisibility()")
    }

    /// Ten coins of 2 EUR and a typed mass.
    @Test func coinsAreMasses() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      try open("Coins", browser)
      try browser.evaluate(
        "(s => { s.value = 'EUR'; s.dispatchEvent(new Event('change')) })(\(Self.view).querySelector('select'))")
      let coin = "[...\(Self.view).querySelectorAll('details button')].find(b => b.textContent.startsWith('2 €'))"
      try browser.evaluate("\(coin).click()")
      try browser.wait("the coins", until: "\(Self.view).innerText.includes('Chosen: 20 g, 50 g, 85 g, 100 g, 200 g')")
      for mass in [20, 50, 100] { try click("\(mass) g", browser) }
      // Chosen twice, and taken back.
      try browser.evaluate("\(coin).click()")
      #expect(try browser.number("\(Self.view).querySelectorAll('details + div > button').length") == 1)
      try click("10 × 2 €: 85 g", browser)
      try browser.wait("without coins", until: "\(Self.view).innerText.includes('Chosen: 200 g')")
      try browser.evaluate("\(coin).click()")
      try click("Start", browser)
      try browser.wait("the step", until: "\(Self.view).innerText.includes('85 g (10 × 2 €)')")
      let masses = (try state(browser)["steps"] as? [[String: Any]])?.compactMap { $0["mass_g"] as? Double }
      #expect(masses == [0, 85, 200, 0, 85])
    }

    /// Two masses are swapped: the reason, the way to correct it, and nothing to apply. Ended without effect.
    @Test func swappedMassesAreRefused() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      let before = folder.settings
      try measure([100, 200, 350], [0, 100, 350, 200, 0, 100], browser)
      try browser.wait(
        "refused", until: "\(Self.view).innerText.includes('Not good: this calibration cannot be used.')")
      #expect(try browser.isTrue("\(Self.button("Apply")) === undefined && \(Self.view).querySelector('svg') === null"))
      let again =
        "[...\(Self.view).querySelectorAll('button.main')].find(b => b.textContent.startsWith('Measure again: '))"
      #expect(try browser.isTrue("\(again).checkVisibility()"))
      try browser.photograph("calibration-refused", isWhole: true)
      try browser.evaluate("\(again).click()")
      try browser.wait("its step", until: "\(Self.button("Measure")) !== undefined")
      try click("Show the result", browser)
      try click("End the calibration", browser)
      try agree(browser)
      try browser.wait("the start", until: "\(Self.button("Start")) !== undefined")
      #expect(folder.settings == before)
      #expect(try state(browser)["state"] as? String == "ended")
    }

    /// Another page calibrates: it can be watched, and continued here with what was measured. The pad is pulled off.
    @Test func continuesWhereAnotherPageWasLost() throws {
      let (stage, browser, folder) = try open(at: "")
      defer { withExtendedLifetime((stage, folder)) {} }
      let session = try measure([100, 200], [0], adopts: false, browser)
      try browser.evaluate("document.querySelector('#views [data-view=calibrate]').click()")
      try browser.wait(
        "it is told", until: "\(Self.view)?.innerText.includes('Another page or program is calibrating')")
      #expect(try browser.text("\(Self.view).innerText").contains("Put 100 g on the centre of the pad"))
      #expect(try browser.text("document.querySelector('#pad').dataset.state") == "held", "the script waits")
      func continueHere() throws {
        try click("Continue here", browser)
        try agree(browser)
        try browser.wait("the second step", until: "\(Self.view).innerText.includes('Step 2 of 5')")
      }
      try continueHere()
      #expect(try browser.number("\(Self.view).querySelectorAll('[data-state=measured]').length") == 1)
      // The other one can only watch.
      let body = "{ do: 'measure', session: '\(session)' }"
      let late = try browser.evaluate(Self.post("api/calibration/session", body)) as? [String: Any]
      #expect(late?["reason"] as? String == "no_session")
      // Leaving the view keeps it; a page that is loaded again continues.
      try browser.evaluate("location.hash = '#/'")
      try browser.waitUntilTold(".includes('kept for a day')")
      try browser.evaluate("location.hash = '#/calibrate'")
      try browser.reload()
      try browser.wait("continued", until: "\(Self.view) && \(Self.button("Measure")) !== undefined")
      // The tab is duplicated, and the newer one has the same identifier.
      try browser.evaluate(
        "new BroadcastChannel('grampad-calibration').postMessage(sessionStorage.getItem('grampad-calibration'))")
      try continueHere()
      // Another device continues: this page learns it without a command of its user.
      _ = try browser.evaluate(Self.post("api/calibration/session", "{ do: 'take_over' }"))
      try browser.wait(
        "it is told", until: "\(Self.view).innerText.includes('Another page or program continues this calibration.')",
        within: .seconds(20))
      // The tab is lost with its identifier.
      try browser.evaluate("sessionStorage.clear()")
      try browser.reload()
      try browser.wait("the view", until: "\(Self.view) !== null")
      try continueHere()
      _ = try browser.evaluate(Self.post("api/pad", "{ plugged: false }"))
      try browser.wait("it is over", until: "\(Self.view).innerText.includes('The pad was lost')")
      try click("Start again", browser)
      try click("Start", browser)
      try browser.wait("no pad", until: "\(Self.view).innerText.includes('No pad is connected.')")
    }

    /// A double click skips one step, and a view that is left and opened again does not ask twice as often.
    @Test func quickClicksAndVisitsAreCounted() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      try click("Start", browser)
      try browser.wait("the first step", until: "\(Self.button("Skip")) !== undefined")
      try browser.evaluate("\(Self.button("Skip")).id = 'skip'; document.querySelector('#skip').scrollIntoView()")
      try browser.settle()
      let box = "document.querySelector('#skip').getBoundingClientRect()"
      for count in 1...2 {
        let (x, y) = (try browser.number("\(box).x + 5"), try browser.number("\(box).y + 5"))
        for type in ["mousePressed", "mouseReleased"] {
          try browser.call(
            "Input.dispatchMouseEvent", ["type": type, "x": x, "y": y, "button": "left", "clickCount": count])
        }
        // The answer to the first click is there before the second one.
        try browser.wait("the second step", until: "\(Self.view).innerText.includes('Step 2 of')")
      }
      try browser.pass(300)
      #expect(try state(browser)["step"] as? Int == 1)

      let asked = "performance.getEntriesByType('resource').filter(e => e.name.endsWith('/session')).length"
      for _ in 1...3 {
        try browser.evaluate("location.hash = '#/'")
        try browser.wait("left", until: "!\(Self.view).checkVisibility()")
        try browser.evaluate("location.hash = '#/calibrate'")
        try browser.wait("back", until: "\(Self.view).checkVisibility()")
      }
      // Every 250 ms.
      let count = try browser.number(
        "new Promise(done => { performance.clearResourceTimings(); setTimeout(() => done(\(asked)), 2000); })")
      #expect(count >= 3 && count <= 9, "\(count) in 2 s")
    }

    @Test func isLaidOutWellAndAccessible() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      func look(_ name: String) throws {
        try browser.evaluate(AccessibilityTests.axe())
        for (theme, isDark) in [("light", false), ("dark", true)] {
          try browser.setColors(isDark: isDark)
          for (width, height) in [(390, 844), (1280, 900)] {
            try browser.resize(width, height)
            try browser.settle()
            let title = "calibration-\(name)-\(width)-\(theme)"
            try AccessibilityTests.check(title, browser)
            #expect(
              try browser.isTrue("document.documentElement.scrollWidth <= document.documentElement.clientWidth"),
              "\(title)")
            try browser.photograph(title, isWhole: true)
          }
        }
      }
      try open("Coins", browser)
      try look("start")
      try measure([100, 200, 350], [0, 100], browser)
      try look("step")
      try measure([100, 200, 350], Self.loads, browser)
      try browser.wait("the result", until: "\(Self.button("Apply")) !== undefined")
      try open("Details", browser)
      try browser.wait("the plot", until: "\(Self.view).querySelector('svg .point') !== null")
      try look("result")
      #expect(
        browser.events.allSatisfy { event in
          event.method != "Log.entryAdded" || !"\(event.parameters)".contains("Content Security Policy")
        })
    }
  }
}
