import Foundation
import Messages
import Testing
import Weighing

@testable import Fleet

/// The queries of `deploy/fleet/grafana-dashboard.json` in a real PostgreSQL, as the role that Grafana should have.
@Suite struct DashboardQueryTests {
  /// A panel with its query.
  private struct Panel {
    let title: String
    let query: String
  }

  private let board: JSONValue

  init() throws {
    let file = try #require(FileManager.default.contents(atPath: Postgres.path("deploy/fleet/grafana-dashboard.json")))
    board = try JSONValue(Array(file), maximumBytes: 1 << 20)
  }

  private func items(_ value: JSONValue?) -> [JSONValue] { if case .array(let items)? = value { items } else { [] } }

  private func panels() throws -> [Panel] {
    try items(board["panels"]).map { panel in
      let targets = items(panel["targets"])
      try #require(targets.count == 1)
      return Panel(title: panel["title"]?.text ?? "", query: try #require(targets[0]["rawSql"]?.text))
    }
  }

  /// The macros and variables as Grafana replaces them.
  ///
  /// - Parameter device: A selection of devices: the names in quotes, or what stands for all.
  private func expanded(_ query: String, from: String, to: String, device: String) -> String {
    query.replacing("$__timeFrom()", with: "'\(from)'").replacing("$__timeTo()", with: "'\(to)'")
      .replacing("$__timeGroupAlias(time, $__interval)", with: "floor(extract(epoch from time)/3600)*3600 AS \"time\"")
      .replacing("$device", with: device)
  }

  @Test func everyQueryGivesWhatThePanelShows() throws {
    let postgres = try Postgres()
    try PostgresConnection(postgres.url("postgres")).perform("CREATE DATABASE fleet")
    try postgres.perform(file: "deploy/fleet/roles.sql", in: "fleet")
    try Collector.migrate(database: postgres.url("fleet", role: "grampad_owner"), keepDays: nil)
    var store = try FleetStore(postgres.url("fleet", role: "grampad_collector"))
    let now = Instant(nanoseconds: 1_795_000_000_000_000_000)
    // 2026-11-18 11:06:40 UTC, and an hour later.
    let (first, second) = (1_795_000_000_000, 1_795_003_600_000)
    for (device, payload) in [
      ("kitchen", Records.payload(1, id: Records.id(1, salt: 1), net: "10.5", label: "beans")),
      ("kitchen", Records.payload(2, id: Records.id(2, salt: 1, milliseconds: second), net: "2", milliseconds: second)),
      ("kitchen", Records.payload(3, id: Records.id(3, salt: 1), net: "99")),
      (
        "kitchen",
        Records.payload(4, id: Records.id(4, salt: 1), kind: "void", net: "-99", voids: Records.id(3, salt: 1))
      ),
      ("attic", Records.payload(1, id: Records.id(1, salt: 2), net: "7", milliseconds: first)),
      (
        "attic",
        Records.payload(
          5, id: Records.id(5, salt: 2, milliseconds: 1_705_320_000_000), net: "500", milliseconds: 1_705_320_000_000)
      ),
    ] {
      try store.save([try CollectedRecord(device: device, payload: payload)], at: now)
    }
    try PostgresConnection(postgres.url("fleet")).perform(
      "UPDATE device SET last_seen = now() - interval '1 hour' WHERE id = 'attic'")
    let connection = try PostgresConnection(postgres.url("fleet", role: "grampad_reader"))
    try connection.perform("SET timezone = 'UTC'")
    let list = try #require(items(board["templating"]?["list"]).first { $0["name"]?.text == "device" })
    let all = try #require(list["allValue"]?.text)
    #expect(try connection.perform(try #require(list["query"]?.text)) == [["attic"], ["kitchen"]])
    var results: [String: [[String?]]] = [:]
    for panel in try panels() {
      #expect(results[panel.title] == nil, "two panels have one title")
      for device in [all, "'attic','kitchen'"] {
        let query = expanded(
          panel.query, from: "2026-11-18T00:00:00Z", to: "2026-11-19T00:00:00Z", device: device)
        #expect(!query.contains("$"), "\(query)")
        results[panel.title] = try connection.perform(query)
      }
      // Without any data.
      _ = try connection.perform(
        expanded(panel.query, from: "2020-01-01T00:00:00Z", to: "2020-01-02T00:00:00Z", device: "'none'"))
    }
    #expect(results.count == 10)
    #expect(results["Scales"] == [["2"]])
    #expect(results["State"]?.map { $0[0] } == ["attic", "kitchen"])
    #expect(results["Weighings"] == [["3"]])
    #expect(results["Weighings over time"]?.map { $0[1] } == ["2", "1"])
    #expect(results["Not seen for 10 minutes"] == [["1"]])
    #expect(results["Missing records"] == [["3"]])
    #expect(results["Lost records"] == [["0"]])
    #expect(results["Conflicting journals"] == [["0"]])
    #expect(
      results["Totals by day and label"] == [["2026-11-18", "beans", "1", "10.5"], ["2026-11-18", nil, "2", "9"]])
    #expect(results["Last weighings"]?.map { $0[2] } == ["2", "7", "10.5"])
  }

  /// The partitions that a query of a range reads.
  @Test func aRangeReadsItsPartitionsOnly() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let now = Instant(nanoseconds: 1_795_000_000_000_000_000)
    for (sequence, milliseconds) in [(1, 1_705_320_000_000), (2, 1_710_504_000_000), (3, 1_795_000_000_000)] {
      try store.save(
        [try CollectedRecord(device: "lab", payload: Records.payload(sequence, milliseconds: milliseconds))], at: now)
    }
    let connection = try PostgresConnection(url)
    let query = try #require(try panels().first { $0.title == "Last weighings" }).query
    let plan = try connection.perform(
      "EXPLAIN " + expanded(query, from: "2026-11-18T00:00:00Z", to: "2026-11-19T00:00:00Z", device: "'lab'"))
    let lines = plan.compactMap { $0[0] }
    let scans = lines.filter { $0.contains(" on weighing_2026_11 w") || $0.contains(" on weighing_2024_01 w") }
    #expect(
      scans.contains { $0.contains("weighing_2026_11 w") } && !scans.contains { $0.contains("weighing_2024_01 w") },
      "\(lines)")
  }
}
