import GRDB

/// Transfers the write-ahead log to the database file.
enum Checkpoint {
  /// Empties the log as far as other readers allow.
  ///
  /// - Parameter waitMilliseconds: How long to wait for other readers.
  /// - Returns: Whether the log is empty. (sqlite.org/pragma.html, `wal_checkpoint`: the first column is 0)
  @discardableResult
  static func run(on queue: DatabaseQueue, waitMilliseconds: Int) throws -> Bool {
    try queue.inDatabase { db in
      let patience = try Int.fetchOne(db, sql: "PRAGMA busy_timeout") ?? 0
      try db.execute(sql: "PRAGMA busy_timeout = \(waitMilliseconds)")
      defer { try? db.execute(sql: "PRAGMA busy_timeout = \(patience)") }
      return try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
    }
  }
}
