/// Decides when a press is reported: at once when its state changes, otherwise as it moves, not too often.
struct GestureLane: Sendable {
  private var reported: (state: GestureReport.State, intention: Double)?
  private var reportedAt: Instant?
  private var current: (state: GestureReport.State, intention: Double)?

  /// Changes of the intention under this are not seen on a ring.
  private static let least = 0.005

  /// Takes where the press stands now; whether that is to be reported now.
  mutating func offer(_ state: GestureReport.State, _ intention: Double, at now: Instant, interval: Interval) -> Bool {
    current = (state, intention)
    guard hasUnreportedChange else { return false }
    if let reportedAt, reported?.state == state, now < reportedAt + interval { return false }
    reported = current
    reportedAt = now
    return true
  }

  /// When there is something to report if nothing happens before.
  func nextDeadline(interval: Interval) -> Instant? {
    hasUnreportedChange ? reportedAt.map { $0 + interval } : nil
  }

  private var hasUnreportedChange: Bool {
    guard let current else { return false }
    guard let reported else { return current.state != .idle }
    return current.state != reported.state || (current.intention - reported.intention).magnitude >= Self.least
  }
}
