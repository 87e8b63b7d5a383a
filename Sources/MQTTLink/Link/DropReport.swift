import Weighing

/// When dropped messages are reported: at once, then at intervals as long as there are more; a value without I/O.
///
/// A flood drops thousands of messages a second. Each report carries all that were dropped since the one before it, so
/// that the last one is complete.
struct DropReport {
  private struct Schedule {
    let interval: Interval
    var reported = 0
    var next: Instant?

    /// The number to report, if there is something to report and it is time.
    mutating func due(_ total: Int, at now: Instant) -> Int? {
      guard total > reported else {
        if let time = next, time <= now { next = nil }
        return nil
      }
      if let next, now < next { return nil }
      defer { (reported, next) = (total, now + interval) }
      return total - reported
    }
  }

  private var events = Schedule(interval: .seconds(1))
  private var lines = Schedule(interval: .seconds(10))
  private var total = 0

  /// Returns the total to report as an event, at most once a second.
  mutating func report(_ total: Int, at now: Instant) -> Int? {
    self.total = total
    return events.due(total, at: now) == nil ? nil : total
  }

  /// Returns how many to report in the log, at most every 10 s.
  mutating func log(_ total: Int, at now: Instant) -> Int? {
    self.total = total
    return lines.due(total, at: now)
  }

  /// When there is something to report; `nil` if everything has been reported.
  var nextDue: Instant? {
    [events, lines].filter { $0.reported < total }.compactMap(\.next).min()
  }
}
