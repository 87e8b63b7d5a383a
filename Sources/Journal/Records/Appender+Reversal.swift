import Foundation
import GRDB
import Weighing

extension Appender {
  /// Reverses a record whose request was rejected, as the next record: voids a weighing, restores the label before a
  /// relabel, and records a weighing again that was voided.
  ///
  /// - Returns: What was done; `nil` if the journal does not have the record, or it is reversed already.
  mutating func reverse(_ rejected: HighWaterMark.Value, at time: Instant) throws -> JournalRecovery? {
    guard let digest = rejected.digest,
      let record = try RecordedWeighing.fetchAll(
        db, sql: "FROM weighings w WHERE w.sequence = ? AND w.hash = ?",
        arguments: [rejected.sequence, Data(digest.bytes)]
      ).first, try !isReversed(record)
    else { return nil }
    let reversal = try append(
      try reversal(of: record), configurationHash: record.configurationHash, clock: nil, at: time)
    let recovery = JournalRecovery(id: record.id, sequence: record.sequence, reversal: reversal.id)
    try append(.recovered(recovery), at: time)
    return recovery
  }

  private func isReversed(_ record: RecordedWeighing) throws -> Bool {
    try String.fetchAll(
      db, sql: "SELECT detail FROM audit WHERE kind = ? AND sequence > ?",
      arguments: [AuditKind.journal.rawValue, record.sequence]
    ).contains { AuditEntry(kind: .journal, detail: $0).recovery?.id == record.id }
  }

  private func reversal(of record: RecordedWeighing) throws -> WeighingDraft {
    func draft(_ action: Action, _ kind: WeighingDraft.Kind, label: String? = nil) -> WeighingDraft {
      WeighingDraft(
        request: ActionRequest(action: action, source: record.source), kind: kind, label: label, time: record.time)
    }
    guard let subject = record.voids ?? record.amends else { return draft(.void, .void(.id(record.id))) }
    func first(_ end: String, _ arguments: StatementArguments) throws -> RecordedWeighing? {
      try RecordedWeighing.fetchAll(db, sql: "FROM weighings w WHERE \(end)", arguments: arguments).first
    }
    guard let weighing = try first("w.id = ?", [subject.description]) else {
      throw Unreadable("a record refers to a weighing that is missing")
    }
    let relabel = try first(
      "w.amends = ? AND w.sequence < ? ORDER BY w.sequence DESC LIMIT 1", [subject.description, record.sequence])
    let label = relabel.map(\.label) ?? weighing.label
    return record.kind == .void
      ? draft(.commit, .weighing(weighing.measurement), label: label)
      : draft(.relabel, .relabel(.id(subject)), label: label)
  }
}
