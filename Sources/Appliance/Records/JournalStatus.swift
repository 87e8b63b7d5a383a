import Journal
import Messages

/// The part of `health` that is about the journal; handed out only when it has changed.
struct JournalStatus {
  /// A status as `health` publishes it.
  struct Report: Hashable, Sendable {
    var journal: Health.Journal
    var outbox: Health.Outbox
    /// The highest number given out; `nil` until it is known.
    var sequence: Int?
  }

  private let path: String
  private var sequence: Int?
  private var last: Report?

  init(path: String) { self.path = path }

  /// Sets the highest number given out; `nil` leaves it.
  mutating func setSequence(_ sequence: Int?) { self.sequence = sequence ?? self.sequence }

  /// The present status; `nil` where it is as it was with the last call.
  mutating func change(_ fault: JournalError?, _ delivery: OutboxDelivery) -> Report? {
    let report = Report(
      journal: fault.map { .unavailable($0.description) } ?? .available(path: path),
      outbox: Health.Outbox(
        waiting: delivery.depth?.waiting ?? 0, parked: delivery.depth?.parked ?? 0,
        parkedReason: delivery.parkedReason),
      sequence: sequence)
    if report == last { return nil }
    last = report
    return report
  }
}
