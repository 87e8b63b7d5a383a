import EventLoop
import Journal
import Logging
import Weighing

/// Waits, on the first connection, for the highest sequence that the broker has retained in `health`.
///
/// ```
///          connect            subscribe (SUBACK)         the retained message, or the time is up
/// pending ─────────► connected ─────────────► subscribed ──────────────────────────────────────► over
///    ▲                   └──────── disconnect ─────┘
///    └───────────────────────────────┘
/// ```
/// Until it is over `health` is not published: it would replace the value that is to be read. Nothing else waits.
struct SequenceComparison: Hashable, Sendable {
  private enum State: Hashable { case pending, waiting(until: Instant), ended, over }

  private var state = State.pending

  /// A sequence further ahead of the journal than this is not believed (a broker's word is not signed).
  private static let limit = 1_000_000
  /// How long the broker may take for the retained message once it has acknowledged the subscription. Brokers send it with
  /// the acknowledgement, or right after.
  private static let grace = Interval.milliseconds(250)
  /// How long it may take for the acknowledgement; one that refuses the subscription does not hold up `health` longer.
  private static let patience = Interval.seconds(5)

  /// When `isOver` has to be asked again.
  var nextDeadline: Instant? { if case .waiting(let deadline) = state { deadline } else { nil } }

  /// A connection stands.
  mutating func connect(at now: Instant) { if state == .pending { state = .waiting(until: now + Self.patience) } }

  /// The broker has acknowledged the subscription.
  mutating func subscribe(at now: Instant) {
    if case .waiting(let deadline) = state { state = .waiting(until: min(deadline, now + Self.grace)) }
  }

  /// The connection is lost.
  mutating func disconnect() { if case .waiting = state { state = .pending } }

  /// Compares the journal with the retained sequence, and has it go on above that one.
  ///
  /// - Returns: The highest number known to have been given out; `nil` where the comparison is over already.
  mutating func compare(
    _ journal: Journal, with seen: Int, _ faults: inout JournalFaults, logger: Logger
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
    // A journal that cannot be written now is compared again at the next start.
    faults.write { () throws(JournalError) in
      try journal.skip(
        to: seen,
        reason: "the retained health on the broker reports sequence \(seen), but the journal ends at \(own)",
        keptAside: journal.copyAside(), at: .wallClock())
    }
    return seen
  }

  /// Whether the wait has just come to its end; true once.
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
