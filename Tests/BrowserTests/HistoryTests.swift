import Foundation
import Testing

extension All {
  /// The history in the page, on a whole appliance with a journal of six days; see `PreparedJournal`.
  struct HistoryTests {
    /// A temporary folder with configuration and journal; removed with the value.
    private final class Folder {
      let path = FileManager.default.temporaryDirectory.path + "/grampad-history-\(UUID())"
      init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
      deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// What a test has to keep.
    private struct Scene {
      let folder: Folder
      let stage: Stage
      let browser: Browser
    }

    private static let isLoaded =
      "document.querySelector('#history h3') && document.querySelector('#history .days').getAttribute('aria-busy') === 'false'"
    private static let numbers = "[...document.querySelectorAll('#history .number')].map(n => n.textContent).join(' ')"
    private static let summary = "document.querySelector('#history .summary').textContent"
    private static func isShown(_ numbers: ClosedRange<Int>) -> String {
      "\(Self.numbers) === '\(numbers.reversed().map { "#\($0)" }.joined(separator: " "))'"
    }
    /// The local day some days before today, as the fields for dates have it.
    private static func day(_ offset: Int) -> String {
      "(d => { d.setDate(d.getDate() - \(offset)); return [d.getFullYear(), String(d.getMonth() + 1).padStart(2, '0'), String(d.getDate()).padStart(2, '0')].join('-'); })(new Date())"
    }
    private static func button(_ text: String) -> String {
      "[...document.querySelectorAll('#history button')].find(b => b.textContent === '\(text)')"
    }
    private static func set(_ name: String, _ value: String) -> String {
      "(n => { n.value = \(value); n.dispatchEvent(new Event('input', { bubbles: true })); })(document.querySelector('#history [name=\(name)]'))"
    }

    /// The page, with its weighings.
    private func open(width: Int = 1280, height: Int = 900, isDark: Bool = false) throws -> Scene {
      let folder = try Folder()
      let stage = try Stage("history", folder: folder.path)
      let browser = try Browser()
      try browser.resize(width, height, isPhone: width < 500)
      try browser.setColors(isDark: isDark)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.wait("weighings", until: "document.querySelectorAll('#weighings tr').length === 3")
      return Scene(folder: folder, stage: stage, browser: browser)
    }

    private func openHistory(width: Int = 1280, height: Int = 900, isDark: Bool = false) throws -> Scene {
      let scene = try open(width: width, height: height, isDark: isDark)
      try scene.browser.evaluate("document.querySelector('a[href=\"#/history\"]').click()")
      try scene.browser.wait("the history", until: Self.isLoaded)
      scene.browser.forgetEvents()
      return scene
    }

    /// More weighings than the list has: the totals are those of the journal, and of its labels.
    @Test func theTotalsCoverTheWholeJournal() throws {
      let scene = try openHistory()
      let browser = scene.browser
      try browser.wait("the total", until: "\(Self.summary) === '130 weighings, 8529 g'")
      try browser.evaluate("document.querySelector('#history .by-label summary').click()")
      let lines = "[...document.querySelectorAll('#history .by-label li')].map(line => line.innerText)"
      let labels = "\(lines).map(line => line.split(/\\s/)[0]).sort().join()"
      #expect(try browser.text(labels) == "Grüße,no,oats,rye")
      // A new weighing is added while they are open.
      try browser.evaluate(
        "fetch('api/action/commit', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ label: '<b>oats</b>' }) })"
      )
      try browser.wait("the new one", until: "\(Self.summary) === '131 weighings, 8613 g'")
      try browser.wait("its label", until: "\(lines).some(line => /^<b>oats<.b>\\s+1 weighing, 84 g$/.test(line))")
    }

    /// The address has the filters: back from a weighing, the way over another view and a link show the same.
    @Test func theFiltersStay() throws {
      let scene = try openHistory()
      let browser = scene.browser
      let isRye =
        "location.hash === '#/history?label=rye' && \(Self.summary).startsWith('43 weighings') && \(Self.isLoaded)"
      try browser.evaluate(Self.set("label", "'=rye'"))
      try browser.wait("rye", until: isRye)
      try browser.evaluate("document.querySelector('#history li:nth-child(2) a').click()")
      try browser.wait("a weighing", until: "!document.querySelector('#detail').hidden")
      let all = "document.querySelector('#detail .back a')"
      try browser.wait("the way back", until: "\(all)?.getAttribute('href') === '#/history?label=rye'")
      try browser.evaluate("history.back()")
      try browser.wait("rye", until: isRye)
      #expect(try browser.isTrue("document.activeElement.matches('#history li:nth-child(2) a')"))
      for view in ["scale", "history"] {
        try browser.evaluate("document.querySelector('#views [data-view=\(view)]').click()")
      }
      try browser.wait("rye", until: isRye)
      try browser.reload()
      try browser.wait("rye by its address", until: isRye)
      #expect(try browser.text("document.querySelector('#history [name=label]').value") == "=rye")
      try browser.evaluate("location.hash = '#/history?search=gr%C3%BC&voided=false&from=nonsense&else=1'")
      try browser.wait("another link", until: "\(Self.summary) === '1 weighing, 118 g'")
      try browser.evaluate("\(Self.button("Reset")).click()")
      try browser.wait("all", until: "location.hash === '#/history' && \(Self.summary) === '130 weighings, 8529 g'")
    }

    /// A day of the list opens its chart; all of its weighings are marked, and "back" shows what was shown before.
    @Test func aDayHasItsChart() throws {
      let scene = try openHistory()
      let browser = scene.browser
      let heading = "document.querySelector('#chart-card h2')"
      let yesterday = try browser.text(Self.day(1))
      try browser.evaluate("document.querySelector('#history section:nth-child(2) h3 a').click()")
      try browser.wait("the day", until: "\(Self.summary) === '23 weighings, 2485 g' && \(Self.isLoaded)")
      #expect(try browser.text("location.hash") == "#/history?from=\(yesterday)&until=\(yesterday)")
      #expect(try browser.isTrue("document.activeElement === \(heading)"))
      #expect(
        try browser.text("\(heading).textContent")
          == browser.text("document.querySelector('#history h3 time').textContent"))
      // Weighings that would lie over each other are one mark with their number.
      let counts = "[...document.querySelectorAll('#hours text.count')].map(t => Number(t.textContent))"
      let marked = "\(counts).reduce((a, b) => a + b, document.querySelectorAll('#hours .diamond').length)"
      try browser.wait("the marks", until: "\(marked) === 23 && \(counts).length > 0")
      #expect(try browser.text("document.querySelector('#hours').ariaLabel").hasSuffix(": 23 weighings"))
      #expect(try browser.number("document.querySelectorAll('#chart-card [aria-pressed=true]').length") == 1)
      try browser.evaluate("document.querySelector('#chart-days a').click()")
      try browser.wait("the day before", until: "\(Self.summary).startsWith('24 weighings')")
      // A voided weighing is not marked; a filter applies to the chart, too.
      try browser.evaluate("history.back()")
      try browser.wait("the day", until: "\(Self.summary) === '23 weighings, 2485 g'")
      try browser.evaluate(Self.set("search", "'grü'"))
      try browser.wait("one", until: "document.querySelector('#hours text.number')?.textContent === '#118'")
      try browser.evaluate("document.querySelector('[data-span=\"300\"]').click()")
      try browser.wait("minutes", until: "document.querySelector('#hours').hidden && \(heading).textContent === 'Net'")
      try browser.wait("its total", until: "\(Self.summary) === '1 weighing, 118 g'")
    }

    /// A print has all that the filters select, not only the page that is shown; without the button, it says what is missing.
    @Test func aPrintHasTheWholeSelection() throws {
      let scene = try openHistory()
      let browser = scene.browser
      let rows = "document.querySelectorAll('#history .days li').length"
      let printed = "document.querySelector('#history .printed').textContent"
      try browser.wait("a page", until: "\(rows) === 50 && \(printed).includes('Not all weighings: #133 to #82.')")
      try browser.evaluate("window.print = () => { window.printed = [\(rows), \(printed)] }")
      try browser.evaluate("\(Self.button("Print")).click()")
      try browser.wait("the print", until: "window.printed?.[0] === 131")
      #expect(try !browser.text("window.printed[1]").contains("Not all"))
      try browser.call("Emulation.setEmulatedMedia", ["media": "print"])
      for hidden in ["#views", "header", "#chart-card", "#history .filters", "#history .head button", "#toast"] {
        #expect(try browser.isTrue("!document.querySelector('\(hidden)').checkVisibility()"), "\(hidden)")
      }
      #expect(try browser.isTrue("document.querySelector('#history .printed').checkVisibility()"))
      try browser.photograph("history-print", isWhole: true)
      try browser.call("Emulation.setEmulatedMedia", ["media": ""])
      try browser.evaluate("dispatchEvent(new Event('afterprint'))")
      try browser.wait("the page again", until: "\(rows) === 50")
    }

    @Test func daysWithTotalsPageByPage() throws {
      let scene = try openHistory()
      let browser = scene.browser
      #expect(try browser.isTrue("document.activeElement.id === 'history-title'"))
      try browser.wait("the total", until: "\(Self.summary) === '130 weighings, 8529 g'")
      let days =
        "[...document.querySelectorAll('#history h3')].map(h => h.querySelector('span').textContent).join('; ')"
      #expect(try browser.text(days) == "11 weighings, 1388 g; 23 weighings, 2485 g; 24 weighings, 2028 g")
      let first = try browser.text("document.querySelector('#history h3 time').dateTime")
      #expect(try browser.text(Self.day(0)) == first)
      #expect(try browser.text(Self.numbers).hasPrefix("#133 #130 #129"))
      #expect(try browser.text(Self.numbers).hasSuffix("#83 #82"))
      let row = { (number: Int) in "document.querySelector('#history a[href=\"#/history/\(number)\"]').closest('li')" }
      #expect(try browser.isTrue("\(row(119)).className === 'voided' && \(row(119)).innerText.includes('voided')"))
      #expect(try browser.text("\(row(118)).querySelector('i').textContent") == "Grüße (relabelled)")
      #expect(try browser.isTrue("\(Self.button("Newer")).ariaDisabled === 'true'"))

      try browser.evaluate("\(Self.button("Older")).click()")
      try browser.wait("the second page", until: Self.isShown(32...81))
      #expect(try browser.isTrue("document.activeElement.id === 'history-title'"))
      try browser.evaluate("\(Self.button("Older")).click()")
      try browser.wait("the third page", until: Self.isShown(1...31))
      #expect(try browser.isTrue("\(Self.button("Older")).ariaDisabled === 'true'"))
      try browser.evaluate("\(Self.button("Older")).click()")
      try browser.evaluate("\(Self.button("Newer")).click()")
      try browser.wait("the second page again", until: Self.isShown(32...81))
      try browser.reload()
      try browser.wait("the history by its address", until: Self.isLoaded)
      #expect(try browser.text(Self.numbers).hasPrefix("#133 #130"))
    }

    @Test func filtersAndExport() throws {
      let scene = try openHistory()
      let browser = scene.browser
      // One request for what is typed without a pause; upper and lower case do not matter.
      try browser.evaluate("performance.clearResourceTimings()")
      try browser.evaluate("document.querySelector('#history [name=search]').focus()")
      try browser.evaluate(["G", "GR", "GRÜ"].map { Self.set("search", "'\($0)'") }.joined(separator: "; "))
      try browser.wait("one weighing", until: Self.isShown(118...118))
      try browser.wait("its total", until: "\(Self.summary) === '1 weighing, 118 g'")
      let requests = "performance.getEntriesByType('resource').filter(e => e.name.includes('api/history?')).length"
      #expect(try browser.number(requests) == 1)
      #expect(try browser.text("document.activeElement.name") == "search")

      try browser.evaluate("\(Self.button("Reset")).click()")
      try browser.wait("all", until: "\(Self.summary) === '130 weighings, 8529 g'")
      let options = "[...document.querySelectorAll('#history [name=label] option')].map(o => o.textContent).join(', ')"
      #expect(try browser.text(options) == "All labels, no label, Grüße, oats, rye")
      try browser.evaluate(Self.set("label", "'=rye'"))
      try browser.wait("rye", until: "\(Self.summary).startsWith('43 weighings')")
      #expect(try browser.text(options) == "All labels, no label, Grüße, oats, rye")
      try browser.evaluate(Self.set("label", "'='"))
      try browser.wait("no label", until: "\(Self.summary).startsWith('42 weighings')")

      // A range of one day, with and without what is voided in it, as a file too.
      try browser.evaluate("\(Self.button("Reset")).click()")
      try browser.evaluate(Self.set("from", Self.day(1)))
      try browser.evaluate(Self.set("until", Self.day(1)))
      try browser.wait("a day", until: Self.isShown(97...120))
      let csv = "fetch(document.querySelector('#history a[download]').href).then(a => a.text())"
      let lines = { try browser.text(csv).split(separator: "\r\n") }
      #expect(try lines().count == 25)
      try browser.evaluate(Self.set("voided", "'true'"))
      try browser.wait("the voided one", until: Self.isShown(119...119))
      #expect(try lines().count == 2)
      try browser.wait("no total", until: "\(Self.summary) === '0 weighings, 0 g'")

      try browser.evaluate(Self.set("from", Self.day(0)))
      try browser.wait("a hint", until: "\(Self.summary) === 'The first day is after the last one.'")
      try browser.evaluate("\(Self.button("Reset")).click()")
      try browser.evaluate(Self.set("search", "'%'"))
      try browser.wait("nothing", until: "\(Self.summary) === 'No weighing matches.'")
      #expect(try browser.text(Self.numbers).isEmpty)
    }

    @Test func anOlderWeighingHasItsPage() throws {
      let scene = try openHistory()
      let browser = scene.browser
      for _ in 1...2 { try browser.evaluate("\(Self.button("Older")).click()") }  // the second one is too early
      try browser.wait("the second page", until: Self.isShown(32...81))
      try browser.evaluate("\(Self.button("Older")).click()")
      try browser.wait("the last page", until: Self.isShown(1...31))
      try browser.evaluate("document.querySelector('#history a[href=\"#/history/17\"]').focus()")
      try browser.tap("Enter", code: 13, text: "\r")
      try browser.wait("the page of #17", until: PeekTests.isOn(17))
      #expect(try browser.isTrue("document.querySelector('#history').hidden"))
      let text = "document.querySelector('#detail').innerText"
      #expect(try browser.text(text).contains("17 g"))
      // The curve is loaded after the page.
      try browser.wait("the note", until: "\(text).includes('No curve is available')")
      // It changes as those of the newest weighings do.
      try browser.evaluate(
        "(f => { f.value = 'spelt'; f.form.querySelector('button').click(); })(document.querySelector('#detail form input'))"
      )
      try browser.wait(
        "the label", until: "document.querySelector('#detail dl').innerText.includes('spelt')")
      try browser.evaluate("history.back()")
      try browser.wait(
        "the row", until: "document.activeElement.getAttribute('href') === '#/history/17' && \(Self.isLoaded)")
      try browser.wait("its label", until: "document.activeElement.innerText.includes('spelt (relabelled)')")
      try browser.call("Page.navigate", ["url": "about:blank"])
      try browser.call("Page.navigate", ["url": scene.stage.address + "#/history/5"])
      try browser.wait("the page of #5", until: PeekTests.isOn(5))
      try browser.evaluate("location.hash = '#/history/131'")
      try browser.wait(
        "no weighing", until: "document.querySelector('#detail').innerText.includes('no weighing with this number')")
    }

    @Test func newRecordsAppear() throws {
      let scene = try openHistory()
      let browser = scene.browser
      let act = { (action: String, body: String) in
        _ = try browser.evaluate(
          "fetch('api/action/\(action)', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '\(body)'}).then(a => a.json())"
        )
      }
      try browser.evaluate("document.querySelector('#history a[href=\"#/history/130\"]').focus()")
      try act("commit", "{\"label\": \"spelt\"}")
      try browser.wait("the new one", until: "\(Self.numbers).startsWith('#134 #133')")
      try browser.wait("its total", until: "\(Self.summary) === '131 weighings, 8613 g'")
      // The focus stays where it was.
      #expect(try browser.isTrue("document.activeElement.getAttribute('href') === '#/history/130'"))
      #expect(
        try browser.text("[...document.querySelectorAll('#history [name=label] option')].at(-1).textContent") == "spelt"
      )
      try act("void", "{}")
      try browser.wait("it is voided", until: "document.querySelector('#history .days li').className === 'voided'")
      try browser.wait("its total", until: "\(Self.summary) === '130 weighings, 8529 g'")

      // Without a connection, the page says so, and tries again when asked to.
      try browser.setOffline(true)
      try browser.evaluate(Self.set("search", "'rye'"))
      try browser.wait("the fault", until: "\(Self.summary).startsWith('The journal cannot be read')")
      try browser.setOffline(false)
      try browser.evaluate("\(Self.button("Try again")).click()")
      try browser.wait("rye", until: "\(Self.summary).startsWith('43 weighings')")
    }

    /// A search that takes several requests, as in a journal of a million weighings: it shows how far it has come, waits while too many
    /// searches are running, and adds up afterwards.
    @Test func aLongSearchContinues() throws {
      let scene = try openHistory()
      let browser = scene.browser
      try browser.evaluate(
        """
        (() => {
          const real = window.fetch, json = text => new Response(text, { headers: { 'Content-Type': 'application/json' } });
          const held = new Promise(done => { window.release = done; });
          window.asked = [];
          window.fetch = async (path, options) => {
            if (!path.includes('search=rye')) return real(path, options);
            window.asked.push(path);
            const [kind] = path.split('?'), count = window.asked.filter(p => p.startsWith(kind)).length;
            if (kind === 'api/history' && count === 1) return new Response('{}', { status: 503, headers: { 'Retry-After': '1' } });
            if (kind === 'api/history' && count === 2) return json('{"sequence": 133, "next": 60, "weighings": []}');
            if (kind === 'api/history') await held;
            if (kind === 'api/totals' && count === 1) return json('{"sequence": 133, "next": 60, "weighings": 0, "net_g": 0, "complete": true, "groups": []}');
            return real(path, options);
          };
        })()
        """)
      try browser.evaluate(Self.set("search", "'rye'"))
      try browser.wait("how far it has come", until: "\(Self.summary) === 'Searching before #60…'")
      try browser.evaluate("window.release()")
      try browser.wait("the older ones", until: "\(Self.numbers).startsWith('#57 #54')")
      try browser.wait("the totals", until: "\(Self.summary).startsWith('43 weighings')")
      let requests = try browser.text("window.asked.filter(p => p.includes('history')).join(' ')")
      #expect(
        requests
          == "api/history?search=rye&limit=50 api/history?search=rye&limit=50 api/history?search=rye&limit=50&before=60"
      )
    }

    /// While the journal cannot be read, the page of an older weighing does not say that the weighing is missing.
    @Test func anOlderWeighingCannotBeRead() throws {
      let scene = try openHistory()
      let browser = scene.browser
      try browser.call("Network.setBlockedURLs", ["urls": ["*/api/history*"]])
      try browser.evaluate("location.hash = '#/history/17'")
      let page = "document.querySelector('#detail').innerText"
      try browser.wait("the fault", until: "\(page).includes('The journal cannot be read')")
      #expect(try !browser.text(page).contains("no weighing with this number"))
      try browser.call("Network.setBlockedURLs", ["urls": []])
      try browser.evaluate("document.querySelector('#detail button').click()")
      try browser.wait("the page of #17", until: "\(PeekTests.isOn(17)) && \(page).includes('17 g')")
    }

    @Test(arguments: [(390, 844, false), (390, 844, true), (1280, 900, false), (1280, 900, true)])
    func isLaidOutWell(_ width: Int, _ height: Int, _ isDark: Bool) throws {
      let scene = try openHistory(width: width, height: height, isDark: isDark)
      let browser = scene.browser
      let name = "history-\(width)-\(isDark ? "dark" : "light")"
      try browser.wait(
        "the style", until: "getComputedStyle(document.querySelector('#history ul')).listStyleType === 'none'")
      try browser.wait("no message", until: "!document.querySelector('#toast').dataset.show")
      try browser.settle()
      #expect(try browser.evaluate(Audit.script) as? [String] == [], "\(name)")
      #expect(try browser.text(Contrast.script) == "", "\(name)")
      try browser.evaluate(AccessibilityTests.axe())
      try AccessibilityTests.check(name, browser)
      try browser.photograph(name)
      try browser.evaluate("document.querySelector('#history .row').scrollIntoView({ block: 'end' })")
      try browser.settle()
      try browser.photograph(name + "-end")
      try browser.evaluate(Self.set("search", "'zzz'"))
      try browser.wait("nothing", until: "\(Self.summary) === 'No weighing matches.'")
      try AccessibilityTests.check(name + "-empty", browser)
      try browser.photograph(name + "-empty")
    }
  }
}
