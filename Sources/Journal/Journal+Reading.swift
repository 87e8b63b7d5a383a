import GRDB
import Languages
import Weighing

extension Journal {
  /// The last record of any kind; `nil` if there is none.
  package func last() throws(JournalError) -> RecordedWeighing? { try read { db in try RecordedWeighing.last(db) } }

  /// The newest weighing that is not voided, with its effective label, for publishing; `nil` if there is none.
  package func lastStanding() throws(JournalError) -> RecordedWeighing? {
    try read(isSecured: true) { db in try RecordedWeighing.lastStanding(db) }
  }

  /// The newest weighings that are not voided, at most `count`, newest first, with their effective labels.
  package func standing(_ count: Int) throws(JournalError) -> [RecordedWeighing] {
    try read { db in
      var weighings: [RecordedWeighing] = []
      try HistoryEntry.forEach(
        db, "WHERE \(HistoryQuery.isWeighing) AND v.id IS NULL ORDER BY w.sequence DESC LIMIT ?", [count]
      ) { entry in
        var weighing = entry.record
        weighing.label = entry.label
        weighings.append(weighing)
      }
      return weighings
    }
  }

  /// All records in sequence order.
  ///
  /// - Parameter since: Only records of that time (since 1970 in UTC) and later; `nil` for all.
  package func history(since: Instant?) throws(JournalError) -> [HistoryEntry] {
    try history(WeighingSelection(from: since))
  }

  /// The records of a selection in sequence order, from one snapshot; a relabel counts by the label that it gives.
  package func history(_ selection: WeighingSelection) throws(JournalError) -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    try withHistory(selection) { snapshot in try snapshot.forEach { entries.append($0) } }
    return entries
  }

  /// The last records, at most `count`, in sequence order.
  package func newest(_ count: Int) throws(JournalError) -> [HistoryEntry] {
    try read { db in
      var entries: [HistoryEntry] = []
      try HistoryEntry.forEach(db, "ORDER BY w.sequence DESC LIMIT ?", [count]) { entries.append($0) }
      return entries.reversed()
    }
  }

  /// The audit trail, oldest first.
  package func audit() throws(JournalError) -> [AuditRecord] {
    var records: [AuditRecord] = []
    try forEachAudit { records.append($0) }
    return records
  }

  /// Calls `body` with each entry of the audit trail, oldest first; its errors are rethrown as `JournalError.other`.
  package func forEachAudit(_ body: (AuditRecord) throws -> Void) throws(JournalError) {
    try read { db in
      let rows = try Row.fetchCursor(
        db, sql: "SELECT \(ChainLink.Table.audit.selection("a")) FROM audit a ORDER BY a.position")
      while let row = try rows.next() {
        guard let record = AuditRecord(ChainLink(.audit, row)) else {
          throw Unreadable("an entry of the audit trail is invalid")
        }
        try body(record)
      }
    }
  }

  /// Verifies the file with SQLite, its tables and triggers, every record against the chain, the numbers and the head.
  ///
  /// It detects records that were altered, inserted, exchanged or removed, including the last one, unless the chain was
  /// recomputed too; that is, faults of a failing disk or changes with a database editor. It is not a signature: there
  /// is no key, so that anyone with write access and knowledge of the format can make a new valid chain. To detect this,
  /// compare any later hash or record stored elsewhere, such as the messages sent to the broker, and the high-water
  /// mark next to the file: weighings missing at the end are a fault, unless the audit trail records the loss. The
  /// state of the outbox is not part of the chain.
  ///
  /// Faults are returned as values. A reader does not move files; a journal opened for writing moves a file aside that
  /// cannot be opened, as on every access.
  package func verify() throws(JournalError) -> Verification {
    // Read before the journal, so that weighings recorded in the meantime do not appear missing.
    var mark = HighWaterMark.Content.missing
    if case .file(let path) = location { mark = (try? HighWaterMark(of: path).read()) ?? .damaged }
    do throws(JournalError) {
      return try read { db in
        var verifier = Verifier(db, mark: mark)
        return try verifier.verify()
      }
    } catch {
      if case .notFound = error, let loss = Continuity().loss(mark.value) {
        var verification = Verification()
        verification.faults = [Verification.Fault(kind: .missing, sentence: loss.sentence)]
        return verification
      }
      guard case .corrupt(_, let aside) = error else { throw error }
      let fault = aside.map { Sentence(.verifyUnreadableKept, ["path": $0]) } ?? Sentence(.verifyUnreadable)
      var verification = Verification()
      verification.faults = [Verification.Fault(kind: .damaged, sentence: fault)]
      return verification
    }
  }
}

extension RecordedWeighing {
  /// Fetches weighings; `sql` follows the columns, with `w` as the alias of the table.
  static func fetchAll(_ db: Database, sql: String, arguments: StatementArguments) throws -> [RecordedWeighing] {
    let statement = try db.cachedStatement(sql: "SELECT \(ChainLink.Table.weighings.selection("w")) \(sql)")
    return try Row.fetchCursor(statement, arguments: arguments).reduce(into: []) { records, row in
      records.append(try RecordedWeighing(row))
    }
  }

  /// The last record; `nil` if there is none.
  static func last(_ db: Database) throws -> RecordedWeighing? {
    try fetchAll(db, sql: "FROM weighings w ORDER BY w.sequence DESC LIMIT 1", arguments: []).first
  }

  init(_ row: Row) throws {
    guard let record = RecordedWeighing(ChainLink(.weighings, row)) else { throw Unreadable("a weighing is invalid") }
    self = record
  }
}

extension HistoryEntry {
  /// Passes the records selected by the end of a query with the alias `w` to `body`.
  ///
  /// - Parameter last: The number of the last record whose voids and relabels are included.
  static func forEach(
    _ db: Database, asOf last: Int = .max, _ end: String, _ arguments: StatementArguments,
    _ body: (HistoryEntry) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(ChainLink.Table.weighings.selection("w")), v.id AS voided_by, r.id AS relabelled_by,
          \(HistoryQuery.label) AS effective_label
        FROM \(HistoryQuery.tables(asOf: last))
        \(end)
        """, arguments: arguments)
    while let row = try rows.next() {
      let record = try RecordedWeighing(row)
      let voidedBy = String.fromDatabaseValue(row["voided_by"])
      let relabelledBy = String.fromDatabaseValue(row["relabelled_by"])
      let label: ColumnValue = row["effective_label"]
      try body(
        HistoryEntry(
          record: record, voidedBy: voidedBy.flatMap { WeighingID($0) },
          relabelledBy: record.kind == .weighing ? relabelledBy.flatMap { WeighingID($0) } : nil,
          label: label.text))
    }
  }
}
