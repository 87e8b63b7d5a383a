import GRDB
import Testing
import Weighing

@testable import Journal

/// The records page by page.
struct PageTests {
  @Test func pagesAreTheWholeHistory() throws {
    let folder = try Folder()
    try sample(folder.file(), count: 9)
    let journal = Journal.reader(path: folder.file(), logger: quiet)
    var entries: [HistoryEntry] = []
    var last: Int?
    while true {
      let page = try journal.page(after: entries.last?.record.sequence ?? 0, through: last, count: 4)
      if page.entries.isEmpty { break }
      #expect(page.entries.count <= 4)
      entries += page.entries
      last = page.last
    }
    #expect(try entries == journal.history(since: nil))
    #expect(entries.contains { $0.voidedBy != nil })
  }

  @Test func pagesAreAsOfTheFirst() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    for number in 1...6 { _ = try journal.record(weighing(number * 10), at: moment(Double(number))) }
    let first = try journal.page(after: 0, through: nil, count: 4)
    #expect(first.entries.map(\.record.sequence) == [1, 2, 3, 4] && first.last == 6)
    // A void that is recorded during the reading is not visible, and the weighing that it voids remains.
    _ = try journal.record(void, at: moment(7))
    let second = try journal.page(after: 4, through: first.last, count: 4)
    #expect(second.entries.map(\.record.sequence) == [5, 6])
    #expect(second.entries.allSatisfy { $0.voidedBy == nil })
    #expect(try journal.page(after: 6, through: first.last, count: 4).entries.isEmpty)
    #expect(try journal.page(after: 4, through: nil, count: 4).entries.map(\.voidedBy).contains { $0 != nil })
  }

  /// A selection reads the records of its time only, also if the clock was set back.
  @Test func theScopeOfASelectionIsThatOfItsTime() throws {
    let journal = Journal(.memory, logger: quiet)
    for seconds in [1, 2, 3, 1.5, 10, 11] { _ = try journal.record(weighing(10), at: moment(seconds)) }
    let cases: [(Double?, Double?, ClosedRange<Int>?)] = [
      (nil, nil, 0...Int.max), (nil, 0.5, nil), (nil, 1.2, 0...1), (nil, 2, 0...4), (nil, 2.5, 0...4),
      (nil, 10.5, 0...5),
      (2.5, nil, 3...Int.max), (10.5, nil, 6...Int.max), (11.5, nil, nil), (10.2, 10.7, nil), (9, 10.5, 5...5),
    ]
    for (from, until, scope) in cases {
      let selection = WeighingSelection(from: from.map { moment($0) }, until: until.map { moment($0) })
      #expect(try journal.read { db in try selection.scope(db) } == scope, "\(selection)")
    }
    let plan = try journal.read { db in
      try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN SELECT max(+sequence) FROM weighings WHERE time_ns < 5 AND \(Schema.isEarlier)"
      ).map(\.description).joined()
    }
    #expect(plan.contains("weighings_earlier"), "\(plan)")
  }

  /// Earlier versions kept the time of an id that was far in the future, across restarts; and ids are no order any more.
  @Test func theScopeIncludesIdsOfAClockInTheFuture() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    for seconds in 1...9 { _ = try journal.record(weighing(10), at: moment(Double(seconds))) }
    journal.close()
    // 2098, as in an id.
    try tamper(folder.file(), "UPDATE weighings SET id = '03ae' || substr(id, 5) WHERE sequence IN (2, 3, 4)")
    let reader = Journal.reader(path: folder.file(), logger: quiet)
    for (from, until) in [(2, 4), (3, 7), (1, 3), (4, 5), (5, 8), (1, 10)] {
      let selection = WeighingSelection(from: moment(Double(from)), until: moment(Double(until) - 0.5))
      let page = try reader.page(of: selection, after: 0, through: nil, count: 20)
      #expect(page.entries.map(\.record.sequence) == Array(from..<until))
      let scope = try reader.read { db in try selection.scope(db) }
      #expect(scope == from...until - 1, "no more than needed")
    }
    let plan = try reader.read { db in
      try Row.fetchAll(
        db,
        sql: "EXPLAIN QUERY PLAN SELECT min(sequence), max(sequence) FROM weighings WHERE \(WeighingSelection.earlier)",
        arguments: [1, 2]
      ).map(\.description).joined()
    }
    #expect(plan.contains("weighings_earlier"), "\(plan)")
  }

  @Test func anEmptyJournalHasNone() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    try journal.open()
    #expect(try journal.page(after: 0, through: nil, count: 4) == HistoryPage(entries: [], last: 0, end: 0))
  }
}
