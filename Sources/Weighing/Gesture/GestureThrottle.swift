/// Decides when a press is reported: immediately when its state changes, and with a rate limit while its intention
/// changes.
struct GestureThrottle: Sendable {
  private var reported: (state: GestureReport.State, intention: Double, preview: Int?)?
  private var reportedAt: Instant?
  /// Whether the press differs from the last report.
  private(set) var hasUnreportedChange = false

  /// The least change of the intention that is reported, as a fraction: a smaller one is not visible on a ring.
  private static let minimumChange = 0.005

  /// Offers the current state of the press, with the index of the previewed weighing; returns whether to report it now.
  mutating func offer(
    _ state: GestureReport.State, _ intention: Double, preview: Int?, at now: Instant, interval: Interval
  ) -> Bool {
    hasUnreportedChange = isChange(state, intention, preview)
    guard hasUnreportedChange else { return false }
    if let reportedAt, reported?.state == state, now < reportedAt + interval { return false }
    reported = (state, intention, preview)
    reportedAt = now
    hasUnreportedChange = false
    return true
  }

  /// When a report is due if nothing happens before.
  func nextDeadline(interval: Interval) -> Instant? { hasUnreportedChange ? reportedAt.map { $0 + interval } : nil }

  private func isChange(_ state: GestureReport.State, _ intention: Double, _ preview: Int?) -> Bool {
    guard let reported else { return state != .idle }
    return state != reported.state || preview != reported.preview
      || (intention - reported.intention).magnitude >= Self.minimumChange
  }
}
