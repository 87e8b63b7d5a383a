import Journal
import Logging
import Weighing

/// Waits, on the first connection, for the highest sequence number in the broker's retained `health`.
///
/// ```
///          connect            subscribe (SUBACK)         the retained message, or the time is up
/// pending ─────────► connected ─────────────► subscribed ──────────────────────────────────────► over
///    ▲                   └──────── disconnect ─────┘
///    └───────────────────────────────┘
/// ```
/// Until then `health` is not published, because it would replace the retained value. Nothing else waits.
struct SequenceComparison: Hashable, Sendable {
  private enum State: Hashable { case pending, waiting(until: Instant), ended, over }

  private var state = State.pending

  /// Maximum plausible lead over the journal; a larger number is ignored, because the message is not authenticated.
  private static let limit = 1_000_000
  /// Maximum wait for the retained message after the SUBACK. Brokers send it together with the SUBACK or right after.
  private static let grace = Interval.milliseconds(250)
  /// Maximum wait for the SUBACK; a broker that rejects the subscription does not delay `health` any longer.
  private static let patience = Interval.seconds(5)

  /// When to check `isOver` again.
  var nextDeadline: Instant? { if case .waiting(let deadline) = state { deadline } else { nil } }

  /// The connection is established.
  mutating func connect(at now: Instant) { if state == .pending { state = .waiting(until: now + Self.patience) } }

  /// The broker has acknowledged the subscription.
  mutating func subscribe(at now: Instant) {
    if case .waiting(let deadline) = state { state = .waiting(until: min(deadline, now + Self.grace)) }
  }

  /// The connection has ended.
  mutating func disconnect() { if case .waiting = state { state = .pending } }

  /// Compares the journal with the retained sequence number, and makes it continue above that number.
  ///
  /// - Parameter wall: The time of day.
  /// - Returns: The highest sequence number known to be assigned; `nil` if the comparison is over already.
  mutating func compare(
    _ journal: Journal, with seen: Int, at wall: Instant, _ errors: inout JournalErrors, logger: Logger
  ) -> Int? {
    switch state {
    case .pending, .waiting: state = .ended
    case .ended, .over: return nil
    }
    let own = journal.sequence ?? 0
    guard seen > own else { return own }
    guard seen - own <= Self.limit else {
      logger.error(
        "ignoring the retained health on the broker: its sequence number is implausibly high",
        metadata: ["journal.sequence": "\(own)", "health.journal.sequence": "\(seen)"])
      return own
    }
    errors.write { () throws(JournalError) in
      try journal.skip(
        to: seen, reason: "the retained health on the broker reports sequence \(seen), but the journal ends at \(own)",
        keptAside: (try? journal.copyAside()) ?? nil, at: wall)
    }
    return seen
  }

  /// Whether the wait has just ended; true once.
  mutating func isOver(at now: Instant) -> Bool {
    switch state {
    case .waiting(let deadline) where deadline <= now: break
    case .ended: break
    case .pending, .waiting, .over: return false
    }
    state = .over
    return true
  }
}
