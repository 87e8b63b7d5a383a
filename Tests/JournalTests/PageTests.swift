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

  @Test func anEmptyJournalHasNone() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    try journal.open()
    #expect(try journal.page(after: 0, through: nil, count: 4) == HistoryPage(entries: [], last: 0, end: 0))
  }
}
