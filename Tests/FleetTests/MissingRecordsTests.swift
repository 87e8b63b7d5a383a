import Messages
import Testing
import Weighing

@testable import Fleet

/// What is missing or lost, and when it is asked for, in a real PostgreSQL.
@Suite struct MissingRecordsTests {
  private let now = Instant(nanoseconds: 1_795_000_000_000_000_000)

  @Test func whatADeviceDoesNotHaveIsLost() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save([try Records.record("lab", 1), try Records.record("lab", 10)], at: now)
    try store.save(ResendReport(missing: [3...5, 9...20], last: 10), of: "lab")
    let connection = try PostgresConnection(url)
    let query = "SELECT missing_ranges, lost_ranges, lost FROM device"
    #expect(try connection.perform(query) == [["{[2,3),[6,9)}", "{[3,6),[9,10)}", "4"]])
    // It is found in the end.
    try store.save([try Records.record("lab", 4)], at: now)
    #expect(try connection.perform(query) == [["{[2,3),[6,9)}", "{[3,4),[5,6),[9,10)}", "3"]])
  }

  /// A journal that was restored, or made again, ends before what is known; its numbers are assigned again.
  @Test func whatAShorterJournalDoesNotHaveIsLostUntilItIsRecordedAgain() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let connection = try PostgresConnection(url)
    let query = "SELECT missing_ranges, lost_ranges, missing, lost FROM device"
    try store.save([try Records.record("lab", 1), try Records.record("lab", 2)], at: now)
    try store.save(health: ["lab": Array(#"{"journal":{"sequence":40}}"#.utf8)])
    try store.save(ResendReport(missing: [3...40], last: 2), of: "lab")
    #expect(try connection.perform(query) == [["{}", "{[3,41)}", "0", "38"]])
    // 3 is on its way, 4 arrives.
    try store.save(health: ["lab": Array(#"{"journal":{"sequence":3}}"#.utf8)])
    #expect(try connection.perform(query) == [["{[3,4)}", "{[4,41)}", "1", "37"]])
    try store.save([try Records.record("lab", 4)], at: now)
    #expect(try connection.perform(query) == [["{[3,4)}", "{[5,41)}", "1", "36"]])
    try store.save([try Records.record("lab", 3), try Records.record("lab", 6)], at: now)
    #expect(try connection.perform(query) == [["{[5,6)}", "{[7,41)}", "1", "34"]])
    // What is stored is not missing, whatever the device says.
    try store.save(ResendReport(missing: [1...6], last: 0), of: "lab")
    try store.save([try Records.record("lab", 7)], at: now)
    #expect(try connection.perform(query) == [["{}", "{[5,6),[8,41)}", "0", "34"]])
  }

  /// A user removes a scale from the list, and it comes back.
  @Test func aDeviceWhoseRowWasDeletedIsKnownAgain() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let connection = try PostgresConnection(url)
    let query = "SELECT id, highest_sequence, missing FROM device ORDER BY id"
    try store.save([try Records.record("lab", 1), try Records.record("attic", 1)], at: now)
    try connection.perform("DELETE FROM device WHERE id = 'lab'")
    try store.save([try Records.record("lab", 3), try Records.record("attic", 2)], at: now)
    #expect(try connection.perform(query) == [["attic", "2", "0"], ["lab", "3", "2"]])
    #expect(try connection.perform("SELECT count(*) FROM weighing") == [["4"]])
    try connection.perform("DELETE FROM device WHERE id = 'lab'")
    try store.save(health: ["lab": Array(#"{"journal":{"sequence":3}}"#.utf8), "attic": Array("{}".utf8)])
    #expect(try connection.perform(query) == [["attic", "2", "0"], ["lab", "0", "3"]])
  }

  @Test func requestsAreTakenOnceAndAgainLater() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let other = try FleetStore(url)
    try store.save([try Records.record("lab", 3), try Records.record("lab", 25_000)], at: now)
    let connection = try PostgresConnection(url)
    #expect(try store.dueRequests(limit: 100).isEmpty, "not before a second has passed")
    try connection.perform("UPDATE device SET next_request = now()")
    let requests = try store.dueRequests(limit: 100)
    #expect(requests.map(\.range) == [1...2, 4...10_003] && requests.allSatisfy { $0.device == "lab" })
    #expect(try other.dueRequests(limit: 100).isEmpty, "another collector does not ask at the same time")
    for wait in [10, 20, 40, 80, 160, 300, 300] {
      try connection.perform("UPDATE device SET next_request = now()")
      #expect(try !other.dueRequests(limit: 100).isEmpty)
      let row = try connection.perform("SELECT round(extract(epoch FROM next_request - now())) FROM device")[0]
      #expect(row[0].flatMap { Int($0) }.map { abs($0 - wait) <= 1 } == true, "\(row) instead of \(wait)")
    }
    try store.save(ResendReport(missing: [], last: 25_000), of: "lab")
    let late = try connection.perform("SELECT next_request > now() + interval '290 seconds' FROM device")
    #expect(late == [["t"]], "an answer that explains nothing does not shorten the wait")
    try connection.perform("UPDATE device SET next_request = now()")
    try store.save([try Records.record("lab", 1)], at: now)
    let row = try connection.perform("SELECT requests, next_request > now() + interval '4 seconds' FROM device")
    #expect(row == [["1", "t"]], "a record has arrived, and more may follow")
  }

  /// A device was away for long with missing records, and comes back with more of them.
  @Test(arguments: [true, false]) func aNewGapDoesNotWaitForAnEarlierOne(_ isTail: Bool) throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let connection = try PostgresConnection(url)
    try store.save([try Records.record("lab", 3)], at: now)
    try connection.perform("UPDATE device SET requests = 6, next_request = now() + interval '300 seconds'")
    try store.save([try Records.record("lab", 4)], at: now)
    try store.save(health: ["lab": Array(#"{"journal":{"sequence":4}}"#.utf8)])
    let query = "SELECT next_request < now() + interval '4 seconds' FROM device"
    #expect(try connection.perform(query) == [["f"]], "nothing new is missing")
    if isTail {
      try store.save(health: ["lab": Array(#"{"journal":{"sequence":6}}"#.utf8)])
    } else {
      try store.save([try Records.record("lab", 6)], at: now)
    }
    #expect(try connection.perform(query) == [["t"]])
  }

  /// For example of records that PostgreSQL rejects.
  @Test func holesThatAreNeverFilledDoNotHoldUpOthers() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let connection = try PostgresConnection(url)
    try store.save(try (1...10).map { try Records.record("lab", 2 * $0) }, at: now)
    func ask() throws -> [Int] {
      try connection.perform("UPDATE device SET next_request = now()")
      return try store.dueRequests(limit: 100).map(\.range.lowerBound)
    }
    #expect(try ask() == [1, 3, 5, 7, 9, 11, 13, 15])
    #expect(try ask() == [17, 19, 1, 3, 5, 7, 9, 11])
    // The last ones are filled, which starts the wait again.
    try store.save([try Records.record("lab", 17), try Records.record("lab", 19)], at: now)
    #expect(try ask() == [13, 15, 1, 3, 5, 7, 9, 11])
  }

  /// What a device has answered also means that it is there.
  @Test(arguments: [true, false]) func aBatchThatFillsAHoleEndsTheBackOff(_ opensAnother: Bool) throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let connection = try PostgresConnection(url)
    try store.save([try Records.record("lab", 4)], at: now)
    try connection.perform("UPDATE device SET requests = 6, next_request = now() + interval '300 seconds'")
    try store.save([try Records.record("lab", 1), try Records.record("lab", opensAnother ? 9 : 5)], at: now)
    let row = try connection.perform("SELECT requests, extract(epoch FROM next_request - now()) FROM device")[0]
    let wait = try #require(row[1].flatMap { Double($0) })
    #expect(row[0] == (opensAnother ? "0" : "1") && wait < (opensAnother ? 3 : 5) && wait > 0, "\(row)")
  }

  /// Records may arrive one by one for minutes.
  @Test func aHoleThatIsBeingFilledDoesNotDelayOthers() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let connection = try PostgresConnection(url)
    func isAsked(within seconds: Int) throws -> Bool {
      try connection.perform("SELECT next_request <= now() + interval '\(seconds) seconds' FROM device") == [["t"]]
    }
    func ask() throws -> [ClosedRange<Int>] {
      try connection.perform("UPDATE device SET next_request = now()")
      return try store.dueRequests(limit: 100).map(\.range)
    }
    try store.save([try Records.record("lab", 1), try Records.record("lab", 100)], at: now)
    try store.save([try Records.record("lab", 2)], at: now)
    #expect(try isAsked(within: 1), "it was not asked for yet")
    #expect(try ask() == [3...99])
    try store.save([try Records.record("lab", 3)], at: now)
    #expect(try !isAsked(within: 4), "the others follow")
    try store.save([try Records.record("lab", 150)], at: now)
    try store.save([try Records.record("lab", 4)], at: now)
    try store.save(health: ["lab": Array(#"{"journal":{"sequence":152}}"#.utf8)])
    try store.save([try Records.record("lab", 5)], at: now)
    #expect(try isAsked(within: 3))
    #expect(try ask() == [101...149, 151...152], "not what is being filled")
    #expect(try ask() == [6...99, 101...149, 151...152])
  }
}
