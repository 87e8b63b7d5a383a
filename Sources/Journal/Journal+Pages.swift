import GRDB
import Weighing

/// A page of records in sequence order, read in one transaction.
package struct HistoryPage: Hashable, Sendable {
  /// The records; empty after the last one.
  package var entries: [HistoryEntry]
  /// The number of the last record for all pages; 0 for a journal without records.
  package var last: Int
}

extension Journal {
  /// Reads the records after a number, at most `count`, in a separate transaction.
  ///
  /// Records are only ever added, so that all pages with the same `last` show the journal as it was when `last` was the
  /// newest record; later voids are not included. No transaction is open between two pages: a reader that takes hours
  /// does not prevent checkpoints of the write-ahead log.
  ///
  /// - Parameter last: The number of the last record to read; `nil` for the newest.
  package func page(after sequence: Int, through last: Int?, count: Int) throws(JournalError) -> HistoryPage {
    try read { db in
      let newest = try last ?? Int.fetchOne(db, sql: "SELECT max(sequence) FROM weighings") ?? 0
      var page = HistoryPage(entries: [], last: newest)
      try HistoryEntry.forEach(
        db, asOf: newest, "WHERE w.sequence > ? AND w.sequence <= ? ORDER BY w.sequence LIMIT ?",
        [sequence, newest, count]
      ) { page.entries.append($0) }
      return page
    }
  }
}
