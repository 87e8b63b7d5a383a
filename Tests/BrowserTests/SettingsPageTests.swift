import Foundation
import Testing

extension All {
  /// The settings in the page, on a whole appliance with a configuration file.
  struct SettingsPageTests {
    /// A temporary folder with the configuration; removed with the value.
    private final class Folder {
      let path = FileManager.default.temporaryDirectory.path + "/grampad-settings-\(UUID())"
      init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
      deinit { try? FileManager.default.removeItem(atPath: path) }
      var settings: String { (try? String(contentsOfFile: path + "/grampad.settings.yaml", encoding: .utf8)) ?? "" }
    }

    private func open(width: Int = 1280, height: Int = 900) throws -> (Stage, Browser, Folder) {
      let folder = try Folder()
      let stage = try Stage("settings", folder: folder.path)
      let browser = try Browser()
      try browser.resize(width, height)
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try browser.wait("the pad", until: "document.querySelector('#pad') !== null")
      return (stage, browser, folder)
    }

    private static let view = "document.querySelector('#view-settings')"

    private func openSettings(_ browser: Browser) throws {
      try browser.evaluate("location.hash = '#/settings'")
      try browser.wait("the settings", until: "\(Self.view)?.querySelector('form').checkVisibility()")
    }

    private static func field(_ path: String) -> String {
      "document.querySelector('#view-settings [data-path=\"\(path)\"]')"
    }

    private func enter(_ value: String, in path: String, _ browser: Browser) throws {
      let control = Self.field(path)
      try browser.evaluate(
        "\(control).value = '\(value)'; \(control).dispatchEvent(new Event('input', { bubbles: true }))")
    }

    private func group(_ name: String) -> String { "document.querySelector('#view-settings [data-group=\(name)]')" }

    private func save(_ browser: Browser) throws {
      try browser.evaluate("document.querySelector('#view-settings .bar .main').click()")
    }

    private func send(_ path: String, _ body: String) -> String {
      "fetch('\(path)', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(\(body)) })"
    }

    /// Puts a load next to the zones, and the finger that `held` tells from now on, as the page holds it: the pad lifts one that it has
    /// not heard of for 2 s.
    private func holdFinger(_ browser: Browser) throws {
      try browser.evaluate(
        """
        window.held = null;
        setInterval(() => \(send("api/pad", "{ loads: [{ id: 1, mass_g: 50, x: 0.6, y: 0.5 }], finger: held }")), 200);
        0
        """)
    }

    /// A zone is made wider with the pointer and saved: the scale uses it at once, until the change is undone.
    @Test func aZoneIsDraggedSavedAndUndone() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      try openSettings(browser)
      try browser.evaluate("\(group("pad")).open = true")
      let corner = "#view-settings .zone.zones .corner.ne"
      try browser.evaluate("document.querySelector('\(corner)').scrollIntoView({ block: 'center' })")
      try browser.settle()
      let box = "document.querySelector('\(corner)').getBoundingClientRect()"
      let pad = "document.querySelector('#view-settings .zones-pad').getBoundingClientRect()"
      let start = (
        try browser.number("(b => b.x + b.width / 2)(\(box))"), try browser.number("(b => b.y + b.height / 2)(\(box))")
      )
      let end = try browser.number("\(pad).x + \(pad).width * 0.4")
      func mouse(_ type: String, _ x: Double) throws {
        try browser.call(
          "Input.dispatchMouseEvent",
          [
            "type": type, "x": x, "y": start.1, "button": "left", "buttons": type == "mouseReleased" ? 0 : 1,
            "clickCount": 1,
          ])
      }
      try mouse("mousePressed", start.0)
      for part in [0.3, 0.7, 1] { try mouse("mouseMoved", start.0 + (end - start.0) * part) }
      try mouse("mouseReleased", end)
      try browser.wait(
        "the field follows",
        until: "Math.abs(\(Self.field("pad.zones.tare")).querySelectorAll('input')[1].value - 40) < 2")
      #expect(folder.settings.isEmpty, "nothing is saved yet")
      try save(browser)
      try browser.waitUntilTold(" === 'Settings saved'")
      #expect(folder.settings.contains("zones: {tare: {x: [0, 0.4"), "\(folder.settings)")
      #expect(try browser.text("document.querySelector('#view-settings form').innerText").contains(folder.path))
      // The pad of the page shows the new zone, and a finger at 0.3 of the width presses it, which was outside of it before.
      let zone = "parseFloat(document.querySelector('#pad .zone').style.width)"
      try browser.wait("the new zone", until: "\(zone) > 38 && \(zone) < 42")
      try holdFinger(browser)
      let state = "document.querySelector('#ring').dataset.state"
      try browser.evaluate("window.held = { force_g: 120, x: 0.3, y: 0.7 }")
      try browser.wait(
        "a press",
        until: "\(state) !== 'idle' && document.querySelector('#ring-what').textContent.startsWith('Tare')")
      try browser.evaluate("window.held = null")
      try browser.wait("no press", until: "\(state) === 'idle'")
      try browser.evaluate("document.querySelector('#view-settings .stored button').click()")
      try browser.waitUntilTold(" === 'Last change of the settings undone'")
      try browser.wait("the old zone", until: "\(zone) === 15")
      #expect(!folder.settings.contains("zones"), "\(folder.settings)")
    }

    /// The fields follow from what the scale sends: each key has one, in the group that it names. What a field accepts is shown
    /// while it has the focus, and nothing is said about where a value comes from unless the page has set it.
    @Test func everyKeyHasAField() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      try openSettings(browser)
      let lost = try browser.evaluate(
        """
        fetch('api/settings').then(answer => answer.json()).then(({ keys }) => Object.entries(keys).filter(([key, { group }]) => {
          const box = [...document.querySelectorAll('#view-settings details')].find(each => each.querySelector('h3')?.textContent === group);
          return !box?.querySelector(`[data-path="${key}"]`);
        }).map(([key]) => key).join())
        """)
      #expect(lost as? String == "")
      let titles = try browser.evaluate(
        "[...document.querySelectorAll('#view-settings h3')].map(each => each.textContent).join()")
      #expect(
        titles as? String
          == "Health,Devices that may operate the scale,Scale,Stability,Pad,Containers,Quick actions,Broker")
      try browser.evaluate("\(group("stability")).open = true")
      let limits = "\(Self.field("stability.time_ms")).parentElement.querySelector('small')"
      #expect(try browser.text("\(limits).textContent") == "an integer from 1 to 60000")
      #expect(try browser.text("getComputedStyle(\(limits)).visibility") == "hidden")
      try browser.evaluate("\(Self.field("stability.time_ms")).focus()")
      #expect(try browser.text("getComputedStyle(\(limits)).visibility") == "visible")
      #expect(try browser.number("document.querySelectorAll('#view-settings .origin').length") == 0)
      let seen = try browser.text("\(Self.view).textContent")
      for key in ["_g", "_ms", "mqtt.", "device."] { #expect(!seen.contains(key), "\(key)") }
    }

    /// Capacity and rotation are in force at once; a value that the page has set says so, and what the file says.
    @Test func capacityAndRotationAreSetAndReset() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      try openSettings(browser)
      #expect(try browser.isTrue("document.querySelector('#view-settings .bar').hidden"))
      try enter("500", in: "scale.capacity_g", browser)
      try enter("90", in: "pad.rotate", browser)
      #expect(try browser.isTrue("document.querySelector('#view-settings .bar').checkVisibility()"))
      let marked = "[...document.querySelectorAll('#view-settings .unsaved:not([hidden])')].length"
      #expect(try browser.number(marked) == 2)
      try save(browser)
      try browser.waitUntilTold(" === 'Settings saved'")
      #expect(
        folder.settings.contains("capacity_g: 500") && folder.settings.contains("rotate: 90"), "\(folder.settings)")
      #expect(try browser.number(marked) == 0)
      let origin = "\(Self.field("scale.capacity_g")).parentElement.querySelector('.origin')"
      #expect(try browser.text("\(origin).textContent").contains("Set in the pageConfiguration file: 385 g"))
      try browser.evaluate("\(origin).querySelector('button').click()")
      try browser.wait("reset", until: "\(origin) === null")
      #expect(try browser.text("\(Self.field("scale.capacity_g")).value") == "385")
      #expect(!folder.settings.contains("capacity_g") && folder.settings.contains("rotate: 90"), "\(folder.settings)")
    }

    /// What was typed stays while another view is shown, and a page with unsaved changes does not close without a question.
    @Test func unsavedSettingsAreKept() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      try openSettings(browser)
      let leaves = "dispatchEvent(new Event('beforeunload', { cancelable: true }))"
      #expect(try browser.isTrue(leaves))
      try enter("Typed", in: "device.name", browser)
      try browser.evaluate("location.hash = '#/'")
      try browser.wait("the scale", until: "document.querySelector('#scale').checkVisibility()")
      try browser.evaluate("location.hash = '#/settings/broker'")
      // The address opens a group.
      try browser.wait(
        "the broker", until: "\(group("broker")).open && document.activeElement === \(group("broker")).firstChild")
      #expect(try browser.text("\(Self.field("device.name")).value") == "Typed")
      #expect(try !browser.isTrue(leaves))
      // Undo and reset would lose it: they ask.
      try browser.evaluate("document.querySelector('#view-settings .stored button').click()")
      try browser.wait("a question", until: "document.querySelector('#ask').open")
      try browser.tap("Escape", code: 27)
      try browser.wait("no question", until: "!document.querySelector('#ask').open")
      #expect(try browser.text("\(Self.field("device.name")).value") == "Typed")
      try browser.evaluate("[...document.querySelectorAll('#view-settings .bar button')].at(-1).click()")
      #expect(try browser.text("\(Self.field("device.name")).value") != "Typed")
      #expect(try browser.isTrue(leaves) && folder.settings.isEmpty)
    }

    /// A zone that is renamed with the keyboard keeps the focus.
    @Test func aRenamedZoneKeepsTheFocus() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      try openSettings(browser)
      try browser.evaluate("\(group("pad")).open = true")
      try browser.evaluate(
        "[...document.querySelectorAll('#view-settings button')].find(b => b.textContent === 'Add control').click()")
      try browser.evaluate("document.activeElement.select()")
      try browser.call("Input.insertText", ["text": "dimmer"])
      try browser.tap("Tab", code: 9)
      #expect(try browser.text("document.activeElement.dataset.path") == "pad.controls.dimmer.x")
      #expect(
        try browser.text("document.activeElement.closest('fieldset').querySelector('legend').textContent")
          == "Control dimmer")
    }

    /// The button of a target that another client has set without a stop ahead of it sets it without one, although the setting is on.
    @Test func aTargetWithoutAStopIsOfferedWithoutOne() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      try browser.evaluate("location.hash = '#/brew'")
      try browser.wait("the view", until: "document.querySelector('#target-form') !== null")
      let file = folder.path + "/grampad.yaml"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      try text.replacing("stop_ahead: false", with: "stop_ahead: true").write(
        toFile: file, atomically: true, encoding: .utf8)
      try browser.wait("the setting", until: "import('./scale.js').then(m => m.scale.hello.stop_ahead)")
      let offered = "JSON.parse(localStorage.getItem('grampad-targets') ?? '[]').find(t => t.target_g === "
      for (mass, ahead, kept) in [
        (60, ", stop_ahead: false", #"{"target_g":60,"tolerance_g":1,"stop_ahead":false}"#),
        (70, "", #"{"target_g":70,"tolerance_g":1}"#),
      ] {
        try browser.evaluate(send("api/action/target", "{ target_g: \(mass)\(ahead) }") + ".then(answer => answer.ok)")
        try browser.wait("it is offered", until: "\(offered)\(mass)) !== undefined")
        #expect(try browser.text("JSON.stringify(\(offered)\(mass)))") == kept)
      }
    }

    /// The pad recalls the first of two weighings, and voids it: the ring says so before.
    @Test func theRingNamesWhatThePadHasRecalled() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      let zones = "{ history: { x: [0, 0.15], y: [0, 1] }, void: { x: [0.85, 1], y: [0, 1] } }"
      try browser.evaluate(
        """
        fetch('api/settings').then(answer => answer.json())
          .then(({ revision }) => \(send("api/settings", "{ revision, set: { 'pad.zones': \(zones) } }")))
        """)
      try holdFinger(browser)
      // 84 g were there before.
      try browser.wait(
        "50 g", until: "document.querySelector('#digits').textContent === '50' && \(LayoutTests.state("stable"))")
      for _ in 0..<2 { try browser.evaluate("\(send("api/action/commit", "{}")).then(answer => answer.ok)") }
      try browser.wait("two weighings", until: "document.querySelectorAll('#weighings tr').length === 2")
      func hold(_ force: Int, _ x: Double, _ y: Double) throws {
        try browser.evaluate("window.held = { force_g: \(force), x: \(x), y: \(y) }")
      }
      let word = "document.querySelector('#ring-word').textContent"
      let subject = "document.querySelector('#ring-what').textContent"
      let recallAndHoldVoid = {
        try browser.evaluate("window.held = null; location.hash = '#/'")
        try browser.wait("no press", until: "document.querySelector('#ring').dataset.state === 'idle'")
        try hold(100, 0.07, 0.8)
        try browser.wait("the first weighing", until: "\(word) === '#1'", within: .seconds(15))
        try hold(100, 0.07, 0.4)
        try browser.wait("its page", until: "location.hash === '#/history/1'", within: .seconds(15))
        try browser.evaluate("window.held = null")
        try browser.wait("no press", until: "document.querySelector('#ring').dataset.state === 'idle'")
        try hold(200, 0.93, 0.8)
        let question = "\(subject) === 'Void #1, 50 g'"
        try browser.wait("it can be confirmed", until: "\(word) === 'CONFIRM' && \(question)", within: .seconds(15))
        try hold(200, 0.93, 0.4)
        try browser.wait("it is confirmed", until: "\(word) === 'OK' && \(question)", within: .seconds(15))
        try browser.pass(300)
        try browser.evaluate("window.held = null")
        try browser.waitUntilTold(".includes('Voided #1')", within: .seconds(15))
      }
      // A busy machine may be later than the pad waits for a finger, or longer than a recall lasts: then the gestures are made again.
      try browser.insist(recallAndHoldVoid)
    }

    /// Without the token the page asks for it, and opens the settings afterwards.
    @Test func theSettingsOpenAfterTheToken() throws {
      let folder = try Folder()
      let (stage, browser) = (try Stage("guarded", folder: folder.path), try Browser())
      defer { withExtendedLifetime((stage, folder)) {} }
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try browser.evaluate("location.hash = '#/settings'")
      try browser.wait("the question for the token", until: "document.querySelector('#token').open")
      #expect(try browser.isTrue("!document.querySelector('#toast').dataset.show"))
      try browser.evaluate("document.querySelector('#token-field').value = '0123456789abcdef'")
      try browser.evaluate("document.querySelector('#token button[value=yes]').click()")
      try browser.wait("the settings", until: "\(Self.view)?.querySelector('form').checkVisibility()")
    }

    /// Everything is done with Tab, arrows, letters and Enter, as it is without a mouse.
    @Test func everythingWorksByKeyboard() throws {
      let (stage, browser, folder) = try open(width: 390, height: 844)
      defer { withExtendedLifetime((stage, folder)) {} }
      try browser.evaluate("document.querySelector('#views [data-view=settings]').focus()")
      try browser.tap("Enter", code: 13, text: "\r")
      try browser.wait("the settings", until: "\(Self.view)?.querySelector('form').checkVisibility()")
      func tab(to expression: String) throws {
        for _ in 0..<80 where try !browser.isTrue(expression) { try browser.tap("Tab", code: 9) }
        #expect(try browser.isTrue(expression), "\(expression)")
      }
      try tab(to: "document.activeElement.dataset.path === 'device.name'")
      try browser.evaluate("document.activeElement.select()")
      try browser.call("Input.insertText", ["text": "Bench"])
      func openGroup(_ name: String) throws {
        try tab(to: "document.activeElement === \(group(name)).firstChild")
        try browser.tap("Enter", code: 13, text: "\r")
        try browser.wait("it is open", until: "\(group(name)).open")
      }
      try openGroup("pad")
      try tab(to: "document.activeElement.matches('.zones .corner.ne')")
      #expect(
        try browser.text("document.activeElement.getAttribute('aria-label')")
          == "Corner top right of Tare, x 15 %, y 0 %"
      )
      for _ in 0..<5 { try browser.tap("ArrowRight", code: 39) }
      #expect(
        try browser.text("document.activeElement.getAttribute('aria-label')")
          == "Corner top right of Tare, x 20 %, y 0 %")
      try openGroup("containers")
      try tab(to: "document.activeElement.textContent === 'Add container'")
      try browser.tap("Enter", code: 13, text: "\r")
      try browser.wait("a field", until: "document.activeElement.dataset.path === 'containers[0].name'")
      try browser.call("Input.insertText", ["text": "jug"])
      try browser.tap("Tab", code: 9)
      try browser.call("Input.insertText", ["text": "9000"])
      // Enter saves; the scale refuses it, and the focus is on the field with the fault.
      try browser.tap("Enter", code: 13, text: "\r")
      try browser.wait("a fault", until: "document.activeElement.getAttribute('aria-invalid') === 'true'")
      #expect(try browser.text("document.activeElement.dataset.path") == "containers[0].tare_g")
      let description =
        "document.getElementById(document.activeElement.getAttribute('aria-describedby').split(' ').at(-1))"
      #expect(try browser.text("\(description).textContent").contains("exceeds"))
      #expect(folder.settings.isEmpty)
      try browser.evaluate("document.activeElement.select()")
      try browser.call("Input.insertText", ["text": "112.5"])
      try browser.tap("Enter", code: 13, text: "\r")
      try browser.waitUntilTold(" === 'Settings saved'")
      #expect(
        folder.settings.contains("name: Bench") && folder.settings.contains("tare: {x: [0, 0.2]")
          && folder.settings.contains("{name: jug, tare_g: 112.5}"), "\(folder.settings)")
      try browser.wait("the name", until: "document.querySelector('#name').textContent === 'Bench'")
      // The focus stays in the group that was edited.
      #expect(try browser.isTrue("document.activeElement === \(group("containers")).firstChild"))
    }

    /// Overlapping zones and values outside of the pad are shown at once, at the fields, and are not sent.
    @Test func faultsAreShownAtTheirFields() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      try openSettings(browser)
      func type(_ value: String, edge: Int, of zone: String) throws {
        let control = "\(Self.field("pad.zones.\(zone)")).querySelectorAll('input')[\(edge)]"
        try browser.evaluate("\(control).value = '\(value)'; \(control).dispatchEvent(new Event('input'))")
      }
      func faults(_ zone: String) throws -> String {
        let row = Self.field("pad.zones.\(zone)")
        return try browser.text("[...\(row).querySelectorAll('.fault')].map(fault => fault.textContent).join('|')")
      }
      try type("90", edge: 1, of: "tare")
      #expect(try faults("commit") == "Overlaps Tare")
      try type("140", edge: 1, of: "tare")
      #expect(try faults("tare") == "Use values from 0 to 100, the second one larger")
      try save(browser)
      let summary = "document.querySelector('#view-settings .bar .fault').textContent"
      #expect(try browser.text(summary).hasSuffix("invalid. Nothing was saved."))
      #expect(try browser.isTrue("\(group("pad")).open"), "a fault in a closed group is not seen")
      try type("10", edge: 1, of: "tare")
      #expect(try faults("tare") == "" && faults("commit") == "")
      // A fault that the scale finds names another value as its field does.
      try enter("900", in: "scale.minimum_g", browser)
      try save(browser)
      let fault = "\(Self.field("scale.minimum_g")).parentElement.querySelector('.fault')"
      try browser.wait("refused", until: "\(fault) !== null")
      #expect(
        try browser.text("\(fault).textContent") == "Minimum net weight, g of 900 g is not below the capacity of 385 g")
      #expect(folder.settings.isEmpty)
    }

    /// The state of the broker is shown next to its field; the page stays when it cannot be reached.
    @Test func actionsTargetsAndBroker() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      try openSettings(browser)
      try browser.wait(
        "the state",
        until: "document.querySelector('#view-settings .broker [role=status]').textContent.startsWith('Connected to ')")
      let entry = Self.field("actions[0]")
      try browser.evaluate(
        """
        \(entry).querySelector('select').value = 'target';
        \(Self.field("actions[0].user_info.label")).value = '';
        \(Self.field("actions[0].user_info.target_g")).value = '18,5';
        """)
      try save(browser)
      try browser.waitUntilTold(" === 'Settings saved'")
      #expect(folder.settings.contains("run: target, user_info: {target_g: 18.5}"), "\(folder.settings)")
      // The key can be put back to the configuration alone.
      try browser.evaluate("document.querySelector('#view-settings .origin button').click()")
      try browser.wait("reset", until: "document.querySelector('#view-settings .origin button') === null")
      #expect(!folder.settings.contains("actions"), "\(folder.settings)")
      // Another user's change is not overwritten.
      try browser.evaluate(
        """
        fetch('api/settings').then(answer => answer.json())
          .then(({ revision }) => \(send("api/settings", "{ revision, set: { 'device.name': 'Other' } }")))
          .then(answer => answer.ok)
        """)
      try enter("7", in: "scale.minimum_g", browser)
      try save(browser)
      try browser.waitUntilTold(".startsWith('Another user')")
      #expect(try browser.text("\(Self.field("device.name")).value") == "Other")
      #expect(!folder.settings.contains("minimum_g"))
    }

    @Test func isLaidOutWellAndAccessible() throws {
      let (stage, browser, folder) = try open()
      defer { withExtendedLifetime((stage, folder)) {} }
      try openSettings(browser)
      try browser.evaluate("for (const each of document.querySelectorAll('#view-settings details')) each.open = true")
      try browser.evaluate(
        "[...document.querySelectorAll('#view-settings button')].find(b => b.textContent === 'Add container').click()")
      try browser.evaluate("document.querySelector('#view-settings h2').focus()")
      try browser.evaluate(AccessibilityTests.axe())
      for (name, isDark) in [("light", false), ("dark", true)] {
        try browser.setColors(isDark: isDark)
        for (width, height) in [(320, 700), (390, 844), (1280, 900)] {
          try browser.resize(width, height)
          try browser.evaluate("scrollTo(0, 0)")
          try browser.settle()
          let title = "settings-\(width)-\(name)"
          try AccessibilityTests.check(title, browser)
          #expect(try browser.isTrue("document.documentElement.scrollWidth <= innerWidth"), "\(title)")
          try browser.photograph(title)
          try browser.evaluate(
            "document.querySelector('#view-settings .zones-pad').scrollIntoView({ block: 'center' })")
          try browser.settle()
          try browser.photograph(title + "-zones")
          try browser.evaluate("scrollTo(0, document.body.scrollHeight)")
          try browser.settle()
          try browser.photograph(title + "-end")
        }
      }
      // Nothing was blocked by the content security policy.
      #expect(
        browser.events.allSatisfy { event in
          event.method != "Log.entryAdded"
            || !"\(event.parameters)".contains("Content Security Policy")
        })
    }

    /// Without a configuration file there is nothing to override.
    @Test func aScaleWithoutConfigurationHasNoSettings() throws {
      let stage = try Stage("still")
      let browser = try Browser()
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try browser.evaluate("location.hash = '#/settings'")
      try browser.wait(
        "the reason",
        until:
          "\(Self.view)?.innerText.includes('This scale runs without a configuration file and cannot store settings')")
    }

    /// A newcomer can try the settings too.
    @Test func theDemonstrationKeepsSettingsUntilItStops() throws {
      let stage = try Stage.demo()
      let browser = try Browser()
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("the pad", until: "document.querySelector('#pad') !== null")
      try openSettings(browser)
      #expect(
        try browser.text("document.querySelector('#view-settings form').innerText")
          .contains("This demonstration keeps the settings until it stops."))
      try enter("Pantry", in: "device.name", browser)
      try save(browser)
      try browser.waitUntilTold(" === 'Settings saved'")
      try browser.wait("the new name", until: "document.querySelector('#name').textContent === 'Pantry'")
    }
  }
}
