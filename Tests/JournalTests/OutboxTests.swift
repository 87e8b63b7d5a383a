import Testing
import Weighing

@testable import Journal

/// What waits to be delivered.
@Suite struct OutboxTests {
  @Test func recordsLeaveWhenTheyAreDelivered() throws {
    let journal = Journal(.memory, logger: quiet)
    for number in 1...10 { _ = try journal.record(weighing(number), at: moment(Double(number))) }
    #expect(try journal.pending(after: 0, limit: 3).map(\.sequence) == [1, 2, 3])
    #expect(try journal.pending(after: 3, limit: 3).map(\.sequence) == [4, 5, 6])
    try journal.delivered([1, 3, 3, 99])
    try journal.park([(4, "0x97 quota exceeded"), (98, "")], at: moment(20))
    #expect(try journal.pending(after: 0, limit: 4).map(\.sequence) == [2, 5, 6, 7])
    #expect(try journal.depth() == OutboxDepth(waiting: 7, parked: 1))
    #expect(try journal.history(since: nil).count == 10)
    #expect(try journal.verify().isClean)
  }

  @Test func parkedRecordsAreDueWhenARetryIsRequested() throws {
    let journal = Journal(.memory, logger: quiet)
    for number in 1...6 { _ = try journal.record(weighing(number), at: moment(Double(number))) }
    #expect(try journal.parkedReason() == nil)
    try journal.park([(2, "a"), (5, "c"), (3, "b")], at: moment(20))
    #expect(try journal.due(after: 0, limit: 9).isEmpty)
    #expect(try journal.requestRetry() == 3)
    #expect(try journal.due(after: 0, limit: 2).map(\.sequence) == [2, 3])
    #expect(try journal.due(after: 3, limit: 2).map(\.sequence) == [5])
    #expect(try journal.pending(after: 0, limit: 9).map(\.sequence) == [1, 4, 6])
    #expect(try journal.depth() == OutboxDepth(waiting: 3, parked: 3))
    try journal.park([(3, "d")], at: moment(30))
    #expect(try journal.parkedReason() == "d")
    #expect(try journal.due(after: 0, limit: 9).map(\.sequence) == [2, 5])
    var states: [OutboxEntry.State] = []
    try journal.outbox { states.append($0.state) }
    #expect(
      states == [
        .waiting, .parked(at: moment(20), reason: "a", isDue: true), .parked(at: moment(30), reason: "d", isDue: false),
        .waiting, .parked(at: moment(20), reason: "c", isDue: true), .waiting,
      ])
    try journal.delivered([2, 5])
    #expect(try journal.requestRetry() == 1)
    #expect(try journal.verify().isClean)
  }

  @Test func aRetryIsRequestedBesideAnOpenJournal() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    for number in 1...3 { _ = try journal.record(weighing(number), at: moment(Double(number))) }
    try journal.park([(1, "a"), (2, "b")], at: moment(20))
    let version = try journal.version()
    _ = try journal.record(weighing(4), at: moment(21))
    #expect(try journal.version() == version, "its own writes do not count")
    #expect(try Journal.requestRetry(path: folder.file()) == 2)
    #expect(try journal.version() != version)
    #expect(try journal.due(after: 0, limit: 9).map(\.sequence) == [1, 2])
    let second = try journal.version()
    #expect(try Journal.requestRetry(path: folder.file()) == 2)
    #expect(try journal.version() != second, "a second request is noticed, too")
    #expect(throws: JournalError.self) { try Journal.requestRetry(path: folder.path + "/absent/grampad.db") }
  }

  @Test func tenThousandWaitingAreCheap() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    try journal.append(at: moment()) { appender, _ in
      for number in 1...10_000 {
        _ = try appender.append(weighing(number % 300), configurationHash: "c", clock: nil, at: moment(Double(number)))
      }
    }
    let clock = ContinuousClock()
    var sequences: [Int] = []
    var reading = Duration.zero
    var writing = Duration.zero
    while sequences.count < 10_000 {
      var window: [Int] = []
      reading += try clock.measure {
        window = try journal.pending(after: sequences.last ?? 0, limit: 100).map(\.sequence)
      }
      #expect(window.count == 100)
      writing += try clock.measure { try journal.delivered(window) }
      sequences += window
    }
    #expect(sequences == Array(1...10_000))
    var depth: OutboxDepth?
    let counting = try clock.measure { depth = try journal.depth() }
    #expect(depth == OutboxDepth(waiting: 0, parked: 0))
    print("outbox of 10,000: pending \(reading / 100), delivered \(writing / 100) per 100; depth \(counting)")
    #expect(reading / 100 < .seconds(2))
  }
}
