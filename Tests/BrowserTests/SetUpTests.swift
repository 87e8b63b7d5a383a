import Testing

extension All {
  /// The set-up of a machine in the page: a whole appliance, and a thread that plays root.
  struct SetUpTests {
    private static let token = "localStorage.setItem('grampad-token', '0123456789abcdef')"
    private static let view = "document.querySelector('#view-setup')"
    private static let isStep = "\(view)?.querySelector('[data-kind=setup]')?.checkVisibility()"
    private static let isMachine = "\(view)?.querySelector('[data-kind=machine]')?.checkVisibility()"

    private static func machine(isSetUp: Bool = false) throws -> (PlayedRoot, Stage) {
      let root = try PlayedRoot(isSetUp: isSetUp)
      return (root, try Stage("machine", folder: root.folder))
    }

    /// - Parameter isOwner: Whether the browser has the token.
    private static func open(
      _ stage: Stage, _ place: String = "", width: Int = 390, height: Int = 844, isOwner: Bool = false
    ) throws -> Browser {
      let browser = try Browser()
      try browser.resize(width, height, isPhone: width < 500)
      if isOwner { try browser.call("Page.addScriptToEvaluateOnNewDocument", ["source": token]) }
      try browser.call("Page.navigate", ["url": stage.address + place])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      return browser
    }

    private func field(_ path: String) -> String { "\(Self.view).querySelector('[data-path=\"\(path)\"]')" }

    private func enter(_ value: String, in path: String, _ browser: Browser) throws {
      let control = field(path)
      try browser.evaluate(
        "\(control).value = '\(value)'; \(control).dispatchEvent(new Event('change', { bubbles: true }))")
    }

    /// Clicks the button with a text, that of the open step if several have it.
    private func press(_ text: String, _ browser: Browser) throws {
      let buttons = "[...\(Self.view).querySelectorAll('button')].filter(each => each.checkVisibility())"
      try browser.evaluate("\(buttons).find(each => each.textContent === '\(text)').click()")
    }

    private func waitForStep(_ title: String, _ browser: Browser) throws {
      let open = "[...\(Self.view).querySelectorAll('details[open] h3')].map(each => each.textContent).join()"
      try browser.wait(title, until: "\(open) === '\(title)'")
      try browser.settle()
      try browser.photograph("setup-390-\(title.lowercased().replacing(" ", with: "-"))")
    }

    /// A newcomer's phone, from the first page to the finish, after which nothing is shown or changed without a press.
    @Test func aNewcomerSetsUpTheScale() throws {
      let (root, stage) = try Self.machine()
      defer { withExtendedLifetime(stage) { root.end() } }
      let browser = try Self.open(stage)
      try browser.wait("the set-up", until: "location.hash === '#/setup' && \(Self.isStep)")
      try waitForStep("Name and time zone", browser)
      #expect(
        try browser.isTrue("\(field("time_zone")).value === Intl.DateTimeFormat().resolvedOptions().timeZone"))
      try enter("Kitchen", in: "name", browser)
      try press("Save and continue", browser)

      try waitForStep("Network", browser)
      #expect(try browser.text("\(Self.view).innerText").contains("The network grampad-1A2B closes"))
      #expect(try browser.text("\(field("wifi")).textContent").contains("<b>Guests</b> · weak · not encrypted"))
      #expect(try browser.isTrue("!\(field("wifi_password")).checkVisibility()"))
      try enter("Nest", in: "wifi", browser)
      try enter("short", in: "wifi_password", browser)
      try press("Save and continue", browser)
      try browser.wait("refused", until: "document.activeElement === \(field("wifi_password"))")
      let fault = "\(field("wifi_password")).parentElement.querySelector('.fault').textContent"
      #expect(try browser.text(fault) == "at least 8 characters")
      try browser.photograph("setup-390-refused")
      try enter("correct horse", in: "wifi_password", browser)
      try press("Save and continue", browser)

      try waitForStep("Sensor and pad", browser)
      let pads = try browser.text("[...\(field("pad")).options].map(each => each.value).join()")
      #expect(pads.hasPrefix("auto,simulated"), "\(pads)")
      try press("Skip", browser)
      try waitForStep("Broker", browser)
      try enter("", in: "kind", browser)
      try press("Save and continue", browser)
      try browser.wait("an address is missing", until: "document.activeElement === \(field("broker"))")
      try enter("mqtt://broker.example.org", in: "broker", browser)
      try enter("scale", in: "broker_user", browser)
      try enter("secret", in: "broker_password", browser)
      try press("Save and continue", browser)
      try waitForStep("Calibration", browser)
      try press("Skip", browser)
      try waitForStep("Finish", browser)
      let summary = try browser.text("\(Self.view).querySelector('details[open]').innerText")
      for word in ["Kitchen, http://grampad.local", "Connected to Nest: 192.168.1.5", "mqtt://broker.example.org"] {
        #expect(summary.contains(word), "\(summary)")
      }
      try press("Finish", browser)
      try browser.wait("done", until: "document.querySelector('#setup-done')?.checkVisibility()")
      try browser.photograph("setup-390-done")
      let done = try browser.text("document.querySelector('#setup-done').innerText")
      #expect(done.contains("Connect this device to Nest first.") && done.contains("http://grampad.local"))

      let requests = root.requests
      #expect(requests.map { $0["do"] } == ["set", "set", "set", "set", "finish"])
      #expect(requests[0]["name"] == "Kitchen" && requests[0]["hostname"] == "grampad")
      #expect(requests[2]["wifi"] == "Nest" && requests[2]["wifi_password"] == "correct horse")
      #expect(requests[2]["country"] == "GB" && requests[3]["home_assistant"] == "yes")
      #expect(requests[3]["broker_user"] == "scale" && requests[3]["broker_password"] == "secret")
      for other in [browser, try Self.open(stage)] { try expectNothing(other) }
    }

    /// Neither this browser nor another one has the right to act: it can ask for it, and sees nothing.
    private func expectNothing(_ browser: Browser) throws {
      try browser.evaluate("location.hash = '#/'")
      try browser.wait("the scale", until: "document.querySelector('#view-scale').checkVisibility()")
      try browser.evaluate("location.hash = '#/setup'")
      try browser.wait("a question", until: "document.querySelector('#token').open")
      #expect(try browser.isTrue("document.querySelector('#pair').checkVisibility()"))
      let seen = try browser.text("\(Self.view).innerText")
      #expect(!seen.contains("Nest") && !seen.contains("grampad.local") && seen.contains("may not see"), "\(seen)")
      let answer = try browser.text(
        "fetch('api/machine').then(async answer => answer.status + ' ' + await answer.text())")
      #expect(answer.hasPrefix("401 ") && !answer.contains("Nest"), "\(answer)")
      try browser.photograph("setup-390-locked")
    }

    /// A page that was open in the meantime shows nothing any longer, either.
    @Test func anotherPageIsLockedByTheFinish() throws {
      let (root, stage) = try Self.machine()
      defer { withExtendedLifetime(stage) { root.end() } }
      let (first, second) = (try Self.open(stage), try Self.open(stage))
      for browser in [first, second] { try browser.wait("the set-up", until: Self.isStep) }
      try first.evaluate(
        "fetch('api/machine', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{\"do\":\"finish\"}' }).then(answer => answer.ok)"
      )
      try second.wait("locked", until: "\(Self.view).innerText.includes('may not see')")
      #expect(try !second.text("\(Self.view).innerHTML").contains("Nest"))
      #expect(try second.isTrue("!document.querySelector('#token').open"), "a page that only looks asks nothing")
    }

    /// The owner finds the machine in the settings: versions, updates, restart and reset, each with a question.
    @Test func theOwnerSeesTheMachine() throws {
      let (root, stage) = try Self.machine(isSetUp: true)
      defer { withExtendedLifetime(stage) { root.end() } }
      let browser = try Self.open(stage, isOwner: true)
      try browser.waitForLateParts()
      #expect(try browser.text("location.hash") == "")
      try browser.evaluate("location.hash = '#/settings'")
      try browser.wait(
        "the link", until: "document.querySelector('#health-card a[href=\"#/setup\"]')?.checkVisibility()")
      try browser.evaluate("document.querySelector('#health-card a[href=\"#/setup\"]').click()")
      try browser.wait("the machine", until: Self.isMachine)
      let text = try browser.text("\(Self.view).innerText")
      for word in ["0.2.0", "Goes back to", "0.1.0", "none available"] { #expect(text.contains(word), "\(text)") }
      try browser.evaluate("\(field("updates")).click()")
      try browser.wait(
        "it is off",
        until:
          "fetch('api/machine', { headers: { Authorization: 'Bearer 0123456789abcdef' } }).then(answer => answer.json()).then(state => state.updates === false)"
      )
      for (button, verb, words) in [
        ("Go back to 0.1.0", "back", "Weighings and settings are kept"), ("Restart", "restart", "about a minute"),
        ("Factory reset", "reset", "All weighings"),
      ] {
        let count = root.requests.count
        try press(button, browser)
        try browser.wait("a question", until: "document.querySelector('#ask').open")
        #expect(try browser.text("document.querySelector('#ask-text').textContent").contains(words))
        try browser.evaluate("document.querySelector('#ask-no').click()")
        #expect(root.requests.count == count, "not without consent")
        try press(button, browser)
        try browser.wait("a question", until: "document.querySelector('#ask').open")
        try browser.evaluate("document.querySelector('#ask-yes').click()")
        try browser.wait("it restarts", until: "\(Self.view).innerText.includes('The machine restarts')")
        #expect(root.requests.last?["do"] == verb)
        // What has restarted answers again.
        try browser.reload()
        try browser.wait("the machine", until: Self.isMachine)
      }
    }

    @Test(arguments: [false, true]) func isLaidOutWellAndAccessible(_ isSetUp: Bool) throws {
      let (root, stage) = try Self.machine(isSetUp: isSetUp)
      defer { withExtendedLifetime(stage) { root.end() } }
      let browser = try Self.open(stage, "#/setup", isOwner: true)
      try browser.wait("the view", until: isSetUp ? Self.isMachine : Self.isStep)
      try browser.evaluate("for (const each of \(Self.view).querySelectorAll('details')) each.open = true")
      try enter("Nest", in: "wifi", browser)
      try enter("", in: "kind", browser)
      try browser.evaluate(AccessibilityTests.axe())
      for (name, isDark) in [("light", false), ("dark", true)] {
        try browser.setColors(isDark: isDark)
        for (width, height) in [(320, 700), (390, 844), (1280, 900)] {
          try browser.resize(width, height)
          try browser.settle()
          let title = "\(isSetUp ? "machine" : "setup")-\(width)-\(name)"
          try AccessibilityTests.check(title, browser)
          #expect(try browser.text(Contrast.script) == "", "\(title)")
          #expect(try browser.isTrue("document.documentElement.scrollWidth <= innerWidth"), "\(title)")
          try browser.photograph(title, isWhole: true)
        }
      }
    }

    /// Without the image nothing is different, and nothing is asked for in vain.
    @Test func withoutTheImageThePageIsAsBefore() throws {
      let stage = try Stage("still")
      defer { withExtendedLifetime(stage) {} }
      let browser = try Self.open(stage)
      try browser.waitForLateParts()
      let asked = "performance.getEntriesByType('resource').some(each => each.name.endsWith('/api/machine'))"
      #expect(try browser.text("location.hash") == "")
      #expect(try !browser.isTrue(asked))
      try browser.evaluate("location.hash = '#/settings'")
      try browser.wait("the settings", until: "document.querySelector('#health-card .links')?.checkVisibility()")
      #expect(try browser.isTrue("document.querySelector('a[href=\"#/setup\"]') === null"))
      try browser.evaluate("location.hash = '#/setup'")
      try browser.wait("why", until: "\(Self.view)?.innerText.includes('does not run from the Grampad image')")
    }
  }
}
