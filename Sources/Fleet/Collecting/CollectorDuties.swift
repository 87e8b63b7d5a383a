import Weighing

/// What a collector does from time to time, beside storing what arrives; a value without a clock.
struct CollectorDuties: Sendable {
  /// A duty.
  enum Duty: Int, CaseIterable {
    /// To look for requests that are due.
    case requests
    /// To store health.
    case health
    /// To sum up the devices for the metrics.
    case count
    /// To look for partitions that have expired.
    case expiry

    /// The time until it is due again; for `expiry` if it fails, for example because a reader of the table was in the way.
    fileprivate var interval: Interval {
      switch self {
      case .requests, .health: .seconds(1)
      case .count: .seconds(10)
      case .expiry: .seconds(300)
      }
    }
  }

  private static let expiryInterval = Interval.seconds(3600)
  /// When each is due.
  private var due: [Instant]

  /// Everything is due now.
  init(at now: Instant) { due = Duty.allCases.map { _ in now } }

  /// Whether a duty is due, which is then to be done.
  mutating func take(_ duty: Duty, at now: Instant) -> Bool {
    guard due[duty.rawValue] <= now else { return false }
    due[duty.rawValue] = now + duty.interval
    return true
  }

  /// What has expired was dropped.
  mutating func completeExpiry(at now: Instant) { due[Duty.expiry.rawValue] = now + Self.expiryInterval }

  /// When requests are due again.
  var nextRequests: Instant { due[Duty.requests.rawValue] }
}
