import GRDB
import Weighing

/// The outbox: records that a broker has not acknowledged yet.
///
/// `parked_ns` is the state of a row: `NULL` while the record waits, the time of the rejection while it is parked, and
/// the negative of that time once it is due for a retry. It remains due until a broker acknowledges the record, which
/// removes the row, or rejects it, which parks it again.
extension Journal {
  /// The waiting records, oldest first, without parked ones.
  ///
  /// - Parameters:
  ///   - sequence: Only records with a higher number; 0 for all.
  ///   - limit: Maximum number of records.
  package func pending(after sequence: Int, limit: Int) throws(JournalError) -> [RecordedWeighing] {
    try read(isSecured: true) { db in try Self.fetch(db, "o.parked_ns IS NULL", after: sequence, limit: limit) }
  }

  /// The parked records that are due for a retry, oldest first; see `requestRetry`.
  ///
  /// - Parameters:
  ///   - sequence: Only records with a higher number; 0 for all.
  ///   - limit: Maximum number of records.
  package func due(after sequence: Int, limit: Int) throws(JournalError) -> [RecordedWeighing] {
    try read(isSecured: true) { db in try Self.fetch(db, "o.parked_ns < 0", after: sequence, limit: limit) }
  }

  /// The sequence numbers of the parked records in a range, ascending.
  package func parked(in range: ClosedRange<Int>) throws(JournalError) -> [Int] {
    try read { db in
      try Int.fetchAll(
        db,
        sql: """
          SELECT sequence FROM outbox WHERE parked_ns IS NOT NULL AND sequence BETWEEN ? AND ? ORDER BY sequence
          """, arguments: [range.lowerBound, range.upperBound])
    }
  }

  private static func fetch(
    _ db: Database, _ condition: String, after sequence: Int, limit: Int
  ) throws -> [RecordedWeighing] {
    try RecordedWeighing.fetchAll(
      db,
      sql: """
        FROM outbox o CROSS JOIN weighings w ON w.sequence = o.sequence
        WHERE \(condition) AND o.sequence > ? ORDER BY o.sequence LIMIT ?
        """, arguments: [sequence, limit])
  }

  /// Removes acknowledged records from the outbox, all in one transaction; unknown numbers are ignored.
  package func delivered(_ sequences: [Int]) throws(JournalError) {
    if sequences.isEmpty { return }
    try write { db in
      let statement = try db.cachedStatement(sql: "DELETE FROM outbox WHERE sequence = ?")
      for sequence in sequences { try statement.execute(arguments: [sequence]) }
    }
  }

  /// Parks rejected records, in one transaction, until `requestRetry`; unknown numbers are ignored.
  ///
  /// - Parameters:
  ///   - refusals: Each record with the reason.
  ///   - time: The time since 1970 in UTC.
  package func park(_ refusals: [(sequence: Int, reason: String)], at time: Instant) throws(JournalError) {
    if refusals.isEmpty { return }
    try write { db in
      let statement = try db.cachedStatement(sql: "UPDATE outbox SET parked_ns = ?, reason = ? WHERE sequence = ?")
      for (sequence, reason) in refusals {
        try statement.execute(arguments: [max(1, time.nanoseconds), ColumnValue(reason), sequence])
      }
    }
  }

  /// Makes all parked records due for a retry.
  ///
  /// - Returns: Number of parked records.
  @discardableResult
  package func requestRetry() throws(JournalError) -> Int {
    let (parked, unmarked) = try read { db in
      func count(_ condition: String) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM outbox WHERE \(condition)")) ?? 0
      }
      return (try count("parked_ns IS NOT NULL"), try count("parked_ns > 0"))
    }
    // Avoids a write transaction on each connection if there is nothing to change.
    if unmarked > 0 {
      try write { db in try db.execute(sql: "UPDATE outbox SET parked_ns = -parked_ns WHERE parked_ns > 0") }
    }
    return parked
  }

  /// Makes all parked records of a journal file due for a retry; a service that has it open detects the change.
  ///
  /// The file has to be a readable journal; a damaged one is not moved aside.
  ///
  /// - Returns: Number of parked records.
  package static func requestRetry(path: String) throws(JournalError) -> Int {
    guard FileIdentity(path) != nil else { throw .notFound(path: path) }
    do {
      let connection = try DatabaseConnection(.file(path))
      do { try connection.rewriteLog() } catch {
        try? connection.queue.close()
        throw error
      }
      defer { connection.close(waitMilliseconds: 500) }
      return try connection.queue.write { db in
        // Rows that are already due are changed by a nanosecond: only a write notifies the service, and SQLite does not
        // write an unchanged row.
        try db.execute(sql: "UPDATE outbox SET parked_ns = -abs(parked_ns) - 1 WHERE parked_ns IS NOT NULL")
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM outbox WHERE parked_ns IS NOT NULL") ?? 0
      }
    } catch {
      throw JournalError(error, path: path)
    }
  }

  /// A number that changes when another process has written to the file (sqlite.org/pragma.html, `data_version`).
  package func version() throws(JournalError) -> Int {
    try read { db in try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0 }
  }

  /// Number of waiting and of parked records.
  package func depth() throws(JournalError) -> OutboxDepth {
    try read { db in
      let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT count(*), count(parked_ns) FROM outbox"))
      let (all, parked): (Int, Int) = row.map { ($0[0], $0[1]) } ?? (0, 0)
      return OutboxDepth(waiting: all - parked, parked: parked)
    }
  }

  /// Why the last rejected record was rejected; `nil` if none is parked.
  package func parkedReason() throws(JournalError) -> String? {
    try read { db in
      try String.fetchOne(
        db,
        sql: "SELECT reason FROM outbox WHERE parked_ns IS NOT NULL ORDER BY abs(parked_ns) DESC, sequence DESC LIMIT 1"
      )
    }
  }

  /// Calls `body` with every record in the outbox, oldest first, from one snapshot.
  ///
  /// - Parameter body: Its errors are rethrown as `JournalError.other`.
  package func outbox(_ body: (OutboxEntry) throws -> Void) throws(JournalError) {
    try read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(ChainLink.Table.weighings.selection("w")), o.parked_ns AS parked_ns, o.reason AS reason
          FROM outbox o CROSS JOIN weighings w ON w.sequence = o.sequence ORDER BY o.sequence
          """)
      while let row = try rows.next() {
        let parked = Int64.fromDatabaseValue(row["parked_ns"])
        let state: OutboxEntry.State =
          parked.map {
            .parked(
              at: Instant(nanoseconds: Int64(clamping: $0.magnitude)),
              reason: String.fromDatabaseValue(row["reason"]) ?? "", isDue: $0 < 0)
          } ?? .waiting
        try body(OutboxEntry(record: try RecordedWeighing(row), state: state))
      }
    }
  }
}
