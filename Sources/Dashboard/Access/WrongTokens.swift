import EventLoop
import Logging
import Synchronization
import Weighing

/// Logs requests with a wrong token, by client address and at a bounded rate.
///
/// The first of an address is logged at once; further ones are counted and logged together, at most once a minute.
/// At most 16 addresses are told apart at a time; those of all others are counted together.
final class WrongTokens: Sendable {
  private struct Address: Sendable {
    var throttle = LogThrottle(burst: 1, period: WrongTokens.interval)
    var last: Instant
    /// Whether requests have come that are not logged yet.
    var isWaiting = false
  }

  private static let interval = Interval.seconds(60)
  private static let memory = Interval.seconds(3600)
  private static let capacity = 16
  private static let others = "other addresses"

  private let addresses = Mutex<[String: Address]>([:])
  private let logger: Logger

  init(logger: Logger) { self.logger = logger }

  /// Counts a request and logs it if it is time.
  ///
  /// - Parameter forwarded: Whom a reverse proxy on this machine says that it asks for, unverified.
  func add(from address: ClientAddress?, forwarded: String?, at time: Instant = .now()) {
    let text = address?.text ?? "unknown"
    let suppressed: Int? = addresses.withLock { addresses in
      // Kept for an hour, so that what was counted is still logged with the next one.
      addresses = addresses.filter { time - $0.value.last < ($0.value.isWaiting ? Self.memory : Self.interval) }
      let key = addresses[text] != nil || addresses.count < Self.capacity ? text : Self.others
      var known = addresses[key] ?? Address(last: time)
      let suppressed = known.throttle.admit(at: time)
      known.isWaiting = suppressed == nil
      if !known.isWaiting { known.last = time }
      addresses[key] = known
      return suppressed
    }
    guard let suppressed else { return }
    var metadata: Logger.Metadata = ["client.address": "\(text)", "dashboard.count": "\(suppressed + 1)"]
    if let forwarded, address?.isLoopback == true { metadata["client.forwarded_for"] = "\(forwarded.prefix(64))" }
    logger.warning("action rejected: wrong token", metadata: metadata)
  }
}
