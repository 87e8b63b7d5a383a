import Weighing

/// Limits the rate of a kind of message: a burst, then at most the same number in each period.
///
/// A value without a clock; the owner keeps one for each kind of message.
package struct LogThrottle: Sendable {
  private let burst: Int
  private let period: Interval
  private var periodStart: Instant?
  private var admitted = 0
  private var suppressed = 0

  /// Makes a throttle that admits `burst` messages in each `period`.
  package init(burst: Int = 5, period: Interval = .seconds(60)) {
    (self.burst, self.period) = (burst, period)
  }

  /// Counts a message.
  ///
  /// - Returns: The number of messages suppressed since the last admitted one; `nil` if this one is to be suppressed
  ///   too.
  package mutating func admit(at now: Instant) -> Int? {
    if let start = periodStart, now - start < period {
      guard admitted < burst else {
        suppressed += 1
        return nil
      }
      admitted += 1
    } else {
      periodStart = now
      admitted = 1
    }
    defer { suppressed = 0 }
    return suppressed
  }
}
