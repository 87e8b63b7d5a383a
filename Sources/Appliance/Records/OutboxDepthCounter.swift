import Journal
import Weighing

/// Counts the waiting and parked rows of the outbox after a change, but at a limited rate while records are being sent.
struct OutboxDepthCounter {
  /// Number of waiting and parked rows; `nil` until the journal has been read.
  private(set) var depth: OutboxDepth?
  /// Why the last rejected record was rejected; `nil` while none is parked.
  private(set) var parkedReason: String?
  private var isOutdated = true
  private var countedAt = Instant(nanoseconds: .min)

  /// Minimum interval between counts while records are in flight: counting 200,000 rows takes some milliseconds.
  private static let interval = Interval.milliseconds(500)

  /// Makes the next `update` count again.
  mutating func invalidate() { isOutdated = true }

  /// Counts the rows if they may have changed.
  ///
  /// - Parameter isSending: Whether records are in flight.
  /// - Returns: When to call it again if nothing else happens; `nil` for never.
  mutating func update(from journal: Journal, isSending: Bool, at now: Instant) throws(JournalError) -> Instant? {
    guard isOutdated else { return nil }
    let earliest = countedAt + Self.interval
    if isSending, depth != nil, earliest > now { return earliest }
    let current = try journal.depth()
    parkedReason = current.parked > 0 ? try journal.parkedReason() : nil
    depth = current
    countedAt = now
    isOutdated = false
    return nil
  }
}
