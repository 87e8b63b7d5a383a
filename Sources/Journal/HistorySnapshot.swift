import GRDB
import Weighing

/// The records of a selection at one moment, in sequence order; valid while `Journal.withHistory` runs its body.
///
/// They are read one after the other, as often as needed: memory does not depend on their number.
package struct HistorySnapshot {
  private let db: Database
  private let condition: String
  private let arguments: StatementArguments
  /// The number of records to leave out at the beginning.
  private let skipped: Int

  fileprivate init(_ db: Database, _ condition: String, _ arguments: StatementArguments, limit: Int?) throws {
    (self.db, self.condition, self.arguments) = (db, condition, arguments)
    guard let limit else {
      skipped = 0
      return
    }
    let tables = HistoryQuery.tables()
    let total =
      try Int.fetchOne(db, sql: "SELECT count(*) FROM \(tables) WHERE \(condition)", arguments: arguments) ?? 0
    skipped = max(total - limit, 0)
  }

  /// Calls `body` with each record.
  package func forEach(_ body: (HistoryEntry) throws -> Void) throws {
    try HistoryEntry.forEach(
      db, "WHERE \(condition) ORDER BY w.sequence LIMIT -1 OFFSET ?", arguments + [skipped], body)
  }

  /// The sequence number of a record; `nil` if the id is unknown.
  package func sequence(of id: WeighingID) throws -> Int? {
    try RecordedWeighing.sequence(of: id, db)
  }
}

extension Journal {
  /// Calls `body` with the records of a selection; a relabel counts by the label that it gives.
  ///
  /// - Parameters:
  ///   - weighingsOnly: Whether voids and relabels are left out.
  ///   - limit: Maximum number of records, the newest; `nil` for all.
  ///   - body: Its errors are rethrown as `JournalError.other`.
  package func withHistory(
    _ selection: WeighingSelection, weighingsOnly: Bool = false, limit: Int? = nil,
    _ body: (HistorySnapshot) throws -> Void
  ) throws(JournalError) {
    try read { db in
      let kind = weighingsOnly ? HistoryQuery.isWeighing : "TRUE"
      try selection.withConditions(db) { conditions, arguments in
        try body(HistorySnapshot(db, "\(kind) AND \(conditions)", arguments, limit: limit))
      }
    }
  }
}
