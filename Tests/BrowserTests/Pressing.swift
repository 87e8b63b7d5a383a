import Foundation
import Testing

/// A pointer whose force a test sets.
struct Pointer {
  enum Kind: String, CaseIterable {
    case pen, touch, mouse
  }

  let browser: Browser
  let kind: Kind
  var x: Double
  var y: Double
  private var isAside = false

  /// A pointer over an element, at a fraction of its width.
  ///
  /// - Parameter measures: Whether a finger shows first that the screen measures force; its touch is cancelled.
  init(
    _ kind: Kind, on selector: String, at fraction: Double = 0.5, measures: Bool = true, _ browser: Browser
  ) throws {
    (self.browser, self.kind) = (browser, kind)
    try browser.evaluate("document.querySelector('\(selector)').scrollIntoView({ block: 'center' })")
    try browser.settle()
    let box = "document.querySelector('\(selector)').getBoundingClientRect()"
    x = try browser.number("(b => b.x + b.width * \(fraction))(\(box))")
    y = try browser.number("(b => b.y + b.height / 2)(\(box))")
    if kind != .touch { try send("mouseMoved", 0, button: "none") }
    guard kind == .touch, measures else { return }
    // Hard, but not enough to open or to select anything, however long the browser takes.
    try press(0.1)
    try push(0.75)
    try browser.settle()
    try touch("touchCancel", [])
  }

  /// Presses with a force from 0 to 1 of what the pointer can measure; a mouse has none.
  func press(_ force: Double = 0) throws { try send(kind == .touch ? "touchStart" : "mousePressed", force) }

  /// Changes the force. Chromium drops a movement of a finger that does not move, so it moves by a pixel.
  mutating func push(_ force: Double) throws {
    if kind == .touch { (x, isAside) = (isAside ? x - 1 : x + 1, !isAside) }
    try send(kind == .touch ? "touchMove" : "mouseMoved", force)
  }

  /// Moves with a force.
  mutating func slide(_ dx: Double, _ dy: Double, _ force: Double = 0) throws {
    // In steps, as a finger does.
    for _ in 0..<4 {
      (x, y) = (x + dx / 4, y + dy / 4)
      try push(force)
    }
  }

  func release() throws { try send(kind == .touch ? "touchEnd" : "mouseReleased", 0) }

  /// Puts a second finger next to the first, or a second one that moves.
  func touch(_ type: String, _ points: [(x: Double, y: Double)], force: Double = 0.5) throws {
    try browser.call(
      "Input.dispatchTouchEvent",
      [
        "type": type,
        "touchPoints": points.enumerated().map { index, point in
          ["x": point.x, "y": point.y, "id": index, "force": force] as [String: Any]
        },
      ])
  }

  private func send(_ type: String, _ force: Double, button: String = "left") throws {
    guard kind != .touch else { return try touch(type, type == "touchEnd" ? [] : [(x, y)], force: force) }
    try browser.call(
      "Input.dispatchMouseEvent",
      [
        "type": type, "x": x, "y": y, "button": button, "buttons": type == "mouseReleased" || button == "none" ? 0 : 1,
        "clickCount": type == "mouseMoved" ? 0 : 1, "force": force, "pointerType": kind == .pen ? "pen" : "mouse",
      ])
  }
}

extension Browser {
  /// Waits for a time by the clock of the page: for what must not happen in it, and for presses whose length matters.
  func pass(_ milliseconds: Int) throws {
    try evaluate("new Promise(done => setTimeout(done, \(milliseconds)))")
  }

  /// Sets the time after which a press without force is full, of the page alone: what a test does within it has more time then.
  func setHold(_ milliseconds: Int) throws {
    try evaluate("import('./scale.js').then(m => { m.scale.hello.hold_ms = \(milliseconds); })")
  }

  /// Performs gestures that the scale ends after a time; as people do, again if that was too late.
  func insist(_ gestures: () throws -> Void) throws {
    for _ in 0..<5 { if case .success = Result(catching: gestures) { return } }
    try gestures()
  }

  func isTrue(_ expression: String) throws -> Bool { try evaluate("Boolean(\(expression))") as? Bool == true }

  /// The actions that the page has asked for since `forgetEvents`.
  var requestedActions: [String] {
    get throws {
      // An answer to a call brings along all earlier events.
      try settle()
      return events.compactMap { method, parameters in
        guard method == "Network.requestWillBeSent", let request = parameters["request"] as? [String: Any],
          request["method"] as? String == "POST"
        else { return nil }
        let name = (request["url"] as? String)?.split(separator: "/").last.map(String.init) ?? ""
        return "\(name) \(request["postData"] as? String ?? "")"
      }
    }
  }

  /// Presses a key and lets it go.
  func tap(_ name: String, code: Int, text: String? = nil, modifiers: Int = 0) throws {
    try key("keyDown", name, code: code, text: text, modifiers: modifiers)
    try key("keyUp", name, code: code, modifiers: modifiers)
  }
}
