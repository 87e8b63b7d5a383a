import Logging
import Synchronization
import Weighing

/// Logs requests with a wrong token, by client address and at a bounded rate.
///
/// The first of an address is logged at once; further ones are counted and logged together, at most once a minute.
/// At most 16 addresses are told apart at a time; those of all others are counted together.
final class WrongTokens: Sendable {
  private struct Count: Sendable {
    /// When something was logged last.
    var logged: Instant
    /// How many have come since then.
    var waiting = 0
  }

  private static let interval = Interval.seconds(60)
  private static let memory = Interval.seconds(3600)
  private static let capacity = 16
  private static let others = "other addresses"

  private let counts = Mutex<[String: Count]>([:])
  private let logger: Logger

  init(logger: Logger) { self.logger = logger }

  /// Counts a request and logs it if it is time.
  ///
  /// - Parameter forwarded: Whom a reverse proxy on this machine says that it asks for, unverified.
  func add(from address: ClientAddress?, forwarded: String?, at time: Instant = .monotonic()) {
    let text = address?.text ?? "unknown"
    let count: Int? = counts.withLock { counts in
      // Kept for an hour, so that what was counted is still logged with the next one.
      counts = counts.filter { time - $0.value.logged < ($0.value.waiting > 0 ? Self.memory : Self.interval) }
      let key = counts[text] != nil || counts.count < Self.capacity ? text : Self.others
      let waiting = (counts[key]?.waiting ?? 0) + 1
      if let known = counts[key], time - known.logged < Self.interval {
        counts[key]?.waiting = waiting
        return nil
      }
      counts[key] = Count(logged: time)
      return waiting
    }
    guard let count else { return }
    var metadata: Logger.Metadata = ["client.address": "\(text)", "dashboard.count": "\(count)"]
    if let forwarded, address?.isLoopback == true { metadata["client.forwarded_for"] = "\(forwarded.prefix(64))" }
    logger.warning("action refused: wrong token", metadata: metadata)
  }
}
