import Testing

@testable import Fleet

/// What waits between the broker and the database.
@Suite struct InboxTests {
  @Test func healthIsTakenAfterAllRecords() throws {
    let inbox = Inbox()
    for sequence in 1...3 { inbox.append(.weighing(try Records.record("lab", sequence))) }
    inbox.append(.health(device: "lab", try CollectedHealth(Array("{}".utf8), isRetained: false)))
    let first = inbox.take(2, withHealth: true)
    #expect(first.records.map(\.sequence) == [1, 2] && first.health.isEmpty)
    let second = inbox.take(2, withHealth: false)
    #expect(second.records.map(\.sequence) == [3] && second.health.isEmpty && !inbox.isEmpty)
    #expect(inbox.take(2, withHealth: true).health.keys.sorted() == ["lab"])
    #expect(inbox.isEmpty && inbox.takeDropped() == 0)
  }

  /// After a reconnection the broker repeats what it had retained.
  @Test func aRetainedMessageDoesNotHideALiveOne() throws {
    let inbox = Inbox()
    func health(isRetained: Bool) throws -> CollectedHealth {
      try CollectedHealth(Array("{}".utf8), isRetained: isRetained)
    }
    for isRetained in [true, false, true] { inbox.append(.health(device: "lab", try health(isRetained: isRetained))) }
    inbox.append(.health(device: "attic", try health(isRetained: true)))
    #expect(inbox.take(1, withHealth: true).health.mapValues(\.isRetained) == ["lab": false, "attic": true])
  }

  /// A device that answers without end takes one request to the database at a time.
  @Test func theAnswersOfADeviceAreTakenTogether() {
    let inbox = Inbox()
    for number in 1...Inbox.capacity + 5 {
      inbox.append(.resent(device: "lab", ResendReport(missing: [number...number], last: number)))
    }
    inbox.append(.resent(device: "lab", ResendReport(missing: [], last: nil)))
    #expect(inbox.takeDropped() == 0)
    let reports = inbox.take(1, withHealth: true).reports
    #expect(reports.keys.sorted() == ["lab"] && reports["lab"]?.last == Inbox.capacity + 5)
    #expect(reports["lab"]?.missing.count == Inbox.capacity + 5)
  }

  @Test func theNumberOfRecordsIsBounded() throws {
    let inbox = Inbox()
    let record = try Records.record("lab", 1)
    for _ in 0..<Inbox.capacity + 5 { inbox.append(.weighing(record)) }
    #expect(inbox.takeDropped() == 5)
    #expect(inbox.take(.max, withHealth: true).records.count == Inbox.capacity)
  }

  @Test func theSizeIsBounded() throws {
    let inbox = Inbox()
    let health = try CollectedHealth(Array("{\(String(repeating: " ", count: (1 << 16) - 2))}".utf8), isRetained: false)
    let count = Inbox.byteCapacity >> 16
    for device in 0..<count + 3 { inbox.append(.health(device: "\(device)", health)) }
    // A newer one does not take more room.
    #expect(inbox.takeDropped() == 3)
    #expect(inbox.take(0, withHealth: true).health.count == count)
    for _ in 0..<2 * count { inbox.append(.health(device: "lab", health)) }
    #expect(inbox.takeDropped() == 0)
  }
}
