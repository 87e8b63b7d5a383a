import GRDB
import Weighing

/// The extent of a journal, in numbers.
package struct JournalExtent: Hashable, Sendable {
  /// Number of records in the chain, weighings and audit trail together.
  package var records: Int
  /// Number of weighings, including voids and relabels.
  package var weighings: Int
  /// The sequence number of the last weighing; 0 if there is none.
  package var lastSequence: Int
  /// The hash of the last record, 64 hexadecimal digits.
  package var head: String
  /// The depth of the outbox.
  package var outbox: OutboxDepth

  /// Makes an extent.
  package init(records: Int, weighings: Int, lastSequence: Int, head: String, outbox: OutboxDepth) {
    (self.records, self.weighings, self.lastSequence) = (records, weighings, lastSequence)
    (self.head, self.outbox) = (head, outbox)
  }
}

extension Journal {
  /// Copies a consistent snapshot, including the outbox, into a new file that needs no `-wal`.
  ///
  /// Other processes may write in the meantime: all pages are read in one transaction (sqlite.org/backup.html,
  /// `sqlite3_backup_step` with -1).
  ///
  /// - Parameter copy: A path that does not exist yet.
  /// - Throws: An error with the path of this journal or of the copy.
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

  /// Whether a copy failed because of its target.
  private static func isOfTarget(_ error: DatabaseError) -> Bool {
    switch error.resultCode {
    case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY: true
    default: false  // not an enum of ours
    }
  }

  /// The current extent.
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

  /// Number of weighings of this journal that another one does not have.
  package func weighings(missingFrom other: Journal) throws(JournalError) -> Int {
    try read { own in
      try other.read { other in
        // Equal hashes prove equal histories, so that one common record is enough; searching from the end is fast.
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
