import Logging
import Weighing

/// Attempts to use a database that does not work: how long to wait between them, and what to log.
///
/// A database that accepts connections may still reject every request: a server that is read-only, a table that is gone. So
/// an outage ends with the first request that succeeds, not with a connection, and each reason is logged once.
struct DatabaseOutage {
  private let logger: Logger
  private let metrics: CollectorMetrics?
  /// Why the last attempt failed; `nil` while the database works.
  private var reason: String?
  private var wait = Self.firstWait

  /// The waits between attempts; short enough to be back within 10 s of a promotion.
  private static let firstWait = Interval.milliseconds(100)
  private static let longestWait = Interval.seconds(1)

  /// The database works.
  init(logger: Logger, metrics: CollectorMetrics?) {
    (self.logger, self.metrics) = (logger, metrics)
  }

  /// An attempt has failed.
  mutating func report(_ reason: String) {
    metrics?.disconnect(.database, reason)
    guard reason != self.reason else { return }
    self.reason = reason
    logger.error("cannot store; waiting for the database", metadata: ["fleet.reason": "\(reason)"])
  }

  /// How long to wait before the next attempt, in milliseconds: from 0.1 s up to 1 s.
  mutating func nextWait() -> Int32 {
    defer { wait = min(wait * 2, Self.longestWait) }
    return Int32(clamping: wait.nanoseconds / 1_000_000)
  }

  /// A request has succeeded.
  mutating func end() {
    guard reason != nil else { return }
    reason = nil
    wait = Self.firstWait
    logger.info("database is back")
    metrics?.connect(.database)
  }
}
