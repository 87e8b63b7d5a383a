import Foundation
import Testing
import Weighing

@testable import Journal

/// Selections of a journal, page by page, compared with a filter over all records.
struct SelectionTests {
  private struct Random {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }
    mutating func next(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
  }

  private static let labels = [
    nil, "", "rye", "Rye flour", "Grüße", "GRÜSSE", "ÄPFEL 50%_", "'; DROP TABLE weighings; --",
  ]

  /// Weighings, voids and relabels over days, with a clock that is set back now and then, and gaps in the sequence.
  private static func journal(_ random: inout Random) throws -> Journal {
    let journal = Journal(.memory, logger: quiet)
    var ids: [WeighingID] = []
    var seconds = 0.0
    for _ in 1...150 {
      seconds += Double(random.next(7200))
      if random.next(20) == 0 { seconds = max(0, seconds - Double(random.next(200_000))) }
      let reference = ids.isEmpty ? WeighingReference.last : .id(ids[random.next(ids.count)])
      let label = labels[random.next(labels.count)]
      switch random.next(6) {
      case 0: _ = try? journal.record(voiding(reference), at: moment(seconds))
      case 1: _ = try? journal.record(relabel(reference, label), at: moment(seconds))
      default: ids.append(try journal.record(weighing(random.next(300), label: label), at: moment(seconds)).id)
      }
      if random.next(40) == 0 {
        let last = journal.sequence ?? 0
        try journal.skip(to: last + 50_000, reason: "test", keptAside: nil, at: moment(seconds))
      }
    }
    return journal
  }

  private static func selection(_ random: inout Random) -> WeighingSelection {
    var selection = WeighingSelection()
    if random.next(2) == 0 { selection.from = moment(Double(random.next(600_000))) }
    if random.next(2) == 0 { selection.until = moment(Double(random.next(600_000))) }
    if random.next(3) == 0 { selection.label = labels[random.next(labels.count)] ?? "" }
    if random.next(3) == 0 { selection.text = ["", "RYE", "grü", "%", "y", "äpfel"][random.next(6)] }
    if random.next(3) == 0 { selection.isVoided = random.next(2) == 0 }
    return selection
  }

  /// The conditions once more, without SQL.
  private static func naive(_ entries: [HistoryEntry], _ selection: WeighingSelection) -> [HistoryEntry] {
    entries.filter { entry in
      let (time, label) = (entry.record.time, entry.label ?? "")
      return time >= selection.from ?? time && (selection.until.map { time < $0 } ?? true)
        && (selection.label.map { $0 == label } ?? true)
        && (selection.text.map { $0.isEmpty || label.range(of: $0, options: .caseInsensitive) != nil } ?? true)
        && (selection.isVoided.map { $0 == (entry.voidedBy != nil || entry.record.kind == .void) } ?? true)
    }
  }

  @Test(arguments: 1...8) func pagesAreThoseOfTheHistory(seed: UInt64) throws {
    var random = Random(seed)
    let journal = try Self.journal(&random)
    let all = try journal.history(since: nil)
    var found = 0
    for _ in 1...60 {
      let selection = Self.selection(&random)
      let expected = Self.naive(all, selection)
      #expect(try journal.history(selection) == expected, "\(selection)")

      var (ascending, last, end) = ([HistoryEntry](), Int?.none, 0)
      repeat {
        let page = try journal.page(of: selection, after: end, through: last, count: 1 + random.next(20))
        #expect(page.end > end || page.end == page.last)
        ascending += page.entries
        (last, end) = (page.last, page.end)
      } while end != last
      #expect(ascending == expected, "\(selection)")

      var (descending, before) = ([HistoryEntry](), Int?.none)
      repeat {
        let page = try journal.weighings(of: selection, before: before, limit: 1 + random.next(20))
        #expect(page.newest == all.last?.record.sequence)
        descending += page.entries
        before = page.next
      } while before != nil
      let weighings = expected.filter { $0.record.kind == .weighing }
      #expect(descending.map(\.record.sequence) == weighings.reversed().map(\.record.sequence), "\(selection)")
      #expect(descending == weighings.reversed())

      var totals = WeighingTotals()
      while !totals.isFinished { try journal.addPage(to: &totals, of: selection, groups: 1000) }
      let standing = weighings.filter(\.isStanding)
      #expect(totals.all.count == standing.count && totals.isComplete)
      #expect(totals.all.net.value == standing.reduce(0) { $0 + $1.record.measurement.net.mass.value })
      #expect(totals.groups.map(\.day) == totals.groups.map(\.day).sorted(by: >))
      found += standing.count
    }
    #expect(found > 100)
  }

  /// With few groups, those of the newest days remain, whatever the order of the records.
  @Test(arguments: 1...5) func theNewestDaysRemain(seed: UInt64) throws {
    var random = Random(seed)
    let journal = try Self.journal(&random)
    let all = try journal.totals(groups: 1000)
    for limit in [1, 3, 7] {
      let totals = try journal.totals(groups: limit)
      #expect(totals.all == all.all && !totals.isComplete && totals.groups.count == limit)
      #expect(totals.groups.map(\.day) == all.groups.prefix(limit).map(\.day))
      for group in totals.groups { #expect(all.groups.contains(group), "\(group)") }
    }
  }

  /// A read that takes as long as it likes delays no weighing, and none of them appears in it.
  @Test func recordingContinuesDuringARead() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    for number in 1...50 { _ = try journal.record(weighing(number), at: moment(Double(number))) }
    let reader = Journal.reader(path: folder.file(), logger: quiet)
    var totals = WeighingTotals()
    try reader.addPage(to: &totals, of: WeighingSelection(), groups: 10)
    try reader.read { db in
      var count = 0
      try HistoryEntry.forEach(db, "ORDER BY w.sequence", []) { entry in
        count += 1
        // The statement is being stepped and its transaction is open.
        _ = try journal.record(weighing(1), at: moment(Double(50 + count)))
      }
      #expect(count == 50)
    }
    #expect(try journal.last()?.sequence == 100)
    #expect(totals.all.count == 50)
  }

  /// Totals that are summed up in pages are as of their first page.
  @Test func totalsAreAsOfTheFirstPage() throws {
    let journal = Journal(.memory, logger: quiet)
    for number in 1...3 { _ = try journal.record(weighing(10), at: moment(Double(number))) }
    try journal.skip(to: 50_000, reason: "test", keptAside: nil, at: moment(4))
    for number in 5...6 { _ = try journal.record(weighing(10), at: moment(Double(number))) }
    var totals = WeighingTotals()
    try journal.addPage(to: &totals, of: WeighingSelection(), groups: 5)
    #expect(totals.all.count == 2 && !totals.isFinished)
    let first = try #require(try journal.history(since: nil).first)
    _ = try journal.record(voiding(.id(first.record.id)), at: moment(7))
    while !totals.isFinished { try journal.addPage(to: &totals, of: WeighingSelection(), groups: 5) }
    #expect(totals.all.count == 5 && totals.sequence == 50_002)
    #expect(try journal.totals(groups: 5).all.count == 4)
  }
}
