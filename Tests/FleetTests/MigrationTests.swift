import Testing
import Weighing

@testable import Fleet

/// A database of an earlier version, with data, is migrated.
@Suite struct MigrationTests {
  @Test(arguments: [2, 3, 4]) func theStateOfDevicesStays(_ version: Int) throws {
    let url = try Postgres.database()
    let connection = try PostgresConnection(url)
    try connection.perform("CREATE TABLE schema_version (version int NOT NULL)")
    for (index, statements) in Schema.versions.prefix(version).enumerated() {
      try connection.perform(statements)
      try connection.perform("INSERT INTO schema_version VALUES (\(index + 1))")
    }
    try connection.perform(
      """
      INSERT INTO device (id, highest_sequence, known_sequence, missing_ranges, lost_ranges, weighings, health) VALUES
        ('kitchen', 9, 9, '{[2,4),[6,7)}', '{[1,2)}', 5, '{"calibration_time": "2026-11-01T10:00:00Z"}'),
        ('lab', 0, 0, '{}', '{}', 0, NULL);
      CREATE VIEW mine AS SELECT id, calibrated FROM device_status;
      """)
    var store = try FleetStore(url)
    let state = "SELECT missing, lost, weighings, health->>'calibration_time' FROM device WHERE id = 'kitchen'"
    #expect(try connection.perform(state) == [["3", "1", "5", "2026-11-01T10:00:00Z"]])
    let view = "SELECT calibrated AT TIME ZONE 'UTC' FROM mine WHERE id = 'kitchen'"
    #expect(try connection.perform(view) == [["2026-11-01 10:00:00"]])
    let now = Instant(nanoseconds: 1_795_000_000_000_000_000)
    try store.save([try Records.record("kitchen", 3), try Records.record("lab", 1)], at: now)
    try store.save(health: ["kitchen": Array(#"{"calibration_time":"2026-11-02T10:00:00Z"}"#.utf8)])
    #expect(try connection.perform(state) == [["2", "1", "6", "2026-11-02T10:00:00Z"]])
    #expect(try connection.perform(view) == [["2026-11-02 10:00:00"]])
  }

  /// A record of another device with an identifier that is stored is stored as well, also in partitions that were there.
  @Test func theKeyGetsTheDevice() throws {
    let url = try Postgres.database()
    let connection = try PostgresConnection(url)
    try connection.perform("CREATE TABLE schema_version (version int NOT NULL)")
    for (index, statements) in Schema.versions.prefix(4).enumerated() {
      try connection.perform(statements)
      try connection.perform("INSERT INTO schema_version VALUES (\(index + 1))")
    }
    let id = Records.id(1)
    try connection.perform(
      """
      SELECT create_partition('2026-11-01');
      INSERT INTO weighing (id, device, sequence, time, kind) VALUES ('\(id)', 'kitchen', 1, now(), 'weighing');
      INSERT INTO device (id, highest_sequence, known_sequence) VALUES ('kitchen', 1, 1);
      """)
    var store = try FleetStore(url)
    let record = try CollectedRecord(device: "copy", payload: Records.payload(1, id: id))
    let saved = try store.save([record], at: Instant(nanoseconds: 1_795_000_000_000_000_000))
    #expect(saved == FleetStore.Saved(stored: 1, idConflicts: 1))
    #expect(
      try connection.perform("SELECT device FROM weighing_2026_11 WHERE id = '\(id)' ORDER BY 1") == [
        ["copy"], ["kitchen"],
      ])
  }

  /// Those that exist get the index, and new ones as well.
  @Test func everyPartitionHasAnIndexOfArrivals() throws {
    let url = try Postgres.database()
    let connection = try PostgresConnection(url)
    try connection.perform("CREATE TABLE schema_version (version int NOT NULL)")
    for (index, statements) in Schema.versions.prefix(3).enumerated() {
      try connection.perform(statements)
      try connection.perform("INSERT INTO schema_version VALUES (\(index + 1))")
    }
    try connection.perform("SELECT create_partition('2024-01-01')")
    _ = try FleetStore(url)
    try connection.perform("SELECT create_partition('2024-02-01')")
    let rows = try connection.perform(
      "SELECT tablename FROM pg_indexes WHERE indexdef LIKE '%USING brin (received)%' ORDER BY 1")
    #expect(rows == [["weighing"], ["weighing_2024_01"], ["weighing_2024_02"], ["weighing_other"]])
  }
}
