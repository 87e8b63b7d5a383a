import Testing
import Weighing

@testable import Simulating

@Suite struct LightJournalTests {
  private static let start = Instant(nanoseconds: 1_795_000_000_000_000_000)

  private func journal(lost: Double = 0) -> LightJournal {
    LightJournal(device: 3, LightJournal.Origin(seed: 7, start: Self.start, lostShare: lost))
  }

  @Test func recordsStayUntilTheyAreAcknowledged() {
    var journal = journal()
    for second in 0..<5 { journal.append(at: Self.start + .seconds(Double(second))) }
    let first = journal.takeUnsent(3)
    #expect(first == [1, 2, 3])
    let answers = [journal.acknowledge(2), journal.acknowledge(2)]
    #expect(answers == [true, false], "counted once")
    let rest = journal.takeUnsent(9)
    #expect(rest == [4, 5] && !journal.hasUnsent)
    journal.connect()
    let again = journal.takeUnsent(9)
    #expect(again == [1, 3, 4, 5], "sent again on the next connection")
    #expect(journal.waiting == 4 && journal.sequence == 5)
  }

  @Test func aRecordIsAlwaysTheSame() {
    var journal = journal()
    for second in 0..<100 { journal.append(at: Self.start + .seconds(Double(second))) }
    let records = (1...100).map { journal.record($0) }
    #expect(records == (1...100).map { journal.record($0) })
    #expect(Set(records.map(\.id)).count == 100)
    #expect(records.map(\.time) == (0..<100).map { Self.start + .seconds(Double($0)) })
    #expect(records.allSatisfy { $0.measurement.net.steps > 0 } && Set(records.map(\.label)).count == 4)
  }

  @Test func lostRecordsAreNotInTheOutbox() {
    var journal = journal(lost: 0.25)
    for _ in 0..<1000 { journal.append(at: Self.start) }
    let sent = Set(journal.takeUnsent(1000))
    #expect((150...350).contains(journal.lost.count) && sent.count + journal.lost.count == 1000)
    guard let lost = (1...1000).first(where: { !sent.contains($0) }) else { return }
    #expect(journal.record(lost).sequence == lost)
    let answers = [journal.acknowledge(lost), journal.acknowledge(lost)]
    #expect(answers == [true, false])
  }
}
