/// Decides when a press is reported: at once when its state changes, otherwise as it moves, not too often.
struct GestureThrottle: Sendable {
  private var reported: (state: GestureReport.State, intention: Double)?
  private var reportedAt: Instant?
  /// Whether the press stands elsewhere than was reported.
  private(set) var hasUnreportedChange = false

  /// Changes of the intention under this are not seen on a ring.
  private static let minimumChange = 0.005

  /// Takes where the press stands now; whether that is to be reported now.
  mutating func offer(_ state: GestureReport.State, _ intention: Double, at now: Instant, interval: Interval) -> Bool {
    hasUnreportedChange = isChange(state, intention)
    guard hasUnreportedChange else { return false }
    if let reportedAt, reported?.state == state, now < reportedAt + interval { return false }
    reported = (state, intention)
    reportedAt = now
    hasUnreportedChange = false
    return true
  }

  /// When there is something to report if nothing happens before.
  func nextDeadline(interval: Interval) -> Instant? {
    hasUnreportedChange ? reportedAt.map { $0 + interval } : nil
  }

  private func isChange(_ state: GestureReport.State, _ intention: Double) -> Bool {
    guard let reported else { return state != .idle }
    return state != reported.state || (intention - reported.intention).magnitude >= Self.minimumChange
  }
}
