import Linux
import Messages
import Synchronization
import Weighing

/// What a client of `/snapshot` sees and may do: the messages of a Half Decent Scale.
///
/// Source: the firmware of the scale, github.com/decentespresso/openscale, `include/websocket.h`.
final class SnapshotSession: Sendable {
  /// The rates that a client may choose: the text after `rate`, and the interval. The `k` is that of the firmware.
  private static let rates: [String: Interval] = [
    "2": .milliseconds(500), "2k": .milliseconds(500), "2hz": .milliseconds(500),
    "5": .milliseconds(200), "5k": .milliseconds(200), "5hz": .milliseconds(200),
    "10": .milliseconds(100), "10k": .milliseconds(100), "10hz": .milliseconds(100),
  ]

  /// The newest net, unrounded; `nil` while it is not known.
  private let net: @Sendable () -> Grams?
  /// Takes the tare; passes on why it was not done, `nil` if it was.
  private let tare: @Sendable (_ completion: @escaping @Sendable (SnapshotError?) -> Void) -> Void
  /// The zero of `ms`.
  private let start: Instant
  private let current: Mutex<Interval>
  /// Keeps the place among the live views.
  private let registration: ViewerRegistration

  init(
    net: @escaping @Sendable () -> Grams?,
    tare: @escaping @Sendable (_ completion: @escaping @Sendable (SnapshotError?) -> Void) -> Void, start: Instant,
    registration: ViewerRegistration
  ) {
    (self.net, self.tare, self.start, self.registration) = (net, tare, start, registration)
    current = Mutex(.milliseconds(100))
  }

  /// Makes the place among the live views free.
  func end() { registration.release() }

  /// The time between two snapshots.
  var interval: Interval { current.withLock { $0 } }

  /// `{"grams": 18.2, "ms": 1234}`; `nil` while the mass is not known. A client takes every number as a mass, so nothing
  /// is better than a wrong one.
  func snapshot() -> [UInt8]? {
    guard let net = net() else { return nil }
    return JSONWriter.object { json in
      json.field("grams", net.value, decimals: 2)
      json.field("ms", milliseconds)
    }
  }

  /// Performs a command; passes on the reply if it is not performed, on any thread.
  func perform(_ command: String, _ completion: @escaping @Sendable (_ reply: [UInt8]?) -> Void) {
    let words = command.lowercased().split(whereSeparator: \.isWhitespace)
    switch words.first {
    case "tare" where words.count == 1: tare { [self] error in completion(error.map(reply)) }
    case "rate" where words.count == 2:
      let interval = Self.rates[String(words[1])]
      if let interval { current.withLock { $0 = interval } }
      completion(interval == nil ? reply(.unknownRate) : nil)
    default: completion(reply(.unknownCommand))
    }
  }

  private var milliseconds: Int { Int((Instant.now() - start).nanoseconds / 1_000_000) }

  private func reply(_ error: SnapshotError) -> [UInt8] {
    JSONWriter.object { json in
      json.fields(("type", "error"), ("code", error.code), ("message", error.detail), ("ms", milliseconds))
    }
  }
}

/// Why a command of a WebSocket client is not performed.
struct SnapshotError: Error, Hashable, Sendable {
  /// For programs.
  let code: String
  /// For users.
  let detail: String

  static let unknownCommand = SnapshotError(
    code: "unknown_command", detail: "Unknown command. Send tare, rate 2k, rate 5k or rate 10k.")
  static let unknownRate = SnapshotError(
    code: "unknown_rate", detail: "Unknown rate. Send rate 2k, rate 5k or rate 10k.")
}
