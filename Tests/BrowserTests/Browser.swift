import Foundation
import Testing

/// A headless Chromium with one page, driven through the DevTools protocol over a pipe (`--remote-debugging-pipe`: JSON and a
/// NUL, on descriptors 3 and 4).
final class Browser {
  private let child: Child
  private let profile: URL
  private var session: String?
  private var last = 0
  /// What the page has told by itself, oldest first.
  private(set) var events: [(method: String, parameters: [String: Any])] = []

  /// - Parameter languages: The languages of the reader, separated by commas, the preferred one first.
  init(languages: String = "en-GB") throws {
    profile = FileManager.default.temporaryDirectory.appendingPathComponent("browser-\(UUID().uuidString)")
    child = try Child(
      "chromium",
      [
        // As root, in a container, without a GPU: as it is in CI. The page under test is our own.
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
        "--lang=\(languages.prefix { $0 != "," })", "--accept-lang=\(languages)",
        "--remote-debugging-pipe", "--user-data-dir=\(profile.path)", "about:blank",
      ], input: 3, output: 4)
    let targets = try call("Target.getTargets")["targetInfos"] as? [[String: Any]] ?? []
    let page = try #require(targets.first { $0["type"] as? String == "page" }?["targetId"] as? String)
    session = try call("Target.attachToTarget", ["targetId": page, "flatten": true])["sessionId"] as? String
    for domain in ["Page", "Runtime", "Network", "Log"] { _ = try call(domain + ".enable") }
  }

  deinit {
    child.send(SIGKILL)
    try? FileManager.default.removeItem(at: profile)
  }

  /// Calls a method of the protocol.
  @discardableResult
  func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    last += 1
    var request: [String: Any] = ["id": last, "method": method, "params": parameters]
    if let session { request["sessionId"] = session }
    try child.write(Array(JSONSerialization.data(withJSONObject: request)) + [0])
    while true {
      let bytes = try child.read(upTo: 0, before: .now + .seconds(30))
      let answer = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      if answer["id"] as? Int == last {
        if let error = answer["error"] { throw BrowserFault.refused(method, "\(error)") }
        return answer["result"] as? [String: Any] ?? [:]
      }
      if let method = answer["method"] as? String {
        events.append((method, answer["params"] as? [String: Any] ?? [:]))
      }
    }
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

  func text(_ expression: String) throws -> String { try evaluate(expression) as? String ?? "" }
  func number(_ expression: String) throws -> Double { try evaluate(expression) as? Double ?? .nan }

  /// Waits until an expression, or what it promises, is true, looking again and again.
  func wait(_ what: String, until expression: String, within limit: Duration = .seconds(30)) throws {
    let deadline = ContinuousClock.now + limit
    // While a page loads, the expression or the target may not exist.
    let guarded = """
      (async () => {
        try { if (await (\(expression))) return true } catch { }
        // Looks at most every 10 ms, so that the page has the processor in between.
        await new Promise(done => setTimeout(done, 10));
        return false;
      })()
      """
    while (try? evaluate(guarded)) as? Bool != true {
      if ContinuousClock.now > deadline { throw BrowserFault.never(what, try text("document.body.innerText")) }
    }
  }

  func resize(_ width: Int, _ height: Int, scale: Double = 1, isPhone: Bool = false) throws {
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": scale, "mobile": isPhone])
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
  func key(_ type: String, _ key: String, code: Int, text: String? = nil) throws {
    var event: [String: Any] = ["type": type, "key": key, "code": key, "windowsVirtualKeyCode": code]
    if let text { event["text"] = text }
    try call("Input.dispatchKeyEvent", event)
  }
}

/// What can go wrong with a browser.
enum BrowserFault: Error {
  case refused(String, String)
  case never(String, String)
}
