import GRDB
import GRDBSQLite

/// Transfers the write-ahead log to the database file.
enum Checkpoint {
  /// Empties the log as far as other readers allow.
  ///
  /// - Parameter waitMilliseconds: How long to wait for other readers.
  /// - Returns: Whether the log is empty. (sqlite.org/c3ref/wal_checkpoint_v2.html)
  @discardableResult
  static func run(on queue: DatabaseQueue, waitMilliseconds: Int) throws -> Bool {
    try queue.inDatabase { db in
      // Without statements: it happens after each record.
      sqlite3_busy_timeout(db.sqliteConnection, Int32(waitMilliseconds))
      defer { sqlite3_busy_timeout(db.sqliteConnection, Int32(DatabaseConnection.patience * 1000)) }
      let result = sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
      if result == SQLITE_BUSY { return false }
      guard result == SQLITE_OK else {
        throw DatabaseError(resultCode: ResultCode(rawValue: result), message: db.lastErrorMessage)
      }
      return true
    }
  }
}
