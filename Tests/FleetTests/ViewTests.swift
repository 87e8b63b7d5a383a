import Messages
import Testing
import Weighing

@testable import Fleet

/// The views for reports, in a real PostgreSQL.
@Suite struct ViewTests {
  private let now = Instant(nanoseconds: 1_795_000_000_000_000_000)

  @Test func aDayIsOneOfTheTimeZone() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    // 2026-11-18 23:30 UTC, and half an hour earlier.
    let (late, early) = (1_795_044_600_000, 1_795_042_800_000)
    for payload in [
      Records.payload(1, net: "10.50", label: "beans", milliseconds: early),
      Records.payload(2, net: "4.25", label: "beans", milliseconds: late),
      Records.payload(3, net: "100", label: "rye", milliseconds: late),
      Records.payload(4, net: "7", milliseconds: late),
      Records.payload(5, net: "9", milliseconds: late),
      Records.payload(6, kind: "void", net: "-9", voids: Records.id(5, milliseconds: late), milliseconds: late),
      Records.payload(
        7, kind: "relabel", net: "0", label: "beans", amends: Records.id(3, milliseconds: late), milliseconds: late),
      Records.payload(
        8, kind: "relabel", net: "0", label: "oats", amends: Records.id(3, milliseconds: late), milliseconds: late),
    ] {
      try store.save([try CollectedRecord(device: "kitchen", payload: payload)], at: now)
    }
    let query = "SELECT day, label, weighings, net_g, time_zone FROM daily_total ORDER BY day, label"
    let connection = try PostgresConnection(url)
    try connection.perform("SET timezone = 'UTC'")
    #expect(
      try connection.perform(query) == [
        ["2026-11-18", "beans", "2", "14.75", "UTC"], ["2026-11-18", "oats", "1", "100", "UTC"],
        ["2026-11-18", nil, "1", "7", "UTC"],
      ])
    // There it is half past midnight.
    try connection.perform("SET timezone = 'Europe/Berlin'")
    #expect(
      try connection.perform(query) == [
        ["2026-11-19", "beans", "2", "14.75", "Europe/Berlin"], ["2026-11-19", "oats", "1", "100", "Europe/Berlin"],
        ["2026-11-19", nil, "1", "7", "Europe/Berlin"],
      ])
    try connection.perform("SET timezone = 'Atlantic/Azores'")
    #expect(try connection.perform(query).map { $0[0] } == ["2026-11-18", "2026-11-18", "2026-11-18"])
  }

  @Test func aPayloadDoesNotBreakTheStatusOfAllDevices() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save(health: [
      "a": Array(#"{"calibration_time":"2026-02-31T00:00:00Z"}"#.utf8), "b": Array(#"{"calibration_time":[]}"#.utf8),
      "c": Array(#"{"calibration_time":"2026-03-01T12:00:00.000Z"}"#.utf8), "d": Array("{}".utf8),
    ])
    let connection = try PostgresConnection(url)
    try connection.perform("SET timezone = 'UTC'")
    #expect(
      try connection.perform("SELECT id, calibrated FROM device_status ORDER BY id")
        == [["a", nil], ["b", nil], ["c", "2026-03-01 12:00:00+00"], ["d", nil]])
  }

  /// The calibration of a simulated pad is not that of a user.
  @Test func aSimulatedScaleSaysWhatItIs() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let health = #"{"calibration":"user","pad":{"state":"present","name":"pad","path":"#
    try store.save(health: [
      "demo": Array((health + #""simulated"}}"#).utf8), "kitchen": Array((health + #""/dev/input/grampad"}}"#).utf8),
      "odd": Array(#"{"calibration":"nominal","pad":"simulated"}"#.utf8), "old": Array("{}".utf8),
    ])
    let rows = try PostgresConnection(url).perform("SELECT id, calibration FROM device_status ORDER BY id")
    #expect(rows == [["demo", "simulated"], ["kitchen", "user"], ["odd", "nominal"], ["old", nil]])
  }

  @Test func conflictsAreCountedByNumber() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save([try Records.record("lab", 1), try Records.record("attic", 1)], at: now)
    let saved = try store.save(
      [try Records.record("lab", 1), try Records.record("lab", 1, salt: 5), try Records.record("lab", 2)], at: now)
    #expect(saved == FleetStore.Saved(stored: 2, duplicates: 1, conflicts: 1))
    let rows = try PostgresConnection(url).perform("SELECT id, weighings, conflicts FROM device_status ORDER BY id")
    #expect(rows == [["attic", "1", "0"], ["lab", "3", "1"]])
  }
}
