import Messages
import Testing
import Weighing

@testable import Fleet

/// Weighings that are dropped after some time, in a real PostgreSQL.
@Suite struct RetentionTests {
  /// 2026-11-18.
  private let now = Instant(nanoseconds: 1_795_000_000_000_000_000)
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

  private let partitions = """
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'weighing'::regclass ORDER BY 1
    """

  @Test func monthsThatHaveExpiredAreDropped() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save(
      [try record(1, january), try record(2, january), try record(4, march), try record(5, 1_795_000_000_000)], at: now)
    try age(url)
    #expect(try store.dropExpired(at: now).isEmpty, "without a limit everything is kept")
    // The days since the end of January 2024, of which the month is not to be dropped yet.
    let connection = try PostgresConnection(url)
    let days = try connection.perform("SELECT (now() AT TIME ZONE 'UTC')::date - '2024-02-01'::date")[0][0]
    let age = try #require(days.flatMap { Int($0) })
    try store.keep(days: age + 1)
    #expect(try store.dropExpired(at: now).isEmpty)
    try store.keep(days: age)
    #expect(try store.dropExpired(at: now) == ["weighing_2024_01"])
    #expect(try connection.perform("SELECT sequence FROM weighing ORDER BY 1") == [["4"], ["5"]])
    #expect(
      try connection.perform(partitions) == [
        ["weighing_2024_03"], ["weighing_2026_11"], ["weighing_2026_12"], ["weighing_other"],
      ])
    #expect(try connection.perform("SELECT to_regclass('dropped_weighing_2024_01')") == [[nil]])
    try store.keep(days: 0)
    #expect(try store.dropExpired(at: now).isEmpty)
    #expect(try connection.perform("SELECT count(*) FROM retention") == [["0"]])
  }

  @Test func whatWasDroppedIsNotMissing() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save([try record(1, january), try record(3, march), try record(4, 1_795_000_000_000)], at: now)
    try age(url)
    let connection = try PostgresConnection(url)
    let query = "SELECT highest_sequence, known_sequence, missing_ranges, lost_ranges, weighings FROM device"
    let before = try connection.perform(query)
    #expect(before == [["4", "4", "{[2,3)}", "{}", "3"]])
    try store.keep(days: 30)
    #expect(try store.dropExpired(at: now) == ["weighing_2024_01", "weighing_2024_03"])
    #expect(try connection.perform(query) == before)
    try connection.perform("UPDATE device SET next_request = now()")
    #expect(try store.dueRequests(limit: 100).map(\.range) == [2...2], "what was never stored is still asked for")
    // It arrives late, into a partition of its own, which is dropped when it has been there for as long.
    try store.save([try record(2, january)], at: now)
    #expect(try connection.perform("SELECT count(*) FROM weighing_2024_01") == [["1"]])
    #expect(try store.dropExpired(at: now).isEmpty)
    try age(url)
    #expect(try store.dropExpired(at: now) == ["weighing_2024_01"])
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
    #expect(try store.dropExpired(at: now) == ["weighing_2024_01"])
    #expect(try connection.perform(partitions) == [["weighing_2026_11"], ["weighing_2026_12"], ["weighing_other"]])
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
      #expect(error.isLockTimeout, "\(error)")
    }
    #expect(ContinuousClock.now - start < .seconds(5))
    // Its month has no partition, and cannot get one.
    try store.save([try record(2, 1_795_000_000_000)], at: now)
    #expect(try reader.perform("SELECT sequence FROM weighing_other") == [["2"]])
    try reader.perform("COMMIT")
    #expect(try store.dropExpired(at: now) == ["weighing_2024_01"])
    try store.save([try record(3, 1_795_000_000_000)], at: Instant(nanoseconds: now.nanoseconds + 61_000_000_000))
    #expect(try reader.perform("SELECT sequence FROM weighing_2026_11 ORDER BY 1") == [["2"], ["3"]])
  }

  @Test func recordsOfAWrongClockAreDroppedByWhenTheyArrived() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save([try record(1, 1000), try record(2, 2000)], at: now)
    try store.keep(days: 30)
    let connection = try PostgresConnection(url)
    try connection.perform("UPDATE weighing_other SET received = now() - interval '31 days' WHERE sequence = 1")
    #expect(try store.dropExpired(at: now).isEmpty)
    #expect(try connection.perform("SELECT sequence FROM weighing") == [["2"]])
  }

  @Test func aDatabaseOfTheFirstVersionIsMigrated() throws {
    let url = try Postgres.database()
    let connection = try PostgresConnection(url)
    try connection.perform("CREATE TABLE schema_version (version int NOT NULL)")
    try connection.perform(Schema.version1)
    try connection.perform(
      """
      INSERT INTO schema_version VALUES (1);
      INSERT INTO device (id) VALUES ('lab'), ('attic');
      INSERT INTO weighing (id, device, sequence, time, kind) VALUES
        (first_id('2026-11-01'), 'lab', 1, now(), 'weighing'), (first_id('2026-11-02'), 'lab', 2, now(), 'void');
      """)
    _ = try FleetStore(url)
    let versions = try connection.perform("SELECT version FROM schema_version ORDER BY 1")
    #expect(versions == (1...Schema.versions.count).map { ["\($0)"] })
    #expect(
      try connection.perform("SELECT id, weighings FROM device ORDER BY id") == [["attic", "0"], ["lab", "1"]])
  }
}
