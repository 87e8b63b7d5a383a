import Messages
import Testing
import Weighing

@testable import Fleet

/// The metrics of a collector.
@Suite struct CollectorMetricsTests {
  @Test func everyMetricIsDescribedOnce() throws {
    let metrics = CollectorMetrics()
    metrics.connect(.database)
    metrics.disconnect(.broker, "broker.example: refused")
    metrics.countBatch(
      FleetStore.Saved(stored: 7, duplicates: 2, conflicts: 1, idConflicts: 3), took: .milliseconds(250))
    metrics.countBatch(FleetStore.Saved(stored: 1), took: .milliseconds(500))
    metrics.set(CollectorMetrics.Fleet(devices: 3, incomplete: 1, missing: 20, lost: 4, idConflicts: 6))
    let lines = metrics.text.text.split(separator: "\n").map(String.init)
    var described: [String] = []
    for line in lines where line.hasPrefix("# TYPE ") { described.append(String(line.split(separator: " ")[2])) }
    #expect(Set(described).count == described.count)
    for line in lines where !line.hasPrefix("#") {
      let name = String(line.prefix { $0 != " " && $0 != "{" })
      let family = described.filter { name == $0 || name == $0 + "_sum" || name == $0 + "_count" }
      #expect(family.count == 1, "\(line)")
      #expect(Double(line.split(separator: " ").last ?? "") != nil, "\(line)")
    }
    for line in [
      "grampad_collector_records_stored_total 8", "grampad_collector_records_duplicate_total 2",
      "grampad_collector_id_conflicts_total 3", "grampad_fleet_id_conflicts 6",
      "grampad_collector_sequence_conflicts_total 1", "# TYPE grampad_collector_batch_seconds summary",
      "grampad_collector_batch_seconds_sum 0.75", "grampad_collector_batch_seconds_count 2",
      "grampad_collector_up{part=\"broker\"} 0", "grampad_collector_up{part=\"database\"} 1",
      "grampad_collector_connections_total{part=\"database\"} 1", "grampad_fleet_devices 3",
      "grampad_collector_build_info{version=\"\(Version.text)\",architecture=\"\(Version.architecture)\"} 1",
      "grampad_fleet_incomplete_devices 1", "grampad_fleet_records_missing 20", "grampad_fleet_records_lost 4",
    ] { #expect(lines.contains(line), "\(line)") }
    #expect(lines.contains { $0.hasPrefix("grampad_collector_last_error_timestamp_seconds{part=\"broker\"} ") })
    #expect(!lines.contains { $0.hasPrefix("grampad_collector_last_error_timestamp_seconds{part=\"database\"} ") })
    #expect(metrics.faults == ["broker: broker.example: refused"])
  }

  @Test func devicesAreSummedUp() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    #expect(try store.fleet() == CollectorMetrics.Fleet())
    let now = Instant(nanoseconds: 1_795_000_000_000_000_000)
    try store.save([try Records.record("lab", 5), try Records.record("attic", 1)], at: now)
    try store.save(ResendReport(missing: [1...3], last: 5), of: "lab")
    #expect(try store.fleet() == CollectorMetrics.Fleet(devices: 2, incomplete: 1, missing: 1, lost: 3))
  }
}
