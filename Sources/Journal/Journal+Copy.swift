import GRDB
import Weighing

/// What a journal comes to, in numbers.
package struct JournalExtent: Hashable, Sendable {
  /// How many records the chain has, weighings and audit trail together.
  package var records: Int
  /// How many weighings, records that strike one included.
  package var weighings: Int
  /// The number of the last weighing; 0 without one.
  package var lastSequence: Int
  /// The hash of the last record, 64 hexadecimal digits.
  package var head: String
  /// What waits to be delivered.
  package var outbox: OutboxDepth

  /// Makes an extent of what is known.
  package init(records: Int, weighings: Int, lastSequence: Int, head: String, outbox: OutboxDepth) {
    (self.records, self.weighings, self.lastSequence) = (records, weighings, lastSequence)
    (self.head, self.outbox) = (head, outbox)
  }
}

extension Journal {
  /// Copies all of it, the outbox included, as of one moment into a new file that needs no `-wal` beside it.
  ///
  /// Others may write meanwhile and are not held up: all pages are read in one transaction
  /// (sqlite.org/backup.html, `sqlite3_backup_step` with -1).
  ///
  /// - Parameter copy: A path at which nothing is yet.
  /// - Throws: About this journal, or with the path of the copy about that one.
  package func copy(to copy: String) throws(JournalError) {
    try read { source in
      let target: DatabaseQueue
      do {
        target = try DatabaseQueue(path: copy)
      } catch {
        throw JournalError(error, path: copy)
      }
      try target.writeWithoutTransaction { target in
        do {
          try source.backup(to: target)
        } catch let error as DatabaseError {
          throw JournalError(error, path: Self.isOfTarget(error) ? copy : path)
        }
        do {
          try target.execute(sql: "PRAGMA journal_mode = DELETE")
        } catch {
          throw JournalError(error, path: copy)
        }
      }
    }
  }

  /// Whether a copy has failed because of the file that is written.
  private static func isOfTarget(_ error: DatabaseError) -> Bool {
    switch error.resultCode {
    case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY: true
    default: false  // not an enum of ours
    }
  }

  /// How much there is.
  package func extent() throws(JournalError) -> JournalExtent {
    try read { db in
      let head = try Head.fetch(db) ?? Head()
      let waiting = try Int.fetchOne(db, sql: "SELECT count(*) FROM outbox WHERE parked_ns IS NULL") ?? 0
      let all = try Int.fetchOne(db, sql: "SELECT count(*) FROM outbox") ?? 0
      return JournalExtent(
        records: head.position, weighings: try Int.fetchOne(db, sql: "SELECT count(*) FROM weighings") ?? 0,
        lastSequence: head.sequence, head: head.hash.text,
        outbox: OutboxDepth(waiting: waiting, parked: all - waiting))
    }
  }

  /// How many weighings of this journal another one does not have.
  package func weighings(missingFrom other: Journal) throws(JournalError) -> Int {
    try read { own in
      try other.read { other in
        // Equal hashes are equal histories, so that the last one tells of all before it; looking from the end is quick then.
        let statement = try other.cachedStatement(sql: "SELECT count(*) FROM weighings WHERE sequence = ? AND hash = ?")
        let rows = try Row.fetchCursor(own, sql: "SELECT sequence, hash FROM weighings ORDER BY sequence DESC")
        var missing = 0
        while let row = try rows.next() {
          let arguments: StatementArguments = [row[0] as DatabaseValue, row[1] as DatabaseValue]
          if try Int.fetchOne(statement, arguments: arguments) == 1 { break }
          missing += 1
        }
        return missing
      }
    }
  }
}
