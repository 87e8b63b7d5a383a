import Linux
import Logging
import Synchronization
import Weighing

/// Logs requests with a wrong token, per client address and at a limited rate.
///
/// The first request from an address is logged immediately; further ones are counted and logged together, at most once
/// a minute. Up to 16 addresses are tracked at a time; requests from all others are counted together.
final class WrongTokens: Sendable {
  private struct Address: Sendable {
    var throttle = LogThrottle(burst: 1, period: WrongTokens.interval)
    var last: Instant
    /// Whether there are requests that have not been logged yet.
    var isWaiting = false
  }

  private static let interval = Interval.seconds(60)
  private static let memory = Interval.seconds(3600)
  private static let capacity = 16
  private static let others = "other addresses"

  private let addresses = Mutex<[String: Address]>([:])
  private let logger: Logger

  init(logger: Logger) { self.logger = logger }

  /// Counts a request, and logs it if due.
  ///
  /// - Parameter forwarded: The client named by a reverse proxy on this machine, unverified.
  func add(from address: ClientAddress, forwarded: String?, at time: Instant = .now()) {
    let text = address.text
    let suppressed: Int? = addresses.withLock { addresses in
      // Kept for an hour, so that requests counted so far are still logged with the next one.
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
    if let forwarded, address.isLoopback { metadata["client.forwarded_for"] = "\(forwarded.prefix(64))" }
    logger.warning("action rejected: wrong token", metadata: metadata)
  }
}
