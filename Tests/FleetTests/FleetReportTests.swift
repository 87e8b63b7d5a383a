import Foundation
import Languages
import Linux
import Messages
import Testing
import Weighing

@testable import Fleet

/// What `grampad fleet` shows, from a real PostgreSQL.
@Suite struct FleetReportTests {
  /// A database with devices of every kind.
  private static func database() throws -> String {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let now = Instant(nanoseconds: 1_795_000_000_000_000_000)
    try store.save(
      [try Records.record("attic", 1), try Records.record("attic", 4), try Records.record("kitchen", 1)], at: now)
    try store.save([try Records.record("kitchen", 1, salt: 3)], at: now)
    try store.save(ResendReport(missing: [2...2], last: 4), of: "attic")
    func health(_ clock: String, _ calibration: String) -> [UInt8] {
      Array(#"{"version":"0.1.0","clock":"\#(clock)","calibration":\#(calibration),"journal":{"sequence":1}}"#.utf8)
    }
    try store.save(health: [
      "attic": health("unsynchronised", #""user","calibration_time":"2026-10-24T00:00:00.000Z""#),
      "kitchen": health("synchronised", #""nominal""#),
      // Also a time for PostgreSQL.
      "new": health("synchronised", #""user","calibration_time":"infinity""#),
    ])
    try PostgresConnection(url).perform(
      "UPDATE device SET last_seen = '2026-11-23 08:30:00.25+00'; UPDATE device SET last_seen = now() WHERE id = 'new'")
    return url
  }

  @Test func theDatabaseIsRead() throws {
    let report = try FleetReport(database: try Self.database())
    #expect(report.isIncomplete)
    #expect(report.devices.map(\.id) == ["attic", "kitchen", "new"])
    #expect(report.devices[2].lastSeenAge == 0)
    #expect(report.devices[0].calibratedAge ?? 0 > 86_400)
    #expect(report.devices[2].calibrated == nil && report.devices[2].calibratedAge == nil)
    let lines = String(decoding: report.json, as: UTF8.self)
    #expect(
      lines.hasPrefix(
        """
        [{"device":"attic","last_seen":"2026-11-23T08:30:00.250Z","weighings":2,"highest_sequence":4,"missing":1,"lost":1,\
        "conflicts":0,"id_conflicts":0,"clock":"unsynchronised","calibration":"user","calibration_time":"2026-10-24T00:00:00.000Z",\
        "version":"0.1.0"},{"device":"kitchen","last_seen":"2026-11-23T08:30:00.250Z","weighings":2,"highest_sequence":1,\
        "missing":0,"lost":0,"conflicts":1,"id_conflicts":0,"clock":"synchronised","calibration":"nominal","calibration_time":null,\
        "version":"0.1.0"},{"device":"new",
        """))
    #expect(lines.hasSuffix("}]\n"))
  }

  @Test func aSumOfAbsurdNumbersIsBounded() {
    let device = FleetReport.Device(id: "lab", missing: 8_999_999_999_999_999)
    let text = FleetTable(FleetReport(devices: Array(repeating: device, count: 2000))).text
    #expect(text.hasSuffix("2000 scales, 0 weighings, \(Int.max) missing, 0 lost\n"))
  }

  @Test func theTableFitsATerminal() {
    func device(_ id: String, _ change: (inout FleetReport.Device) -> Void) -> FleetReport.Device {
      var device = FleetReport.Device()
      device.id = id
      (device.version, device.calibration, device.clock) = ("0.1.0", "user", "synchronised")
      (device.lastSeenAge, device.calibratedAge) = (3, 86_400 * 30)
      change(&device)
      return device
    }
    let report = FleetReport(devices: [
      device("attic") {
        ($0.weighings, $0.missing, $0.lost, $0.lastSeenAge) = (1_234_567, 12, 3, 7300)
        $0.clock = "unsynchronised"
      },
      device("cellar-on-the-left-side-of-the-building-behind-the-stairs") { $0.version = "0.1.0-with-a-suffix" },
      device("k\u{1B}[31m") { ($0.conflicts, $0.idConflicts, $0.calibratedAge, $0.lastSeenAge) = (2, 52, nil, nil) },
      device("new") { ($0.calibration, $0.version, $0.lastSeenAge) = (nil, nil, 86_400 * 400) },
      device("plain") { ($0.calibration, $0.lastSeenAge) = ("nominal", 700) },
      device("test-1") { ($0.calibration, $0.calibratedAge) = ("simulated", nil) },
    ])
    #expect(
      FleetTable(report).text == """
        device                  seen  weighings  missing  lost  calibrated  version
        attic                    2 h    1234567       12     3  30 d        0.1.0
        cellar-on-the-left-…     3 s          0        0     0  30 d        0.1.0-with-…
        k\\u{1B}[31m                -          0        0     0  user        0.1.0
        new                    400 d          0        0     0  -           -
        plain                 11 min          0        0     0  nominal     0.1.0
        test-1                   3 s          0        0     0  simulated   0.1.0

        attic: the clock is not synchronised
        k\\u{1B}[31m: two journals use this device.id (2 numbers used twice; see sequence_conflict)
        k\\u{1B}[31m: 52 identifiers are also those of other records; see conflict

        6 scales, 1234567 weighings, 12 missing, 3 lost

        """)
    #expect(FleetTable(report).text.split(separator: "\n")[2].unicodeScalars.count == 80)
    #expect(FleetTable(FleetReport(devices: [])).text.hasPrefix("No scales yet."))
    for language in Language.allCases {
      let table = FleetTable(report, texts: .of(language)).text.split(separator: "\n").prefix(7)
      #expect(table.allSatisfy { TextColumns.width(String($0)) <= 80 }, "\(table)")
    }
  }

  @Test func aDatabaseThatCannotBeUsedIsNamed() throws {
    let empty = try Postgres.database()
    #expect(throws: FleetError.noSchema) { try FleetReport(database: empty) }
    let url = try Postgres.database()
    _ = try FleetStore(url)
    #expect(try FleetReport(database: url).devices.isEmpty)
    let connection = try PostgresConnection(url)
    try connection.perform("INSERT INTO schema_version VALUES (99)")
    #expect(throws: FleetError.newerSchema(99, known: Schema.version)) { try FleetReport(database: url) }
  }

  @Test func theExitCodeSaysWhetherRecordsAreMissing() throws {
    let folder = try Folder()
    func fleet(_ url: String) throws -> (status: Int32, output: String) {
      let output = "\(folder.path)/\(UUID().uuidString)"
      let status = try Child.run("\(Child.products)/grampad", ["fleet", "--database", url], output: output)
      return (status, try String(contentsOfFile: output, encoding: .utf8))
    }
    let url = try Self.database()
    let incomplete = try fleet(url)
    #expect(incomplete.status == 1 && incomplete.output.hasPrefix("[{"), "\(incomplete)")
    // What is lost does not come back, and does not count.
    let store = try FleetStore(url)
    try store.save(ResendReport(missing: [3...3], last: 4), of: "attic")
    try store.save(ResendReport(missing: [1...1], last: 1), of: "new")
    let complete = try fleet(url)
    #expect(complete.status == 0 && complete.output.contains(#""lost":2"#), "\(complete)")
    let empty = try Postgres.database()
    let noTables = try fleet(empty)
    #expect(noTables.status == 78 && noTables.output.contains("has no tables of Grampad"), "\(noTables)")
    _ = try FleetStore(empty)
    #expect(try fleet(empty) == (0, "[]\n"))
    let unreachable = try fleet("postgresql://127.0.0.1:1/fleet")
    #expect(unreachable.status == 69 && unreachable.output.contains("database: "), "\(unreachable)")
  }
}
