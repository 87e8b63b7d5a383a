import Foundation
import Testing

extension All {
  /// The page as an app: installed, offline, opened by a shortcut, as a kiosk, and its sounds.
  struct AppTests {
    private func open(_ play: String, path: String = "", width: Int = 1280, height: Int = 800, script: String = "")
      throws
      -> (Stage, Browser)
    {
      let stage = try Stage(play)
      let browser = try Browser()
      try browser.call("Page.addScriptToEvaluateOnNewDocument", ["source": script])
      try browser.resize(width, height)
      try browser.call("Page.navigate", ["url": stage.address + path])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      return (stage, browser)
    }

    @Test func theBrowserCanInstallIt() throws {
      let (stage, browser) = try open("still")
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("the worker", until: "navigator.serviceWorker.ready.then(() => true)")
      let manifest = try browser.call("Page.getAppManifest")
      #expect((manifest["errors"] as? [Any])?.isEmpty == true, "\(manifest)")
      let text = try #require(manifest["data"] as? String)
      let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(json["name"] as? String == "Kitchen scale")
      let shortcuts = try #require(json["shortcuts"] as? [[String: Any]])
      #expect(shortcuts.map { $0["name"] as? String } == ["Beans", "Water"])
      #expect(shortcuts.map { $0["url"] as? String } == ["/?action=beans", "/?action=water"])
      let faults = try browser.call("Page.getInstallabilityErrors")["installabilityErrors"] as? [[String: Any]] ?? []
      // A window in which nothing is remembered cannot install anything.
      let ids = faults.compactMap { $0["errorId"] as? String }.filter { $0 != "in-incognito" }
      #expect(ids.isEmpty, "\(faults)")
      let icons = try #require(json["icons"] as? [[String: Any]])
      for icon in icons where icon["type"] as? String == "image/png" {
        let source = try #require(icon["src"] as? String), sizes = try #require(icon["sizes"] as? String)
        let size =
          "(async () => { const i = new Image(); i.src = '\(source)'; await i.decode(); return `${i.naturalWidth}x${i.naturalHeight}`; })()"
        #expect(try browser.text(size) == sizes)
      }
      #expect(icons.count == 3)
      let touch =
        "fetch(document.querySelector('link[rel=apple-touch-icon]').href).then(a => a.headers.get('content-type'))"
      #expect(try browser.text(touch) == "image/png")
    }

    /// Without the scale, the installed page opens and says so, and shows no weight.
    @Test func theShellOpensOffline() throws {
      let (stage, browser) = try open("still")
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.wait("the worker", until: "navigator.serviceWorker.ready.then(() => true)")
      stage.child.send(SIGKILL)
      try browser.wait("it has ended", until: "fetch('/healthz').then(() => false, () => true)")
      try browser.reload()
      try browser.wait(
        "it says so", until: "document.querySelector('#stale')?.textContent.includes('does not respond')")
      #expect(try browser.text("document.querySelector('#digits').textContent") == "– – –")
      #expect(try browser.text("document.documentElement.dataset.link") == "stale")
      try browser.photograph("app-offline")
      // What is not the page is never answered from the copy.
      #expect(try browser.evaluate("fetch('/api/weighings').then(() => true, () => false)") as? Bool == false)
      #expect(try browser.evaluate("fetch('/healthz').then(() => true, () => false)") as? Bool == false)
    }

    /// A shortcut asks, acts once, and a reload does not repeat it.
    @Test func aShortcutActsOnceAfterItsConfirmation() throws {
      let (stage, browser) = try open("still")
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.call("Page.navigate", ["url": stage.address + "?action=beans"])
      try browser.wait("a question", until: "document.querySelector('#ask')?.open")
      #expect(try browser.text("document.querySelector('#ask-title').textContent").hasPrefix("Beans"))
      #expect(try browser.text("location.search") == "")
      try browser.photograph("app-shortcut")
      #expect(
        try browser.number("document.querySelectorAll('#weighings tr').length") == 0, "not before it is confirmed")
      try browser.evaluate("document.querySelector('#ask-yes').click()")
      try browser.wait("the weighing", until: "document.querySelector('#weighings tr')?.innerText.includes('beans')")
      try browser.reload()
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try browser.wait("the weighing", until: "document.querySelectorAll('#weighings tr').length === 1")
      #expect(try browser.evaluate("document.querySelector('#ask').open") as? Bool == false)
      // Declined, and then unknown.
      try browser.call("Page.navigate", ["url": stage.address + "?action=water"])
      try browser.wait("a question", until: "document.querySelector('#ask')?.open")
      try browser.evaluate("document.querySelector('#ask-no').click()")
      try browser.call("Page.navigate", ["url": stage.address + "?action=%3Cimg%3E"])
      try browser.waitUntilTold(".includes('no longer exists')")
      try browser.wait("the weighing alone", until: "document.querySelectorAll('#weighings tr').length === 1")
    }

    /// A shortcut that needs the token asks for it after its confirmation. Once one was given, it asks for a confirmation again, since
    /// the load may have changed meanwhile. A press of a button is not repeated.
    @Test func aShortcutContinuesAfterTheToken() throws {
      let (stage, browser) = try open("guarded")
      let rows = "document.querySelectorAll('#weighings tr').length"
      let requests = "performance.getEntriesByType('resource').filter(e => e.name.includes('api/action/')).length"
      let give = { (token: String) in
        try browser.wait("the question for the token", until: "document.querySelector('#token').open")
        try browser.evaluate("document.querySelector('#token-field').value = '\(token)'")
        try browser.evaluate("document.querySelector('#token button[value=yes]').click()")
      }
      let confirm = {
        try browser.wait("a question", until: "document.querySelector('#ask')?.open")
        try browser.wait("the load", until: "/^\\w+ 84 g\\?$/.test(document.querySelector('#ask-title').textContent)")
        try browser.evaluate("document.querySelector('#ask-yes').click()")
      }
      // Before the load is on the pad, a shortcut is refused.
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.call("Page.navigate", ["url": stage.address + "?action=beans"])
      try confirm()
      try give("fedcba9876543210")
      try confirm()
      try browser.wait(
        "that it is wrong", until: "document.querySelector('#token-text').textContent.includes('rejected')")
      try give("0123456789abcdef")
      try browser.wait("a question", until: "document.querySelector('#ask').open")
      #expect(try browser.number(rows) == 0 && browser.number(requests) == 2, "not before it is confirmed again")
      try confirm()
      try browser.wait("the weighing", until: "document.querySelector('#weighings tr')?.innerText.includes('beans')")
      try browser.wait("the answers", until: "\(requests) === 3")
      try browser.reload()
      try browser.wait("the weighing alone", until: "document.documentElement.dataset.link === 'live' && \(rows) === 1")
      #expect(try browser.evaluate("document.querySelector('#ask').open") as? Bool == false)

      // Without the token, nothing happens.
      try browser.evaluate("localStorage.removeItem('grampad-token')")
      try browser.call("Page.navigate", ["url": stage.address + "?action=water"])
      try confirm()
      try browser.wait("the question for the token", until: "document.querySelector('#token').open")
      try browser.evaluate("document.querySelector('#token button[value=no]').click()")
      try browser.wait("it is closed", until: "!document.querySelector('#token').open")

      // A click on a button is asked for, and its action has to be repeated.
      try browser.evaluate("document.querySelector('[data-action=commit]').click()")
      try confirm()
      try give("0123456789abcdef")
      try browser.waitUntilTold(".includes('Now repeat the action')")
      #expect(try browser.number(requests) == 2 && browser.number(rows) == 1)
      try browser.evaluate("document.querySelector('[data-action=commit]').click()")
      try confirm()
      try browser.wait("the second weighing", until: "\(rows) === 2")
    }

    @Test(arguments: [
      (320, 240), (800, 480), (1024, 600), (1280, 800), (1920, 1080), (390, 844), (480, 800), (1080, 1920),
    ])
    func theKioskFillsTheScreen(_ width: Int, _ height: Int) throws {
      let script = """
        window.locks = 0;
        Object.defineProperty(navigator, 'wakeLock', { value: { request: async kind => { window.locks += kind === 'screen'; return new EventTarget(); } } });
        """
      let (stage, browser) = try open("still", path: "kiosk", width: width, height: height, script: script)
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.waitForLateParts()
      try browser.wait(
        "the kiosk", until: "window.locks === 1 && !document.querySelector('#views').checkVisibility()")
      let seen =
        "[...document.querySelectorAll('main > .view > *, #ring, #marks, header h1, header #link, #views, #peek')].filter(n => n.checkVisibility()).map(n => n.id).join()"
      #expect(try browser.text(seen) == "name,link,scale,marks,ring")
      try browser.evaluate(
        "Promise.all([['tare', { tare_g: 30 }], ['target', { target_g: 100 }]].map(([name, body]) => fetch(`api/action/${name}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }).then(a => a.json())))"
      )
      try browser.wait(
        "what is in use",
        until:
          "document.querySelector('#target').checkVisibility() && document.querySelector('#tare').checkVisibility()")
      // A message is a line below what is shown, and covers nothing.
      try browser.wait("a message", until: "told.length > 0")
      let top = "document.querySelector('#toast').getBoundingClientRect().top"
      #expect(
        try browser.isTrue(
          "['display', 'ring'].every(id => document.getElementById(id).getBoundingClientRect().bottom <= \(top) + 1)"))
      // A capital is seen at 3 m if it takes 0.4 degrees: 21 mm, a quarter of the height of a display of 7 inches.
      let digits = try browser.number("parseFloat(getComputedStyle(document.querySelector('#weight')).fontSize) * 0.72")
      #expect(digits > Double(min(width, height)) / 4.2)
      #expect(try browser.number("document.documentElement.scrollWidth") <= Double(width))
      #expect(try browser.number("document.documentElement.scrollHeight") <= Double(height))
      for isDark in [false, true] {
        try browser.setColors(isDark: isDark)
        try browser.wait("no message", until: "!document.querySelector('#toast').dataset.show")
        try browser.settle()
        #expect(try browser.evaluate(Audit.script) as? [String] == [])
        try browser.photograph("kiosk-\(width)x\(height)-\(isDark ? "dark" : "light")")
      }
    }

    /// At night it dims after five minutes without anything, and wakes with a touch and with a load.
    @Test(arguments: [(12, true), (23, false), (5, false), (12, false)])
    func theKioskDimsAtNight(_ hour: Int, _ isDark: Bool) throws {
      let isNight = hour != 12 || isDark
      let script = """
        Date.prototype.getHours = () => \(hour);
        const wait = window.setTimeout;
        window.setTimeout = (run, time, ...more) => wait(run, time >= 60e3 ? 300 : time, ...more);
        """
      let (stage, browser) = (try Stage("hands"), try Browser())
      defer { withExtendedLifetime(stage) {} }
      func put(_ grams: Int) throws {
        try browser.evaluate(
          "fetch('/api/pad', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ plugged: true, noise_g: 0, loads: [{ id: 1, mass_g: \(grams), x: 0.5, y: 0.5 }], finger: null }) }).then(a => a.json())"
        )
      }
      try browser.setColors(isDark: isDark)
      try browser.call("Page.addScriptToEvaluateOnNewDocument", ["source": script])
      try browser.call("Page.navigate", ["url": stage.address + "kiosk"])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try put(100)
      try browser.wait(
        "100 g", until: "document.querySelector('#digits').textContent === '100' && \(LayoutTests.state("stable"))")
      let isDim = "document.documentElement.dataset.dim !== undefined"
      guard isNight else {
        try browser.pass(2_000)
        #expect(try !browser.isTrue(isDim))
        return
      }
      try browser.wait("it is dim", until: isDim)
      try browser.photograph("kiosk-dim-\(isDark ? "dark" : "light")")
      try browser.evaluate(
        "window.woken = 0, new MutationObserver(() => { window.woken += !(\(isDim)); }).observe(document.documentElement, { attributes: true, attributeFilter: ['data-dim'] })"
      )
      try browser.mouse("mousePressed", on: "#digits")
      try browser.mouse("mouseReleased", on: "#digits")
      try browser.wait("a touch wakes it, for a while", until: "window.woken > 0 && \(isDim)")
      let touches = try browser.number("window.woken")
      try put(150)
      try browser.wait("a load wakes it", until: "window.woken > \(Int(touches))")
    }

    /// A press is heard when it is selected and when it is confirmed, if sound is on.
    @Test func aPressIsHeardIfItIsWanted() throws {
      let script = """
        window.tones = [];
        const make = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () { const tone = make.call(this); setTimeout(() => window.tones.push(tone.frequency.value)); return tone; };
        """
      let (stage, browser) = try open("pressed", path: "#/brew", script: script)
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("a press", until: "document.querySelector('#ring').dataset.state === 'confirmed'")
      #expect(try browser.number("window.tones.length") == 0, "off until it is wanted")
      try browser.wait("the brew", until: "document.querySelector('#sound')?.checkVisibility()")
      try browser.evaluate("document.querySelector('#sound').scrollIntoView({ block: 'center', behavior: 'instant' })")
      try browser.mouse("mousePressed", on: "#sound")
      try browser.mouse("mouseReleased", on: "#sound")
      try browser.wait("the example", until: "window.tones.length === 2")
      try browser.wait("selected and confirmed", until: "window.tones.includes(660) && window.tones.includes(990)")
    }
  }
}
