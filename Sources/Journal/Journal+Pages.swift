import GRDB
import Weighing

/// Some records in the order of their numbers, from one transaction.
package struct HistoryPage: Hashable, Sendable {
  /// The records; none where there are no more.
  package var entries: [HistoryEntry]
  /// The number of the last record that the pages are to have; 0 for a journal without records.
  package var last: Int
}

extension Journal {
  /// Reads the records that follow a number, at most `count`, in a transaction of its own.
  ///
  /// Records are only ever added, so that pages up to a `last` that stays the same show the journal as it was when `last`
  /// was the newest; voids that were recorded later are left out, too. Between two pages no transaction is open: a reader
  /// that takes hours does not keep SQLite from checkpointing its write-ahead log.
  ///
  /// - Parameter last: The number of the last record to read; `nil` for the newest that is there now.
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
