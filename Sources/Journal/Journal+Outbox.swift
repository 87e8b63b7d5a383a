import GRDB
import Weighing

/// What waits to be delivered.
extension Journal {
  /// The records that wait, oldest first; parked ones left out.
  ///
  /// - Parameters:
  ///   - sequence: Only those with a higher number; 0 for all.
  ///   - limit: At most so many.
  package func pending(after sequence: Int, limit: Int) throws(JournalError) -> [RecordedWeighing] {
    try read { db in
      try RecordedWeighing.fetchAll(
        db,
        sql: """
          FROM outbox o CROSS JOIN weighings w ON w.sequence = o.sequence
          WHERE o.parked_ns IS NULL AND o.sequence > ? ORDER BY o.sequence LIMIT ?
          """, arguments: [sequence, limit])
    }
  }

  /// Takes records that were acknowledged out of the outbox, all in one transaction; numbers that are not there are no
  /// error.
  package func delivered(_ sequences: [Int]) throws(JournalError) {
    if sequences.isEmpty { return }
    try write { db in
      let statement = try db.cachedStatement(sql: "DELETE FROM outbox WHERE sequence = ?")
      for sequence in sequences { try statement.execute(arguments: [sequence]) }
    }
  }

  /// Keeps a record that was refused, and does not offer it again.
  package func park(_ sequence: Int, reason: String, at time: Instant) throws(JournalError) {
    try write { db in
      try db.execute(
        sql: "UPDATE outbox SET parked_ns = ?, reason = ? WHERE sequence = ?",
        arguments: [time.nanoseconds, ColumnValue(reason), sequence])
    }
  }

  /// How many records wait, and how many are parked.
  package func depth() throws(JournalError) -> OutboxDepth {
    try read { db in
      let waiting = try Int.fetchOne(db, sql: "SELECT count(*) FROM outbox WHERE parked_ns IS NULL") ?? 0
      let all = try Int.fetchOne(db, sql: "SELECT count(*) FROM outbox") ?? 0
      return OutboxDepth(waiting: waiting, parked: all - waiting)
    }
  }
}
