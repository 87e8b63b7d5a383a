import Foundation
import Glibc
import Synchronization

/// A headless Chromium for all tests, driven through the DevTools protocol over a pipe (`--remote-debugging-pipe`: JSON and a NUL,
/// on descriptors 3 and 4). Each message belongs to the session of a page, or to the browser itself.
final class Chromium: Sendable {
  /// Keyed by the languages of the reader, which Chromium reads only at startup.
  private static let all = Mutex<[String: Chromium]>([:])

  private let child: Child
  private let inboxes = Inboxes()
  private let last = Atomic(0)
  /// One thread at a time writes, and one at a time calls methods of the browser itself.
  private let writing = NSLock()
  private let calling = NSLock()

  /// Starts it, if it does not run.
  static func shared(languages: String) throws -> Chromium {
    try all.withLock { all in
      if let chromium = all[languages], !chromium.inboxes.haveEnded { return chromium }
      let chromium = try Chromium(languages: languages)
      all[languages] = chromium
      return chromium
    }
  }

  private init(languages: String) throws {
    let profile = FileManager.default.temporaryDirectory.appendingPathComponent("browser-\(UUID().uuidString)")
    let child = try Child(
      "chromium-headless-shell",
      [
        // As root, in a container, without a GPU: as it is in CI. The page under test is our own.
        "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
        // The pages of several tests are open at the same time.
        "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
        "--lang=\(languages.prefix { $0 != "," })", "--accept-lang=\(languages)",
        "--remote-debugging-pipe", "--user-data-dir=\(profile.path)", "about:blank",
      ], input: 3, output: 4)
    self.child = child
    AtExit.run {
      child.send(SIGKILL)
      waitpid(child.process, nil, 0)
      try? FileManager.default.removeItem(at: profile)
    }
    let inboxes = inboxes
    Thread.detachNewThread {
      while let bytes = try? child.read(upTo: 0, before: .now + .seconds(86_400)) {
        inboxes.append(Data(bytes), to: Chromium.session(of: bytes))
      }
      inboxes.end()
    }
  }

  /// The session at the end of a message: `..."sessionId":"0123456789ABCDEF0123456789ABCDEF"}`.
  private static func session(of message: [UInt8]) -> String {
    let tail = String(decoding: message.suffix(64), as: UTF8.self)
    return tail.firstMatch(of: /"sessionId":"([0-9A-F]+)"}$/).map { String($0.output.1) } ?? ""
  }

  /// Calls a method of the browser itself, for an identifier in its answer.
  func call(_ method: String, _ parameters: [String: Any] = [:], for name: String) throws -> String {
    calling.lock()
    defer { calling.unlock() }
    let answer = try call(method, parameters, session: "") { _, _ in }
    guard let identifier = answer[name] as? String else { throw BrowserFault.refused(method, "\(answer)") }
    return identifier
  }

  /// Calls a method of the protocol, and passes on the events that precede the answer.
  func call(
    _ method: String, _ parameters: [String: Any], session: String, onEvent: (String, [String: Any]) -> Void
  ) throws -> [String: Any] {
    let number = try send(method, parameters, session: session)
    let deadline = Date(timeIntervalSinceNow: 120)
    while true {
      let message = try inboxes.next(of: session, before: deadline)
      guard let answer = try JSONSerialization.jsonObject(with: message) as? [String: Any] else { continue }
      if answer["id"] as? Int == number {
        if let error = answer["error"] { throw BrowserFault.refused(method, "\(error)") }
        return answer["result"] as? [String: Any] ?? [:]
      }
      if let method = answer["method"] as? String { onEvent(method, answer["params"] as? [String: Any] ?? [:]) }
    }
  }

  /// Closes the pages of a context, without waiting for that.
  func end(context: String, session: String) {
    _ = try? send("Target.disposeBrowserContext", ["browserContextId": context], session: "")
    inboxes.forget(session)
  }

  private func send(_ method: String, _ parameters: [String: Any], session: String) throws -> Int {
    let number = last.add(1, ordering: .relaxed).newValue
    var request: [String: Any] = ["id": number, "method": method, "params": parameters]
    if !session.isEmpty { request["sessionId"] = session }
    let bytes = try Array(JSONSerialization.data(withJSONObject: request)) + [0]
    writing.lock()
    defer { writing.unlock() }
    try child.write(bytes)
    return number
  }
}

/// The messages that have arrived, by session.
private final class Inboxes: @unchecked Sendable {
  // All that follows is used with the lock of `condition` held.
  private let condition = NSCondition()
  private var messages: [String: [Data]] = [:]
  private var forgotten: Set<String> = []
  private var isAtEnd = false

  var haveEnded: Bool { condition.withLock { isAtEnd } }

  func append(_ message: Data, to session: String) {
    condition.withLock {
      guard !forgotten.contains(session) else { return }
      messages[session, default: []].append(message)
      condition.broadcast()
    }
  }

  func forget(_ session: String) {
    condition.withLock {
      forgotten.insert(session)
      messages[session] = nil
    }
  }

  func end() {
    condition.withLock {
      isAtEnd = true
      condition.broadcast()
    }
  }

  /// Waits for the next message of a session.
  func next(of session: String, before deadline: Date) throws -> Data {
    try condition.withLock {
      while messages[session]?.isEmpty ?? true {
        guard !isAtEnd else { throw ChildFault.ended }
        guard condition.wait(until: deadline) else { throw ChildFault.silent }
      }
      return messages[session]!.removeFirst()
    }
  }
}

/// Cleanup at the exit of the process, when no deinitialiser runs.
private enum AtExit {
  private static let works = Mutex<[@Sendable () -> Void]>([])
  private static let registered: Void = { atexit { AtExit.works.withLock { works in for work in works { work() } } } }()

  static func run(_ work: @escaping @Sendable () -> Void) {
    _ = registered
    works.withLock { $0.append(work) }
  }
}
