import GRDB
import Weighing

/// The outbox: what a broker has not acknowledged yet.
///
/// `parked_ns` tells the state of a row. It is `NULL` while the record waits, the time of the refusal while it is parked, and the
/// negative of that time once it is to be tried again. It stays in the last state until a broker acknowledges it, which removes
/// the row, or refuses it, which parks it again.
extension Journal {
  /// The records that wait, oldest first; parked ones left out.
  ///
  /// - Parameters:
  ///   - sequence: Only those with a higher number; 0 for all.
  ///   - limit: Maximum number of records.
  package func pending(after sequence: Int, limit: Int) throws(JournalError) -> [RecordedWeighing] {
    try read { db in try Self.fetch(db, "o.parked_ns IS NULL", after: sequence, limit: limit) }
  }

  /// The parked records that are to be tried again, oldest first; see `requestRetry`.
  ///
  /// - Parameters:
  ///   - sequence: Only those with a higher number; 0 for all.
  ///   - limit: Maximum number of records.
  package func due(after sequence: Int, limit: Int) throws(JournalError) -> [RecordedWeighing] {
    try read { db in try Self.fetch(db, "o.parked_ns < 0", after: sequence, limit: limit) }
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

  /// Parks refused records, all in one transaction, until `requestRetry`; unknown numbers are ignored.
  ///
  /// - Parameters:
  ///   - refusals: Each record with the reason, in words.
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

  /// Marks all parked records to be tried again.
  ///
  /// - Returns: How many records are parked.
  @discardableResult
  package func requestRetry() throws(JournalError) -> Int {
    let (parked, unmarked) = try read { db in
      func count(_ condition: String) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM outbox WHERE \(condition)") ?? 0
      }
      return (try count("parked_ns IS NOT NULL"), try count("parked_ns > 0"))
    }
    // A transaction costs a write to the disk: not for nothing at each connection.
    if unmarked > 0 {
      try write { db in try db.execute(sql: "UPDATE outbox SET parked_ns = -parked_ns WHERE parked_ns > 0") }
    }
    return parked
  }

  /// Marks all parked records of a journal file to be tried again, also while an appliance has it open, which notices.
  ///
  /// The file has to be a journal that can be read; a damaged one is not moved aside.
  ///
  /// - Returns: How many records are parked.
  package static func requestRetry(path: String) throws(JournalError) -> Int {
    guard FileIdentity(path) != nil else { throw .notFound(path: path) }
    do {
      return try Connection(.file(path)).queue.write { db in
        // Also where it is marked already, and changed by a nanosecond: only a write makes the appliance look, and SQLite does not
        // write a row that stays the same.
        try db.execute(sql: "UPDATE outbox SET parked_ns = -abs(parked_ns) - 1 WHERE parked_ns IS NOT NULL")
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM outbox WHERE parked_ns IS NOT NULL") ?? 0
      }
    } catch {
      throw JournalError(error, path: path)
    }
  }

  /// A number that changes when another process has written to the file. (sqlite.org/pragma.html, `data_version`)
  package func version() throws(JournalError) -> Int {
    try read { db in try Int.fetchOne(db, sql: "PRAGMA data_version") ?? 0 }
  }

  /// How many records wait, and how many are parked.
  package func depth() throws(JournalError) -> OutboxDepth {
    try read { db in
      let waiting = try Int.fetchOne(db, sql: "SELECT count(*) FROM outbox WHERE parked_ns IS NULL") ?? 0
      let all = try Int.fetchOne(db, sql: "SELECT count(*) FROM outbox") ?? 0
      return OutboxDepth(waiting: waiting, parked: all - waiting)
    }
  }

  /// Why the record that was refused last was refused; `nil` while none is parked.
  package func parkedReason() throws(JournalError) -> String? {
    try read { db in
      try String.fetchOne(
        db,
        sql: "SELECT reason FROM outbox WHERE parked_ns IS NOT NULL ORDER BY abs(parked_ns) DESC, sequence DESC LIMIT 1"
      )
    }
  }

  /// Calls `body` with every record in the outbox, oldest first, all as of one moment.
  ///
  /// - Parameter body: What it throws is rethrown as `JournalError.other`.
  package func outbox(_ body: (OutboxEntry) throws -> Void) throws(JournalError) {
    try read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(try ChainLink.Table.weighings.selection("w", in: db)), o.parked_ns AS parked_ns, o.reason AS reason
          FROM outbox o CROSS JOIN weighings w ON w.sequence = o.sequence ORDER BY o.sequence
          """)
      while let row = try rows.next() {
        let parked: Int64? = row["parked_ns"]
        let state: OutboxEntry.State =
          parked.map {
            .parked(at: Instant(nanoseconds: abs($0)), reason: row["reason"] ?? "", isDue: $0 < 0)
          } ?? .waiting
        try body(OutboxEntry(record: try RecordedWeighing(row), state: state))
      }
    }
  }
}
