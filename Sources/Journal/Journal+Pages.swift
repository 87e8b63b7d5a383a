import GRDB
import Weighing

/// Some records in sequence order, read in one transaction.
package struct HistoryPage: Hashable, Sendable {
  /// The records; there can be none although later pages have some.
  package var entries: [HistoryEntry]
  /// The number of the last record for all pages; 0 for a journal without records.
  package var last: Int
  /// The number after which the next page begins; `last` for the final one.
  package var end: Int
}

/// Some weighings, newest first, read in one transaction.
package struct WeighingPage: Hashable, Sendable {
  /// The weighings; there can be none although later pages have some.
  package var entries: [HistoryEntry]
  /// The number before which the next page begins; `nil` for the final one.
  package var next: Int?
  /// The number of the newest record of the journal; 0 without records.
  package var newest: Int
}

/// Reading in pages, each in a transaction of its own, and each considering a limited number of records: a reader that takes hours
/// does not prevent checkpoints of the write-ahead log.
extension Journal {
  /// Maximum number of records that a page considers.
  static let pageScope = 10_000

  /// Reads records after a number, at most `count`. Fails while they may not be on disk, except in a reader.
  ///
  /// Records are only ever added, so that all pages with the same `last` show the journal as it was when `last` was the
  /// newest record; later voids are not included.
  ///
  /// - Parameters:
  ///   - selection: Which records to read; a relabel counts by the label that it gives.
  ///   - last: The number of the last record to read; `nil` for the newest.
  package func page(
    of selection: WeighingSelection = WeighingSelection(), after sequence: Int, through last: Int?, count: Int
  ) throws(JournalError) -> HistoryPage {
    try read(isSecured: true) { db in
      let newest = try last ?? Int.fetchOne(db, sql: "SELECT max(sequence) FROM weighings") ?? 0
      var page = HistoryPage(entries: [], last: newest, end: newest)
      guard let scope = try selection.scope(db),
        let start = try Int.fetchOne(
          db, sql: "SELECT min(sequence) FROM weighings WHERE sequence BETWEEN ? AND ?",
          arguments: [max(sequence + 1, scope.lowerBound), min(newest, scope.upperBound)])
      else { return page }
      let top = min(start + Self.pageScope - 1, newest, scope.upperBound)
      page.end = top == scope.upperBound ? newest : top
      try selection.withConditions(db) { conditions, arguments in
        try HistoryEntry.forEach(
          db, asOf: newest, "WHERE w.sequence BETWEEN ? AND ? AND \(conditions) ORDER BY w.sequence LIMIT ?",
          [start, top] + arguments + [count]
        ) { page.entries.append($0) }
      }
      if page.entries.count == count, let end = page.entries.last?.record.sequence { page.end = end }
      return page
    }
  }

  /// Reads weighings, newest first, with the voids and relabels that are known now.
  ///
  /// - Parameters:
  ///   - before: Only weighings with a smaller number; `nil` for the newest.
  ///   - limit: Maximum number of weighings.
  package func weighings(
    of selection: WeighingSelection, before: Int?, limit: Int
  ) throws(JournalError) -> WeighingPage {
    try read { db in
      let newest = try Int.fetchOne(db, sql: "SELECT max(sequence) FROM weighings") ?? 0
      var page = WeighingPage(entries: [], next: nil, newest: newest)
      guard let scope = try Self.scope(of: selection, before: before, db) else { return page }
      page.next = scope.next
      try selection.withConditions(db) { conditions, arguments in
        try HistoryEntry.forEach(
          db,
          "WHERE w.sequence BETWEEN ? AND ? AND \(HistoryQuery.isWeighing) AND \(conditions) ORDER BY w.sequence DESC LIMIT ?",
          [scope.numbers.lowerBound, scope.numbers.upperBound] + arguments + [limit]
        ) { page.entries.append($0) }
      }
      if page.entries.count == limit, let end = page.entries.last?.record.sequence { page.next = end }
      return page
    }
  }

  /// The numbers that a page considers, newest first, and where the next page begins; `nil` if there is nothing left.
  static func scope(
    of selection: WeighingSelection, before: Int?, _ db: Database
  ) throws -> (numbers: ClosedRange<Int>, next: Int?)? {
    guard let scope = try selection.scope(db),
      // A gap in the sequence costs one step, however long it is.
      let top = try Int.fetchOne(
        db, sql: "SELECT max(sequence) FROM weighings WHERE sequence BETWEEN ? AND ? AND sequence < ?",
        arguments: [scope.lowerBound, scope.upperBound, before ?? .max])
    else { return nil }
    let bottom = max(scope.lowerBound, top - pageScope + 1)
    let hasMore = bottom > scope.lowerBound && bottom > 1
    return (bottom...top, hasMore ? bottom : nil)
  }
}
