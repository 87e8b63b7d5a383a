import Dispatch
import Foundation
import Logging
import Servers
import Synchronization
import Testing
import Weighing

@testable import Appliance
@testable import Journal

/// Searches through a journal for the page: each ends in time, and their number is limited.
struct HistoryServiceTests {
  /// Five weighings of 10 g, each on another page of the journal, which has gaps in its sequence.
  private static func journal() throws -> Journal {
    let journal = Journal(.memory, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    for number in 1...5 {
      _ = try journal.record(weighing(number == 1 ? "rye" : "oats"), at: time(number))
      let last = journal.sequence ?? 0
      try journal.skip(to: last + 3 * Journal.pageScope, reason: "test", keptAside: nil, at: time(number))
    }
    return journal
  }

  private static func time(_ number: Int) -> Instant { Instant(nanoseconds: Int64(number) * 1_000_000_000) }

  private static func weighing(_ label: String) -> WeighingDraft {
    let mass = DisplayedMass(steps: 10, division: .gram)
    let measurement = Weighing.Measurement(
      gross: mass, tare: DisplayedMass(steps: 0, division: .gram), net: mass, uncertainty: nil, calibration: .user)
    return WeighingDraft(
      request: ActionRequest(action: .commit, source: .pad), kind: .weighing(measurement), label: label, time: time(0))
  }

  private static func service(_ journal: Journal, patience: Interval) -> HistoryService {
    HistoryService(journal: { journal }, newest: { journal.sequence ?? 0 }, patience: patience)
  }

  private struct Page: Decodable {
    struct Entry: Decodable { var label: String? }
    var next: Int?
    var weighings: [Entry]
  }

  private struct Totals: Decodable {
    var sequence: Int
    var next: Int?
    var weighings: Int
    var net_g: Double
  }

  private static func read<T: Decodable>(_ result: Result<[UInt8], TableError>) throws -> T {
    try JSONDecoder().decode(T.self, from: Data(result.get()))
  }

  /// Without patience, each answer is that of one page of the journal; together they are complete.
  @Test(arguments: [("rye", 1), ("oats", 4), ("wheat", 0)])
  func aSearchContinues(_ text: String, _ count: Int) async throws {
    let service = Self.service(try Self.journal(), patience: .zero)
    var (answers, found, before) = (0, [String?](), Int?.none)
    repeat {
      let page: Page = try Self.read(
        await completed { service.weighings(HistoryQuery(WeighingSelection(text: text), before: before), $0) })
      answers += 1
      found += page.weighings.map(\.label)
      before = page.next
    } while before != nil
    #expect(found == Array(repeating: text, count: count))
    #expect(answers == 5)
  }

  @Test func aSearchWithPatienceIsCompleteAtOnce() async throws {
    let service = Self.service(try Self.journal(), patience: .seconds(3600))
    let page: Page = try Self.read(
      await completed { service.weighings(HistoryQuery(WeighingSelection(text: "e")), $0) })
    #expect(page.weighings.count == 1 && page.next == nil)
  }

  /// The same request continues a summation. A record that is made meanwhile does not count.
  @Test func totalsContinue() async throws {
    let journal = try Self.journal()
    let service = Self.service(journal, patience: .zero)
    for selection in [WeighingSelection(), WeighingSelection(text: "oats")] {
      let newest = try #require(try journal.last()?.sequence)
      var counts: [Int] = []
      var last: Totals
      repeat {
        last = try Self.read(await completed { service.totals(selection, $0) })
        counts.append(last.weighings)
        if counts.count == 2 { _ = try journal.record(Self.weighing("oats"), at: Self.time(9)) }
      } while last.next != nil
      let expected = selection.text == nil ? 5 : 5
      #expect(counts.last == expected && last.net_g == Double(10 * expected) && last.sequence == newest, "\(counts)")
      #expect(counts.count == 5 + (selection.text == nil ? 0 : 1) && counts == counts.sorted())
    }
  }

  /// While totals are summed up again, the last ones are the answer.
  @Test func theLastTotalsRemain() async throws {
    let report = TotalsReport()
    let journal = try Self.journal()
    let all = WeighingSelection()
    let first = try journal.totals(groups: 10)
    let payload = report.keep(first, of: all, from: Self.time(0), to: Self.time(1))
    #expect(report.payload(of: all, newest: first.sequence, at: Self.time(50)) == payload)
    // It took a second: after a new record the next one is due nine seconds later.
    #expect(report.payload(of: all, newest: first.sequence + 1, at: Self.time(9)) == payload)
    #expect(report.payload(of: all, newest: first.sequence + 1, at: Self.time(11)) == nil)
    var begun = report.unfinished(all)
    try journal.addPage(to: &begun, of: all, groups: 10)
    #expect(report.keep(begun, of: all, from: Self.time(11), to: Self.time(12)) == payload)
    #expect(report.payload(of: all, newest: first.sequence + 1, at: Self.time(12)) == nil)
    #expect(report.unfinished(all).next == begun.next)
  }

  /// However many selections are asked for, the newest ones are kept.
  @Test func theNumberOfKeptTotalsIsLimited() throws {
    let report = TotalsReport()
    let totals = try Self.journal().totals(groups: 10)
    let selections = (0..<100).map { WeighingSelection(text: "\($0)") }
    for (number, selection) in selections.enumerated() {
      _ = report.keep(totals, of: selection, from: Self.time(number), to: Self.time(number))
    }
    let kept = selections.filter { report.payload(of: $0, newest: 0, at: Self.time(200)) != nil }
    #expect(kept == Array(selections.suffix(TotalsReport.maximumSelections)))
  }

  /// A journal on a disk that hangs: eight searches wait, others are rejected at once, and later all is as before.
  @Test func theNumberOfSearchesIsLimited() async throws {
    let journal = try Self.journal()
    let gate = DispatchSemaphore(value: 0)
    let service = HistoryService(
      journal: {
        gate.wait()
        return journal
      }, newest: { 0 })
    let results = AsyncStream<Bool>.makeStream()
    for number in 0..<20 {
      Task {
        let result = await completed { (completion: @escaping Completion<Result<[UInt8], TableError>>) in
          if number.isMultiple(of: 2) {
            service.weighings(HistoryQuery(WeighingSelection()), completion)
          } else {
            service.totals(WeighingSelection(), completion)
          }
        }
        if case .failure(let error) = result { #expect(error == .busy) }
        results.continuation.yield((try? result.get()) != nil)
      }
    }
    var answers: [Bool] = []
    for await answer in results.stream {
      answers.append(answer)
      // The rejected ones are answered while the others wait.
      if answers.count == 12 {
        #expect(answers == Array(repeating: false, count: 12))
        for _ in 0..<1000 { gate.signal() }
      }
      if answers.count == 20 { break }
    }
    #expect(answers.suffix(8) == Array(repeating: true, count: 8))
    let result = await completed { service.weighings(HistoryQuery(WeighingSelection()), $0) }
    #expect((try? result.get()) != nil)
  }
}
