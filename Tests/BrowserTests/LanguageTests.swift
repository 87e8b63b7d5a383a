import Foundation
import Testing

extension All {
  /// The page in the languages of its readers: complete, laid out well, and accessible.
  struct LanguageTests {
    /// A language as a browser asks for it, with what the page shows.
    struct Reader: CustomTestStringConvertible {
      var testDescription: String { tag }
      /// The tag of the page.
      let tag: String
      /// What the browser sends.
      let accepted: String
      let locale: String
      let gross: String
      let stable: String
      let source: String
      let failure: String

      static let all = [
        Reader(
          tag: "de", accepted: "de-AT,de;q=0.9,en;q=0.8", locale: "de-AT", gross: "Brutto", stable: "Stabil",
          source: "diese Seite", failure: "Tarieren fehlgeschlagen: "),
        Reader(
          tag: "zh-Hans", accepted: "zh-CN,zh;q=0.9,en;q=0.8", locale: "zh-CN", gross: "毛重", stable: "稳定",
          source: "本页面", failure: "“去皮”失败："),
        Reader(
          tag: "ja", accepted: "ja,en;q=0.8", locale: "ja-JP", gross: "総重量", stable: "安定", source: "このページ",
          failure: "「風袋引き」に失敗しました："),
      ]
    }

    static func open(_ reader: Reader, play: String = "still", path: String = "", folder: String? = nil) throws -> (
      Stage, Browser
    ) {
      let stage = try Stage(play, folder: folder)
      // A worker asks with the languages of the browser, a page with those that are overridden.
      let browser = try Browser(
        languages: reader.accepted.split(separator: ",").map { $0.prefix { $0 != ";" } }.joined(separator: ","))
      try browser.call("Emulation.setLocaleOverride", ["locale": reader.locale])
      let agent = try browser.text("navigator.userAgent")
      try browser.call(
        "Network.setUserAgentOverride", ["userAgent": agent, "acceptLanguage": reader.accepted])
      try browser.resize(1280, 900)
      try browser.call("Page.navigate", ["url": stage.address + path])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try browser.waitForLateParts()
      return (stage, browser)
    }

    private static let sizes = [(320, 640), (390, 844), (1280, 900)]

    private func look(_ name: String, _ browser: Browser, isWhole: Bool = false) throws {
      for (width, height) in Self.sizes {
        try browser.resize(width, height)
        for isDark in [false, true] {
          try browser.setColors(isDark: isDark)
          try browser.settle()
          let title = "\(name)-\(width)-\(isDark ? "dark" : "light")"
          let faults = try browser.evaluate(Audit.script) as? [String]
          #expect(faults == [], "\(title)")
          #expect(try browser.text(Contrast.script) == "", "\(title)")
          try browser.photograph(title, isWhole: isWhole)
        }
      }
      try browser.resize(1280, 900)
    }

    /// The scale says in English why the pad is not available.
    @Test func aLostPadIsExplained() throws {
      let (stage, browser) = try Self.open(Reader.all[0], play: "hands")
      defer { withExtendedLifetime(stage) {} }
      let button = "[...document.querySelectorAll('#pad-card button')].find(b => b.textContent === 'Abziehen')"
      try browser.wait("the pad", until: button)
      try browser.evaluate("\(button).click()")
      let reason = "das simulierte Pad wurde auf der Seite abgezogen"
      try browser.waitUntilTold(" === 'Pad getrennt: \(reason)'")
      try browser.wait("the fault", until: "document.querySelector('#fault').textContent === '\(reason)'")
      try browser.wait("the part", until: "document.querySelector('#part-pad span').textContent === '\(reason)'")
      try browser.evaluate("location.hash = '#/settings'")
      try browser.wait("the health", until: "document.querySelector('#health .bad')?.textContent === '\(reason)'")
    }

    @Test(arguments: Reader.all) func thePageIsInTheLanguageOfItsReader(_ reader: Reader) throws {
      let (stage, browser) = try Self.open(reader)
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      #expect(try browser.text("document.documentElement.lang") == reader.tag)
      #expect(try browser.text("document.querySelector('#masses dt').textContent") == reader.gross)
      #expect(try browser.text("document.querySelector('#mark-state').textContent") == reader.stable)
      for label in ["beans", "rye"] {
        try browser.evaluate(
          "fetch('api/action/commit', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{\"label\": \"\(label)\"}'}).then(a => a.json())"
        )
      }
      try browser.wait("two weighings", until: "document.querySelectorAll('#weighings tr').length === 2")
      // What the reader sees and hears, without names and numbers, has none of the English words.
      let words = [
        "Weighing", "weighing", "Settings", "Health", "Calibration", "Commit", "Clear", "Stable", "settling",
        "Hold",
        "release", "Container", "Pieces", "Download", "allowed", "synchronised", "Preview",
      ]
      let seen = try browser.text(
        "document.querySelector('#containers-card').open = true, document.body.innerText + [...document.querySelectorAll('[aria-label],[placeholder],[title]')].map(n => `${n.ariaLabel} ${n.placeholder} ${n.title}`).join()"
      )
      for word in words { #expect(!seen.contains(word), "\(word)") }
      try browser.evaluate("document.querySelector('#containers-card').open = false")
      try browser.wait("no message", until: "!document.querySelector('#toast').dataset.show")
      try look("language-\(reader.tag)", browser, isWhole: true)
      // The preview of a weighing, and its page.
      try browser.evaluate("document.querySelector('[data-more]').click()")
      try browser.wait("a dialog", until: "document.querySelector('#peek').matches(':modal')")
      try browser.wait("a curve", until: "document.querySelector('#peek .rest') !== null")
      try look("language-\(reader.tag)-peek", browser)
      try browser.tap("Escape", code: 27)
      // A question, and a rejection by its reason.
      try browser.evaluate("document.querySelector('[data-action=void]').click()")
      try browser.wait("a question", until: "document.querySelector('#ask').open")
      try look("language-\(reader.tag)-ask", browser)
      try browser.evaluate("document.querySelector('#ask-no').click()")
      try browser.evaluate("document.querySelector('#containers-card').open = true")
      try look("language-\(reader.tag)-tools", browser, isWhole: true)
      try browser.evaluate(
        "document.querySelector('#preset-form input').value = '5000', document.querySelector('#preset-form').requestSubmit()"
      )
      try browser.waitUntilTold(".startsWith('\(reader.failure)')")
    }

    @Test(arguments: Reader.all) func axeFindsNothing(_ reader: Reader) throws {
      let (stage, browser) = try Self.open(reader)
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.evaluate("document.querySelector('#containers-card').open = true")
      try browser.evaluate(AccessibilityTests.axe())
      for (width, height) in [(390, 844), (1280, 900)] {
        try browser.resize(width, height)
        try browser.settle()
        try AccessibilityTests.check("\(reader.tag) at \(width) px", browser)
      }
    }

    @Test(arguments: Reader.all) func pressesAreShownInTheRing(_ reader: Reader) throws {
      let (stage, browser) = try Self.open(reader, play: "pressed")
      defer { withExtendedLifetime(stage) {} }
      for state in ["selected", "confirmed"] {
        for (width, height) in Self.sizes + [(800, 480)] {
          try browser.resize(width, height)
          try browser.wait(state, until: LayoutTests.ring(state))
          try browser.settle()
          // The press may have gone on meanwhile.
          let faults =
            try browser.evaluate(
              "document.querySelector('#ring').dataset.state === '\(state)' ? \(Audit.script) : []") as? [String]
          #expect(faults == [], "\(reader.tag), \(state), \(width)")
          try browser.photograph("language-\(reader.tag)-\(state)-\(width)")
        }
      }
    }

    @Test(arguments: Reader.all) func theKioskAndTheShellAreInTheLanguageOfTheReader(_ reader: Reader) throws {
      let (stage, browser) = try Self.open(reader, path: "kiosk")
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      #expect(try browser.text("document.documentElement.lang") == reader.tag)
      let faults = try browser.evaluate(Audit.script) as? [String]
      #expect(faults == [])
      try browser.photograph("language-\(reader.tag)-kiosk")
      let manifest = try #require(try browser.call("Page.getAppManifest")["data"] as? String)
      #expect(manifest.contains("\"lang\":\"\(reader.tag)\""))
      try browser.wait("the worker", until: "navigator.serviceWorker.ready.then(() => true)")
      stage.child.send(SIGKILL)
      try browser.wait("it has ended", until: "fetch('/healthz').then(() => false, () => true)")
      try browser.call("Page.navigate", ["url": stage.address])
      let silent = ["de": "antwortet nicht", "zh-Hans": "没有响应", "ja": "応答しません"][reader.tag] ?? ""
      try browser.wait("it says so", until: "document.querySelector('#stale')?.textContent.includes('\(silent)')")
      #expect(try browser.text("document.documentElement.lang") == reader.tag)
    }

    /// The history with what it says when it finds nothing or cannot read, an older weighing, and the calibration.
    @Test(arguments: Reader.all) func theViewsAreInTheLanguageOfTheReader(_ reader: Reader) throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "grampad-language-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (stage, browser) = try Self.open(reader, play: "history", path: "#/history", folder: folder.path)
      defer { withExtendedLifetime(stage) {} }
      let summary = "document.querySelector('#history .summary')"
      let search = { (text: String) in
        _ = try browser.evaluate(
          "(n => { n.value = '\(text)'; n.dispatchEvent(new Event('input', { bubbles: true })); })(document.querySelector('#history [name=search]'))"
        )
      }
      func hasNoEnglish(_ view: String) throws {
        let seen = try browser.text("document.querySelector('\(view)').innerText")
        let words = Set(seen.split { !$0.isLetter }.map(String.init))
        for word in [
          "Search", "Label", "From", "Voided", "Included", "Older", "Newer", "Weighings", "weighings", "Back",
          "journal", "again", "Masses", "masses", "Start", "Calibrate", "Time", "Source", "none", "Void", "step",
          "grams", "synchronised", "unsynchronised",
        ] { #expect(!words.contains(word), "\(word) in \(view)") }
      }
      try browser.wait("days", until: "document.querySelector('#history h3 span') !== null")
      try browser.wait("no message", until: "!document.querySelector('#toast').dataset.show")
      try hasNoEnglish("#history")
      try look("language-\(reader.tag)-history", browser)
      let before = try browser.text("\(summary).textContent")
      try search("zzz")
      try browser.wait("nothing", until: "\(summary).textContent !== \(String(reflecting: before))")
      try browser.wait("its end", until: "document.querySelector('#history .days').children.length === 0")
      try hasNoEnglish("#history")
      try browser.photograph("language-\(reader.tag)-history-empty")
      try browser.call("Network.setBlockedURLs", ["urls": ["*/api/history*"]])
      try search("rye")
      try browser.wait("the fault", until: "\(summary).dataset.bad !== undefined")
      try hasNoEnglish("#history")
      try look("language-\(reader.tag)-history-unreadable", browser)
      try browser.evaluate("location.hash = '#/history/17'")
      try browser.wait("the fault", until: "document.querySelector('#detail [role=alert]') !== null")
      try hasNoEnglish("#detail")
      try browser.photograph("language-\(reader.tag)-detail-unreadable")
      try browser.call("Network.setBlockedURLs", ["urls": []])
      try browser.evaluate("document.querySelector('#detail button').click()")
      try browser.wait("the weighing", until: "document.querySelector('#detail dl') !== null")
      try hasNoEnglish("#detail")
      try look("language-\(reader.tag)-detail", browser, isWhole: true)
      try browser.evaluate("location.hash = '#/calibrate'")
      try browser.wait("the calibration", until: "document.querySelector('#calibrating button') !== null")
      try hasNoEnglish("#calibrating")
      try look("language-\(reader.tag)-calibration", browser, isWhole: true)
    }

    @Test(arguments: Reader.all) func theSettingsAreInTheLanguageOfTheReader(_ reader: Reader) throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "grampad-language-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (stage, browser) = try Self.open(reader, play: "settings", folder: folder.path)
      defer { withExtendedLifetime(stage) {} }
      try openSettings(browser)
      try browser.wait("the fields", until: "document.querySelector('#view-settings form').checkVisibility()")
      try browser.evaluate("for (const each of document.querySelectorAll('#view-settings details')) each.open = true")
      let title = ["de": "Einstellungen", "zh-Hans": "设置", "ja": "設定"][reader.tag] ?? ""
      #expect(try browser.text("document.querySelector('#settings-title').textContent") == title)
      let seen = try browser.text("document.querySelector('#view-settings').innerText")
      for word in ["Name of", "Stability", "Zones", "Add ", "Remove", "Default", "configuration", "Description"] {
        #expect(!seen.contains(word), "\(word)")
      }
      for (width, height) in [(390, 844), (1280, 900)] {
        try browser.resize(width, height)
        try browser.settle()
        let faults = try browser.evaluate(Audit.script) as? [String]
        // The checkbox is smaller than a finger in every language.
        #expect(faults?.filter { !$0.contains(": target of ") } == [], "\(reader.tag) at \(width) px")
        try browser.photograph("language-\(reader.tag)-settings-\(width)")
      }
    }

    private static func folder() throws -> URL {
      let folder = FileManager.default.temporaryDirectory.appending(path: "grampad-language-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return folder
    }

    private static func hasNone(of words: [String], _ text: String) {
      for word in words { #expect(!text.contains(word), "\(word) in \(text)") }
    }

    /// The scale says in English why it chose a curve, and what is doubtful.
    @Test(arguments: Reader.all) func theResultOfACalibrationIsExplained(_ reader: Reader) throws {
      let folder = try Self.folder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let (stage, browser) = try Self.open(reader, play: "settings", folder: folder.path)
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("the pad", until: "document.querySelector('#pad') !== null")
      let view = "document.querySelector('#calibrating')"
      let page = CalibrationPageTests()
      try page.measure([100, 200, 350], [0, 100, 200, 350, 0, 100], browser)
      let curve = ["de": "Kurve: ", "zh-Hans": "曲线：", "ja": "曲線："][reader.tag] ?? ""
      try browser.wait("the result", until: "\(view)?.querySelector('.verdict') !== null")
      try browser.evaluate("\(view).querySelectorAll('details').forEach(each => each.open = true)")
      try browser.wait("the curve", until: "\(view).innerText.includes('\(curve)')")
      let words = ["leave", "error", "monotone", "curve", "masses", "mass ", "check"]
      Self.hasNone(of: words, try browser.text("\(view).innerText"))
      try browser.photograph("language-\(reader.tag)-calibration-result", isWhole: true)
      guard reader.tag == "de" else { return }
      try page.measure([50, 100, 200, 300, 380], [0, 50, 100, 208, 300, 380, 0, 50], browser)
      try browser.wait("the doubt", until: "\(view).innerText.includes('Bitte prüfen: ')")
      Self.hasNone(of: words, try browser.text("\(view).innerText"))
      let button = "[...\(view).querySelectorAll('button')].find(b => b.textContent === 'Trotzdem anwenden')"
      try browser.wait("the button", until: "\(button)?.checkVisibility()")
      try browser.evaluate("\(button).click()")
      try browser.wait("a question", until: "document.querySelector('#ask').open")
      Self.hasNone(of: words, try browser.text("document.querySelector('#ask').innerText"))
    }

    private func openSettings(_ browser: Browser) throws {
      try browser.evaluate("location.hash = '#/settings'")
      try browser.wait("the settings", until: "document.querySelector('#view-settings')?.checkVisibility()")
    }

    /// The state of the broker, and a list without addresses.
    @Test(arguments: Reader.all) func anUnreachableBrokerIsExplainedInTheSettings(_ reader: Reader) throws {
      let folder = try Self.folder()
      defer { try? FileManager.default.removeItem(at: folder) }
      try "mqtt: {broker: mqtt://127.0.0.1:1}\n".write(
        to: folder.appending(path: "grampad.settings.yaml"), atomically: true, encoding: .utf8)
      let (stage, browser) = try Self.open(reader, play: "settings", folder: folder.path)
      defer { withExtendedLifetime(stage) {} }
      try openSettings(browser)
      let state = "document.querySelector('#view-settings .broker [role=status]')"
      try browser.wait("the fields", until: "\(state) !== null")
      let reason = ["de": "keine Verbindung möglich (", "zh-Hans": "无法连接（", "ja": "接続できません（"][reader.tag] ?? ""
      try browser.wait("the reason", until: "\(state).textContent.includes('\(reason)')", within: .seconds(120))
      Self.hasNone(of: ["check", "connect"], try browser.text("\(state).textContent"))
      // An empty list is refused at its field, until the embedded broker is chosen.
      let text = "document.querySelector('#view-settings textarea')", box = "\(text).closest('.broker')"
      try browser.evaluate(
        "\(text).value = ''; document.querySelector('#view-settings .bar .main').click()")
      try browser.wait("the fault", until: "\(box).querySelector('.fault') !== null")
      #expect(
        try browser.isTrue("\(text).getAttribute('aria-invalid') === 'true' && document.activeElement === \(text)"))
      Self.hasNone(of: ["address", "embedded"], try browser.text("\(box).querySelector('.fault').textContent"))
      try browser.evaluate(
        "(n => { n.value = 'embedded'; n.dispatchEvent(new Event('change')); })(\(box).querySelector('select'))")
      #expect(try browser.isTrue("\(box).querySelector('.fault') === null"))
    }

    /// The card about health, and the message instead of the settings.
    @Test(arguments: Reader.all) func anInvalidSettingsFileIsExplained(_ reader: Reader) throws {
      let folder = try Self.folder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let (stage, browser) = try Self.open(reader, play: "settings", folder: folder.path)
      defer { withExtendedLifetime(stage) {} }
      try "scale: {minimum_g: heavy}\n".write(
        to: folder.appending(path: "grampad.settings.yaml"), atomically: true, encoding: .utf8)
      let expected = ["de": "erwartet: eine Zahl von 0", "zh-Hans": "应为：0 至 ", "ja": "必要な値：0 ～ "][reader.tag] ?? ""
      try openSettings(browser)
      let row = "[...document.querySelectorAll('#health .bad')].at(-1)?.textContent",
        words = ["expected", "holds", "invalid"]
      try browser.wait("the health", until: "\(row)?.includes('\(expected)')", within: .seconds(120))
      Self.hasNone(of: words, try browser.text(row))
      let message = "document.querySelector('#view-settings > [role=status]').textContent"
      try browser.evaluate("location.hash = '#/'")
      try openSettings(browser)
      try browser.wait("a message", until: "\(message).includes('\(expected)')")
      Self.hasNone(of: words, try browser.text(message))
    }
  }
}
