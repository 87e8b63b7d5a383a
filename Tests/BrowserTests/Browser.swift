import Foundation
import Testing

/// A page in a headless Chromium, in a context of its own: it starts with empty storage and leaves nothing behind.
final class Browser {
  private let chromium: Chromium
  private let context: String
  private let session: String
  /// What the page has told by itself, oldest first.
  private(set) var events: [(method: String, parameters: [String: Any])] = []

  /// - Parameter languages: The languages of the reader, separated by commas, the preferred one first.
  init(languages: String = "en-GB") throws {
    chromium = try Chromium.shared(languages: languages)
    context = try chromium.call("Target.createBrowserContext", for: "browserContextId")
    let page = try chromium.call(
      "Target.createTarget", ["url": "about:blank", "browserContextId": context], for: "targetId")
    session = try chromium.call("Target.attachToTarget", ["targetId": page, "flatten": true], for: "sessionId")
    for domain in ["Page", "Runtime", "Network", "Log"] { try call(domain + ".enable") }
    // Otherwise only the page of one test at a time has the focus.
    try call("Emulation.setFocusEmulationEnabled", ["enabled": true])
    try call("Page.addScriptToEvaluateOnNewDocument", ["source": Self.listening])
  }

  deinit { chromium.end(context: context, session: session) }

  /// Calls a method of the protocol.
  @discardableResult
  func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    try chromium.call(method, parameters, session: session) { events.append(($0, $1)) }
  }

  func forgetEvents() { events = [] }

  /// The value of an expression.
  @discardableResult
  func evaluate(_ expression: String) throws -> Any? {
    let answer = try call(
      "Runtime.evaluate", ["expression": expression, "returnByValue": true, "awaitPromise": true])
    if let fault = answer["exceptionDetails"] { throw BrowserFault.refused(expression, "\(fault)") }
    return (answer["result"] as? [String: Any])?["value"]
  }

  /// Keeps the messages that the page shows in `told`, oldest first: the next one may replace one before a test has seen it.
  private static let listening = """
    window.told = [];
    document.addEventListener('readystatechange', () => {
      const toast = document.querySelector('#toast');
      if (!toast) return;
      new MutationObserver(() => 'show' in toast.dataset && told.push(toast.textContent)).observe(toast, { attributeFilter: ['data-show'] });
    }, { once: true });
    """

  /// Waits for a message, and forgets it and those before it.
  ///
  /// - Parameter condition: What follows the message in an expression that is true of it.
  func waitUntilTold(_ condition: String, within limit: Duration = .seconds(90)) throws {
    let index = "told.findIndex(message => message\(condition))"
    try wait("a message\(condition)", until: "told.splice(0, \(index) + 1).length > 0", within: limit)
  }

  /// Keeps in a variable what an expression is at each change of an element: it may be so for a moment only.
  func record(_ variable: String, _ expression: String, of selector: String) throws {
    try evaluate(
      """
      window.\(variable) = [];
      new MutationObserver(() => \(variable).push(\(expression)))
        .observe(document.querySelector('\(selector)'), { childList: true, attributes: true });
      """)
  }

  /// Waits for what the page loads after the first weight, so that it misses no event and no press from now on.
  func waitForLateParts() throws {
    try evaluate(
      "import('./view-language.js').then(() => Promise.all(['dosing', 'acting', 'peek', 'containers', 'controls'].map(part => import(`./${part}.js`)))).then(() => true)"
    )
  }

  /// Loads the page again, and waits until it is there: until then, the former one answers as well.
  func reload() throws {
    try evaluate("window.isFormer = true")
    try call("Page.reload")
    try wait("the page again", until: "!window.isFormer && document.readyState !== 'loading'")
  }

  func text(_ expression: String) throws -> String { try evaluate(expression) as? String ?? "" }
  func number(_ expression: String) throws -> Double { try evaluate(expression) as? Double ?? .nan }

  /// Waits until an expression, or what it promises, is true, looking again and again.
  func wait(_ what: String, until expression: String, within limit: Duration = .seconds(90)) throws {
    let deadline = ContinuousClock.now + limit
    // The page looks by itself, at most every 10 ms, so that it has the processor in between. While it loads, the expression or the
    // target may not exist.
    let guarded = """
      (async () => {
        const end = performance.now() + 1000;
        do {
          try { if (await (\(expression))) return true } catch { }
          await new Promise(done => setTimeout(done, 10));
        } while (performance.now() < end);
        return false;
      })()
      """
    while (try? evaluate(guarded)) as? Bool != true {
      if ContinuousClock.now > deadline {
        throw BrowserFault.never(what, try text("document.body.innerText + '\\nTold: ' + window.told?.join('; ')"))
      }
    }
  }

  func resize(_ width: Int, _ height: Int, scale: Double = 1, isPhone: Bool = false) throws {
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": scale, "mobile": isPhone])
  }

  /// Cuts the network, or restores it, and waits until requests notice: the browser answers before its network service has changed.
  func setOffline(_ isOffline: Bool) throws {
    try call(
      "Network.emulateNetworkConditions",
      ["offline": isOffline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
    try wait(
      isOffline ? "no network" : "the network",
      until: "fetch('.', { cache: 'no-store' }).then(() => \(!isOffline), () => \(isOffline))")
  }

  /// Sets the colours that the reader prefers; `isForced` is a high-contrast theme.
  func setColors(isDark: Bool, isForced: Bool = false) throws {
    try call(
      "Emulation.setEmulatedMedia",
      [
        "features": [
          ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"],
          ["name": "forced-colors", "value": isForced ? "active" : "none"],
        ]
      ])
  }

  /// Sets the size of text in the settings of the browser: 16 unless changed.
  func setTextSize(_ pixels: Int) throws {
    try call("Page.setFontSizes", ["fontSizes": ["standard": pixels, "fixed": pixels * 13 / 16]])
  }

  /// Waits until what was changed is laid out and drawn.
  func settle() throws {
    try evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
  }

  /// Saves what is seen to look at: under the folder of SCREENSHOTS, else .build/screenshots.
  func photograph(_ name: String, isWhole: Bool = false) throws {
    let answer = try call(
      "Page.captureScreenshot", ["format": "png", "captureBeyondViewport": isWhole, "optimizeForSpeed": true])
    let data = try #require((answer["data"] as? String).flatMap { Data(base64Encoded: $0) })
    let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["SCREENSHOTS"] ?? ".build/screenshots")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appendingPathComponent(name + ".png"))
    #expect(data.count > 5000, "\(name) is not empty")
  }

  /// Presses a mouse button on an element, or lets go of it.
  func mouse(_ type: String, on selector: String) throws {
    let box = "document.querySelector('\(selector)').getBoundingClientRect()"
    let (x, y) = (try number("(b => b.x + b.width / 2)(\(box))"), try number("(b => b.y + b.height / 2)(\(box))"))
    try call("Input.dispatchMouseEvent", ["type": "mouseMoved", "x": x, "y": y])
    try call("Input.dispatchMouseEvent", ["type": type, "x": x, "y": y, "button": "left", "clickCount": 1])
  }

  /// Presses a key, or lets go of it.
  ///
  /// - Parameter text: What the key types; Enter needs it to activate a button.
  func key(_ type: String, _ key: String, code: Int, text: String? = nil, modifiers: Int = 0) throws {
    var event: [String: Any] = [
      "type": type, "key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers,
    ]
    if let text { event["text"] = text }
    try call("Input.dispatchKeyEvent", event)
  }
}

/// What can go wrong with a browser.
enum BrowserFault: Error {
  case refused(String, String)
  case never(String, String)
}
