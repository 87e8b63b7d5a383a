import Weighing

/// Schedules reports of dropped messages: the first immediately, further ones at intervals; a value without I/O.
///
/// A flood drops thousands of messages a second. Each report includes all messages dropped since the previous one, so
/// that the last report is complete.
struct DropReport {
  private struct Schedule {
    let interval: Interval
    var reported = 0
    var next: Instant?

    /// The number to report, if there is any and a report is due.
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

  /// When the next report is due; `nil` if everything has been reported.
  var nextDue: Instant? { [events, lines].filter { $0.reported < total }.compactMap(\.next).min() }
}
