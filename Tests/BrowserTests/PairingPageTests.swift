import Testing

extension All {
  /// A device that asks to operate the scale, and the page of the owner that decides.
  struct PairingPageTests {
    private static let token = "localStorage.getItem('grampad-token')"
    private static let request = "document.querySelector('#token-text').textContent"

    /// Opens the page of a scale whose actions need a token.
    private func open(_ stage: Stage, width: Int, height: Int, state: String = "stable") throws -> Browser {
      let browser = try Browser()
      try browser.resize(width, height, isPhone: width < 500)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait(state, until: LayoutTests.state(state))
      try browser.waitForLateParts()
      return browser
    }

    /// Asks for an action by a click, and confirms it.
    private func act(_ action: String, _ browser: Browser) throws {
      try browser.evaluate("document.querySelector('[data-action=\(action)]').click()")
      try browser.wait("a question", until: "document.querySelector('#ask').open")
      try browser.evaluate("document.querySelector('#ask-yes').click()")
    }

    /// A phone asks, and the page of the owner shows it.
    private func askedStage() throws -> (stage: Stage, phone: Browser, owner: Browser) {
      let stage = try Stage("guarded")
      let (phone, owner) = (try open(stage, width: 390, height: 844), try open(stage, width: 1280, height: 900))
      try owner.evaluate("localStorage.setItem('grampad-token', '0123456789abcdef')")
      try act("tare", phone)
      try phone.wait("the dialog", until: "document.querySelector('#token').open")
      try phone.evaluate("document.querySelector('#pair').click()")
      try owner.wait("the notice", until: "document.querySelector('#asking .choice')?.checkVisibility()")
      #expect(try owner.text("document.querySelector('#asking h2').textContent") == "Allow Browser on Linux?")
      #expect(try phone.isTrue("!document.querySelector('#asking .choice') && \(Self.token) === null"))
      return (stage, phone, owner)
    }

    @Test func theOwnerAllowsAndRevokes() throws {
      let (stage, phone, owner) = try askedStage()
      defer { withExtendedLifetime(stage) {} }
      #expect(try phone.text(Self.request).hasPrefix("Press the scale to allow this device."))
      for browser in [phone, owner] { #expect(try browser.text(Contrast.script) == "") }
      try phone.photograph("pairing-asks-390")
      try owner.photograph("pairing-notice-1280")
      try owner.evaluate("document.querySelector('#asking .choice button').click()")
      try phone.wait("its token", until: "!document.querySelector('#token').open && \(Self.token)?.length === 64")
      try owner.wait("no notice", until: "document.querySelector('#asking').hidden")
      try act("tare", phone)
      try phone.wait("the tare", until: "document.querySelector('#tare').textContent === '84 g'")
      #expect(try phone.number("document.querySelectorAll('#weighings tr').length") == 0)

      try owner.evaluate("location.hash = '#/settings'")
      try owner.wait("the device", until: "document.querySelector('#paired-card li button')?.checkVisibility()")
      try owner.photograph("pairing-settings-1280")
      try owner.evaluate("document.querySelector('#paired-card li button').click()")
      try owner.wait("a question", until: "document.querySelector('#ask').open")
      try owner.evaluate("document.querySelector('#ask-yes').click()")
      try owner.wait("no device", until: "!document.querySelector('#paired-card button')")
      try act("clear_tare", phone)
      try phone.wait(
        "the dialog again", until: "document.querySelector('#token').open && \(Self.request).includes('rejected')")
    }

    /// Commit, held in the page of the owner, allows like a press of the scale, and records nothing.
    @Test func commitAllowsAndRecordsNothing() throws {
      let (stage, phone, owner) = try askedStage()
      defer { withExtendedLifetime(stage) {} }
      try owner.wait(
        "its button", until: "document.querySelector('[data-action=commit] small').textContent === 'allow'")
      try owner.evaluate("document.querySelector('[data-action=commit]').focus()")
      try owner.key("keyDown", "Enter", code: 13, text: "\r")
      try owner.wait("a full ring", until: LayoutTests.ring("confirmed"))
      try owner.key("keyUp", "Enter", code: 13)
      try phone.wait("its token", until: "\(Self.token)?.length === 64")
      #expect(try owner.number("document.querySelectorAll('#weighings tr').length") == 0)
    }

    /// A pad without zones recognizes no press while it is empty.
    @Test func anEmptyScaleAsksForALoadFirst() throws {
      let stage = try Stage("guardedEmpty")
      defer { withExtendedLifetime(stage) {} }
      let phone = try open(stage, width: 390, height: 844, state: "empty")
      try act("zero", phone)
      try phone.wait("the dialog", until: "document.querySelector('#token').open")
      try phone.evaluate("document.querySelector('#pair').click()")
      try phone.wait("the request", until: "\(Self.request).includes(' s left')")
      #expect(try phone.text(Self.request).hasPrefix("Put something on the scale, then press it to allow the device."))
      try phone.photograph("pairing-empty-390")
      // So does every other page that shows the request.
      let other = try open(stage, width: 390, height: 844, state: "empty")
      try other.wait(
        "the notice",
        until: "document.querySelector('#asking').innerText.includes('Put something on the scale, then press it')")
      try other.photograph("pairing-notice-empty-390")
    }

    @Test func theOwnerRefuses() throws {
      let (stage, phone, owner) = try askedStage()
      defer { withExtendedLifetime(stage) {} }
      try owner.evaluate("document.querySelector('#asking .choice button:last-child').click()")
      try phone.wait("why", until: "\(Self.request).includes('refused')")
      #expect(try phone.isTrue("document.querySelector('#pair').checkVisibility() && \(Self.token) === null"))
    }

    /// A phone that gives up asks no longer.
    @Test func aPhoneThatCancelsWithdraws() throws {
      let (stage, phone, owner) = try askedStage()
      defer { withExtendedLifetime(stage) {} }
      try phone.evaluate("document.querySelector('#token button[value=no]').click()")
      try owner.wait("no notice", until: "document.querySelector('#asking').hidden")
      try act("tare", phone)
      try phone.wait("the dialog", until: "document.querySelector('#token').open")
    }
  }
}
