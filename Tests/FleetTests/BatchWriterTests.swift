import Logging
import Testing

@testable import Fleet

/// What becomes of a batch of which PostgreSQL rejects a part.
@Suite struct BatchWriterTests {
  /// Not one transaction for each of the others.
  @Test func aHealthThatIsRejectedIsFoundBySplitting() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let metrics = CollectorMetrics()
    let writer = BatchWriter(metrics: metrics, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    var batch = Inbox.Batch()
    for number in 0..<500 { batch.health["d\(number)"] = try Self.health(version: "1") }
    batch.health["d77"] = try Self.health(version: #"\u0000"#)
    try writer.save(&batch, in: &store)
    #expect(batch.isEmpty)
    #expect(metrics.text.text.contains("grampad_collector_messages_invalid_total 1\n"))
    // The transactions that have written rows.
    let rows = try PostgresConnection(url).perform(
      "SELECT count(*) FILTER (WHERE version = '1'), count(DISTINCT xmin::text) <= 12 FROM device")
    #expect(rows == [["499", "t"]])
  }

  private static func health(version: String) throws -> CollectedHealth {
    try CollectedHealth(Array(#"{"version":"\#(version)"}"#.utf8), isRetained: false)
  }
}
