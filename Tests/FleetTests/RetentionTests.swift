import Linux
import Messages
import Testing
import Weighing

@testable import Fleet

/// Weighings that are dropped after some time, in a real PostgreSQL.
@Suite struct RetentionTests {
  /// By the clock of this machine, which is also that of the server.
  private let now = Instant.wallClock()
  private var present: Int { Int(now.nanoseconds / 1_000_000) }
  /// The middle of January and of March 2024.
  private let january = 1_705_320_000_000
  private let march = 1_710_504_000_000

  private func record(_ sequence: Int, _ milliseconds: Int) throws -> CollectedRecord {
    try CollectedRecord(device: "lab", payload: Records.payload(sequence, milliseconds: milliseconds))
  }

  /// Makes all records as old as their dates.
  private func age(_ url: String) throws {
    try PostgresConnection(url).perform("UPDATE weighing SET received = time")
  }

  /// The names of the partitions of this month and the next one.
  private func presentPartitions() throws -> [[String?]] {
    let month = try #require(Partition.Month(of: present))
    return [month, month.next].map { ["weighing_" + $0.start.prefix(7).replacing("-", with: "_")] }
  }

  private let partitions = """
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'weighing'::regclass ORDER BY 1
    """

  @Test func monthsThatHaveExpiredAreDropped() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save(
      [try record(1, january), try record(2, january), try record(4, march), try record(5, present)], at: now)
    try age(url)
    #expect(try store.dropExpired(at: now) == .dropped([]), "without a limit everything is kept")
    // The days since the end of January 2024, of which the month is not to be dropped yet.
    let connection = try PostgresConnection(url)
    let days = try connection.perform("SELECT (now() AT TIME ZONE 'UTC')::date - '2024-02-01'::date")[0][0]
    let age = try #require(days.flatMap { Int($0) })
    try store.keep(days: age + 1)
    #expect(try store.dropExpired(at: now) == .dropped([]))
    try store.keep(days: age)
    #expect(try store.dropExpired(at: now) == .dropped(["weighing_2024_01"]))
    #expect(try connection.perform("SELECT sequence FROM weighing ORDER BY 1") == [["4"], ["5"]])
    #expect(
      try connection.perform(partitions)
        == [["weighing_2024_03"]] + presentPartitions() + [["weighing_other"]])
    #expect(try connection.perform("SELECT to_regclass('dropped_weighing_2024_01')") == [[nil]])
    try store.keep(days: 0)
    #expect(try store.dropExpired(at: now) == .dropped([]))
    #expect(try connection.perform("SELECT count(*) FROM retention") == [["0"]])
  }

  @Test func whatWasDroppedIsNotMissing() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save([try record(1, january), try record(3, march), try record(4, present)], at: now)
    try age(url)
    let connection = try PostgresConnection(url)
    let query = "SELECT highest_sequence, known_sequence, missing_ranges, lost_ranges, weighings FROM device"
    let before = try connection.perform(query)
    #expect(before == [["4", "4", "{[2,3)}", "{}", "3"]])
    try store.keep(days: 30)
    #expect(try store.dropExpired(at: now) == .dropped(["weighing_2024_01", "weighing_2024_03"]))
    #expect(try connection.perform(query) == before)
    try connection.perform("UPDATE device SET next_request = now()")
    #expect(try store.dueRequests(limit: 100).map(\.range) == [2...2], "what was never stored is still asked for")
    // It arrives late, into a partition of its own, which is dropped when it has been there for as long.
    try store.save([try record(2, january)], at: now)
    #expect(try connection.perform("SELECT count(*) FROM weighing_2024_01") == [["1"]])
    #expect(try store.dropExpired(at: now) == .dropped([]))
    try age(url)
    #expect(try store.dropExpired(at: now) == .dropped(["weighing_2024_01"]))
    #expect(try connection.perform(query) == [["4", "4", "{}", "{}", "4"]])
  }

  @Test func whatWasDetachedWhenACollectorWasKilledIsDropped() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save([try record(1, january)], at: now)
    try age(url)
    try store.keep(days: 30)
    let connection = try PostgresConnection(url)
    #expect(try connection.perform("SELECT detach_expired_partition()") == [["weighing_2024_01"]])
    // Another collector, which does not know, stores one of that month.
    var other = try FleetStore(url)
    try other.save([try record(2, january)], at: now)
    try age(url)
    #expect(try store.dropExpired(at: now) == .dropped(["weighing_2024_01"]))
    #expect(try connection.perform(partitions) == presentPartitions() + [["weighing_other"]])
    #expect(
      try connection.perform("SELECT count(*) FROM pg_class WHERE relname LIKE 'dropped%' AND relkind = 'r'")
        == [["0"]])
  }

  /// A program that reads for a long time delays what is dropped, not what is stored.
  @Test func writersDoNotWaitForReaders() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save([try record(1, january)], at: now)
    try age(url)
    try store.keep(days: 30)
    let reader = try PostgresConnection(url)
    try reader.perform("BEGIN; SELECT count(*) FROM weighing")
    let start = ContinuousClock.now
    do throws(PostgresError) {
      _ = try store.dropExpired(at: now)
      Issue.record("it was dropped under a reader")
    } catch {
      #expect(error.isTimeout, "\(error)")
    }
    #expect(ContinuousClock.now - start < .seconds(9))
    // Its month has no partition, and cannot get one.
    try store.save([try record(2, present)], at: now)
    #expect(try reader.perform("SELECT sequence FROM weighing_other") == [["2"]])
    try reader.perform("COMMIT")
    #expect(try store.dropExpired(at: now) == .dropped(["weighing_2024_01"]))
    // This one waits before it tries again; another collector does not.
    var other = try FleetStore(url)
    try other.save([try record(3, present)], at: now)
    let month = try #require(try presentPartitions()[0][0])
    #expect(try reader.perform("SELECT sequence FROM \(month) ORDER BY 1") == [["2"], ["3"]])
  }

  /// With 30 million records, a scan takes longer than a request may. No statistics are needed for that.
  @Test(arguments: [true, false]) func aPartitionIsNotScanned(_ isRecent: Bool) throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save([try record(1, january), try record(2, january)], at: now)
    if !isRecent { try age(url) }
    try store.keep(days: 30)
    let connection = try PostgresConnection(url)
    let table = try #require(try connection.perform("SELECT 'weighing_2024_01'::regclass::oid")[0][0])
    try connection.perform("BEGIN")
    let detached = try connection.perform("SELECT detach_expired_partition()")
    #expect(detached == [[isRecent ? nil : "weighing_2024_01"]])
    #expect(try connection.perform("SELECT pg_stat_get_xact_numscans(\(table))") == [["0"]])
    try connection.perform("ROLLBACK")
  }

  /// The clock of a server that jumps to 2040 would drop everything.
  @Test(arguments: [2.0, -2.0]) func nothingIsDroppedWhileTheClocksDiffer(_ days: Double) throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save([try record(1, january)], at: now)
    try age(url)
    try store.keep(days: 30)
    #expect(try store.dropExpired(at: now + .seconds(days * 86_400)) == .clocksDiffer)
    #expect(try PostgresConnection(url).perform("SELECT sequence FROM weighing") == [["1"]])
    #expect(try store.dropExpired(at: now) == .dropped(["weighing_2024_01"]))
  }

  @Test func recordsOfAWrongClockAreDroppedByWhenTheyArrived() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save([try record(1, 1000), try record(2, 2000)], at: now)
    try store.keep(days: 30)
    let connection = try PostgresConnection(url)
    try connection.perform("UPDATE weighing_other SET received = now() - interval '31 days' WHERE sequence = 1")
    #expect(try store.dropExpired(at: now) == .dropped([]))
    #expect(try connection.perform("SELECT sequence FROM weighing") == [["2"]])
  }

  /// New partitions get the index of arrivals as well.
  @Test func everyPartitionHasAnIndexOfArrivals() throws {
    let url = try Postgres.database()
    _ = try FleetStore(url)
    let connection = try PostgresConnection(url)
    try connection.perform("SELECT create_partition('2024-02-01')")
    let rows = try connection.perform(
      "SELECT tablename FROM pg_indexes WHERE indexdef LIKE '%USING brin (received)%' ORDER BY 1")
    #expect(rows == [["weighing"], ["weighing_2024_02"], ["weighing_other"]])
  }
}
