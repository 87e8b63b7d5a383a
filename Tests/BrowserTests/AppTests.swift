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
      #expect(try browser.text("document.querySelector('#install-note').textContent") == "")
    }

    /// Without the scale, the installed page opens and says so, and shows no weight.
    @Test func theShellOpensOffline() throws {
      let (stage, browser) = try open("still")
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      try browser.wait("the worker", until: "navigator.serviceWorker.ready.then(() => true)")
      stage.child.send(SIGKILL)
      try browser.wait("it has ended", until: "fetch('/healthz').then(() => false, () => true)")
      try browser.call("Page.reload")
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
      try browser.call("Page.reload")
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try browser.wait("the weighing", until: "document.querySelectorAll('#weighings tr').length === 1")
      #expect(try browser.evaluate("document.querySelector('#ask').open") as? Bool == false)
      // Declined, and then unknown.
      try browser.call("Page.navigate", ["url": stage.address + "?action=water"])
      try browser.wait("a question", until: "document.querySelector('#ask')?.open")
      try browser.evaluate("document.querySelector('#ask-no').click()")
      try browser.call("Page.navigate", ["url": stage.address + "?action=%3Cimg%3E"])
      try browser.wait(
        "a message", until: "document.querySelector('#toast')?.textContent.includes('no longer exists')")
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
      try browser.call("Page.reload")
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
      try browser.wait("a hint", until: "document.querySelector('#toast').textContent.includes('Repeat the action')")
      #expect(try browser.number(requests) == 2 && browser.number(rows) == 1)
      try browser.evaluate("document.querySelector('[data-action=commit]').click()")
      try confirm()
      try browser.wait("the second weighing", until: "\(rows) === 2")
    }

    @Test(arguments: [(1280, 800), (390, 844), (800, 480), (1920, 1080)])
    func theKioskFillsTheScreen(_ width: Int, _ height: Int) throws {
      let script = """
        window.locks = 0;
        Object.defineProperty(navigator, 'wakeLock', { value: { request: async kind => { window.locks += kind === 'screen'; return new EventTarget(); } } });
        """
      let (stage, browser) = try open("still", path: "kiosk", width: width, height: height, script: script)
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("84 g", until: LayoutTests.state("stable"))
      #expect(try browser.number("window.locks") == 1)
      let seen =
        "[...document.querySelectorAll('main > *, #masses, header h1')].filter(n => n.checkVisibility()).map(n => n.id).join()"
      #expect(try browser.text(seen) == "scale")
      // A capital is seen at 3 m if it takes 0.4 degrees: 21 mm, a quarter of the height of a display of 7 inches.
      let digits = try browser.number("parseFloat(getComputedStyle(document.querySelector('#weight')).fontSize) * 0.72")
      #expect(digits > Double(min(width, height)) / 4.2)
      #expect(try browser.number("document.documentElement.scrollWidth") <= Double(width))
      #expect(try browser.number("document.documentElement.scrollHeight") <= Double(height))
      let faults = try browser.evaluate(Audit.script) as? [String]
      #expect(faults == [])
      for isDark in [false, true] {
        try browser.setColors(isDark: isDark)
        try browser.settle()
        try browser.photograph("kiosk-\(width)-\(isDark ? "dark" : "light")")
      }
    }

    /// A press is heard when it is selected and when it is confirmed, if sound is on.
    @Test func aPressIsHeardIfItIsWanted() throws {
      let script = """
        window.tones = [];
        const make = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () { const tone = make.call(this); setTimeout(() => window.tones.push(tone.frequency.value)); return tone; };
        """
      let (stage, browser) = try open("pressed", script: script)
      defer { withExtendedLifetime(stage) {} }
      try browser.wait("a press", until: "document.querySelector('#ring').dataset.state === 'confirmed'")
      #expect(try browser.number("window.tones.length") == 0, "off until it is wanted")
      try browser.evaluate("document.querySelector('#tools').open = true")
      try browser.evaluate("document.querySelector('#sound').scrollIntoView({ block: 'center', behavior: 'instant' })")
      try browser.mouse("mousePressed", on: "#sound")
      try browser.mouse("mouseReleased", on: "#sound")
      try browser.wait("the example", until: "window.tones.length === 2")
      try browser.wait("selected and confirmed", until: "window.tones.includes(660) && window.tones.includes(990)")
    }
  }
}
