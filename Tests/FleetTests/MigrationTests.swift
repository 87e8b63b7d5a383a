import Testing
import Weighing

@testable import Fleet

/// A database of an earlier version, with data, is migrated.
@Suite struct MigrationTests {
  @Test(arguments: [2, 3]) func theStateOfDevicesStays(_ version: Int) throws {
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
