import Journal
import Messages
import Weighing

/// The journal's part of `health`; returned only when it has changed.
struct JournalStatus {
  /// A status as `health` publishes it.
  struct Report: Hashable, Sendable {
    var journal: Health.Journal
    var outbox: Health.Outbox
    /// The highest sequence number assigned; `nil` until it is known.
    var sequence: Int?
  }

  private let path: String
  private var sequence: Int?
  /// What is wrong with a journal that can be written.
  private var warning: Sentence?
  private var last: Report?

  init(path: String) { self.path = path }

  /// Sets the highest sequence number assigned; `nil` keeps the previous one.
  mutating func setSequence(_ sequence: Int?) { self.sequence = sequence ?? self.sequence }

  /// Sets what is wrong with the journal although it can be written; `nil` for nothing.
  mutating func setWarning(_ warning: Sentence?) { self.warning = warning }

  /// The current status; `nil` if it has not changed since the last call.
  mutating func change(_ fault: JournalError?, _ delivery: OutboxDelivery) -> Report? {
    let report = Report(
      journal: fault.map { .unavailable($0.sentence) } ?? .available(path: path, warning: warning),
      outbox: Health.Outbox(
        waiting: delivery.depth?.waiting ?? 0, parked: delivery.depth?.parked ?? 0,
        parkedReason: delivery.parkedReason.map { .verbatim($0) }),
      sequence: sequence)
    if report == last { return nil }
    last = report
    return report
  }
}
