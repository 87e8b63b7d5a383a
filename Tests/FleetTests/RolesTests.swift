import Foundation
import Linux
import Messages
import Testing
import Weighing

@testable import Fleet

/// What the roles of `deploy/fleet/roles.sql` may do, in a real PostgreSQL.
@Suite(.serialized) struct RolesTests {
  private let now = Instant(nanoseconds: 1_795_000_000_000_000_000)
  private let postgres: Postgres
  private let database = "fleet"

  init() throws {
    postgres = try Postgres()
    try PostgresConnection(postgres.url("postgres")).perform("CREATE DATABASE \(database)")
    // A second run changes nothing.
    for _ in 0..<2 { try postgres.perform(file: "deploy/fleet/roles.sql", in: database) }
  }

  private func url(_ role: String) -> String { postgres.url(database, role: "grampad_\(role)") }

  /// Expects that a statement is refused for lack of rights.
  private func expectDenied(
    _ sql: String, _ connection: borrowing PostgresConnection, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do throws(PostgresError) {
      try connection.perform(sql)
      Issue.record("allowed: \(sql)", sourceLocation: sourceLocation)
    } catch {
      #expect(error.isDenied, "\(sql): \(error)", sourceLocation: sourceLocation)
    }
  }

  @Test func aCollectorStoresAndCannotChange() throws {
    #expect(throws: FleetError.mayNotCreate) {
      _ = try FleetStore(url("collector"))
    }
    try Collector.migrate(database: url("owner"), keepDays: 900)
    var store = try FleetStore(url("collector"))
    let old = Records.payload(1, milliseconds: 1_705_320_000_000)
    try store.save(
      [try CollectedRecord(device: "lab", payload: old), try Records.record("lab", 4), try Records.record("lab", 5)],
      at: now)
    try store.save([try Records.record("lab", 5, salt: 7)], at: now)
    try store.save(health: ["lab": Array(#"{"journal":{"sequence":6}}"#.utf8)])
    try store.save(ResendReport(missing: [2...2], last: 6), of: "lab")
    let connection = try PostgresConnection(url("collector"))
    try connection.perform("UPDATE device SET next_request = now()")
    #expect(try store.dueRequests(limit: 100).map(\.range) == [3...3, 6...6])
    // It drops what the owner says has expired, and that is not its decision.
    try PostgresConnection(url("owner")).perform("UPDATE weighing SET received = time")
    #expect(try store.dropExpired(at: .wallClock()) == .dropped(["weighing_2024_01"]))
    try store.keep(days: 900)
    #expect(throws: FleetError.mayNotSetRetention) { try store.keep(days: 1) }
    #expect(
      try connection.perform("SELECT weighings, highest_sequence, missing, lost, conflicts FROM device_status")
        == [["4", "5", "2", "1", "1"]])
    for sql in [
      "DELETE FROM weighing", "DELETE FROM weighing_2026_11", "DELETE FROM weighing_other", "TRUNCATE weighing",
      "UPDATE weighing SET net_g = 0", "UPDATE weighing_2026_11 SET net_g = 0", "DROP TABLE weighing_2026_11",
      "ALTER TABLE weighing DETACH PARTITION weighing_2026_11", "INSERT INTO weighing_2026_11 SELECT * FROM weighing",
      "INSERT INTO weighing (id, device, sequence, time, kind) SELECT id, '', 1, time, '' FROM weighing"
        + " ON CONFLICT (id, device) DO UPDATE SET net_g = 0",
      "DELETE FROM device", "DELETE FROM conflict", "UPDATE conflict SET sequence = 1", "DELETE FROM sequence_conflict",
      "UPDATE sequence_conflict SET sequence = 1",
      "UPDATE retention SET keep_days = 1", "INSERT INTO retention VALUES (1)", "DELETE FROM retention",
      "UPDATE schema_version SET version = 1", "CREATE TABLE mine (a int)", "CREATE TEMPORARY TABLE mine (a int)",
      "ALTER FUNCTION drop_expired() RESET search_path", "SET ROLE grampad_owner",
      "CREATE OR REPLACE FUNCTION range_count(int8multirange) RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint'",
    ] { expectDenied(sql, connection) }
  }

  @Test func aReaderReadsTheViewsOnly() throws {
    try Collector.migrate(database: url("owner"), keepDays: nil)
    var store = try FleetStore(url("collector"))
    try store.save([try Records.record("lab", 1)], at: now)
    let reader = try PostgresConnection(url("reader"))
    for view in ["effective_weighing", "daily_total", "device_status", "schema_version"] {
      #expect(try reader.perform("SELECT count(*) > 0 FROM \(view)") == [["t"]], "\(view)")
    }
    for table in ["sequence_conflict", "conflict"] {
      #expect(try reader.perform("SELECT count(*) FROM \(table)") == [["0"]])
    }
    let tables = try PostgresConnection(url("owner")).perform(
      "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace")
    #expect(tables.count == 8, "\(tables)")
    for case let table? in tables.map({ $0[0] }) {
      for sql in [
        "INSERT INTO \(table) DEFAULT VALUES", "DELETE FROM \(table)", "TRUNCATE \(table)", "DROP TABLE \(table)",
      ] {
        expectDenied(sql, reader)
      }
      guard !["schema_version", "sequence_conflict", "conflict"].contains(table) else { continue }
      expectDenied("SELECT count(*) FROM \(table)", reader)
    }
    for sql in [
      "UPDATE device SET last_seen = NULL", "UPDATE weighing SET net_g = 0", "SELECT create_partition('2030-01-01')",
      "SELECT detach_expired_partition()", "SELECT drop_expired()", "CREATE TABLE mine (a int)",
      "SET ROLE grampad_collector",
    ] { expectDenied(sql, reader) }
  }

  @Test func theCommandSaysWhoMustMigrate() throws {
    let folder = try Folder()
    func collect(_ role: String, _ arguments: String...) throws -> (status: Int32, output: String) {
      let output = "\(folder.path)/\(UUID().uuidString)"
      let status = try Child.run(
        "\(Child.products)/grampad",
        ["collect", "--database", url(role), "--broker", "mqtt://127.0.0.1:1"] + arguments, output: output)
      return (status, try String(contentsOfFile: output, encoding: .utf8))
    }
    let refused = try collect("collector")
    #expect(
      refused.status == 77 && refused.output.contains("run `grampad collect --migrate` as their owner"), "\(refused)")
    #expect(try collect("owner", "--migrate", "--keep", "400") == (0, ""))
    let keep = try collect("collector", "--keep", "3")
    #expect(keep.status == 77 && keep.output.contains("may not change how long"), "\(keep)")
    let migrate = try collect("collector", "--migrate")
    #expect(migrate.status == 77 && migrate.output.contains("as the owner of the tables"), "\(migrate)")
    try PostgresConnection(url("owner")).perform("REVOKE ALL ON schema_version FROM grampad_reader")
    let reader = try collect("reader")
    #expect(reader.status == 77 && reader.output.contains("permission denied for table schema_version"), "\(reader)")
  }
}
