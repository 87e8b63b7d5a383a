import Foundation
import FreePorts
import Linux
import Logging
import MQTTLink
import Messages
import Synchronization
import Testing
import Weighing

@testable import Fleet

/// The collector with a real mosquitto, a real PostgreSQL and real appliances.
@Suite(.serialized) struct CollectorTests {
  /// A broker, a database, and appliances whose journals have records that were never delivered.
  private final class Stage {
    let folder: Folder
    let postgres: Postgres
    let database: String
    let port: UInt16
    private(set) var broker: Child
    private var appliances: [Child] = []
    private var collectors: [Child] = []

    init() throws {
      folder = try Folder()
      postgres = try Postgres()
      database = try postgres.makeDatabase()
      port = FreePort.any()
      broker = try Self.broker(port, folder)
    }

    private static func broker(_ port: UInt16, _ folder: Folder) throws -> Child {
      let configuration = try folder.write("mosquitto.conf", "listener \(port) 127.0.0.1\nallow_anonymous true\n")
      return try Child("/usr/sbin/mosquitto", ["-c", configuration], output: "\(folder.path)/mosquitto.log")
    }

    /// Kills the broker, which keeps nothing on disk, and starts it again.
    func restartBroker() throws {
      broker.kill()
      broker = try Self.broker(port, folder)
    }

    /// Starts an appliance whose journal has this many records, and those of further actions.
    func addAppliance(_ name: String, records count: Int, actions: [String] = [], version: String = "5") throws {
      let recording = try folder.write("load.evemu", Self.recording)
      let journal = "\(folder.path)/\(name).db"
      // Identifiers are derived from the times: those of each appliance differ by a millisecond.
      let start = 2 + Double(appliances.count) / 1000
      let commits = (0..<count).flatMap { ["--action", String(format: "commit@%.3f", start + Double($0) / 100)] }
      try #require(
        try Child.run(
          "\(Child.products)/grampad",
          ["replay", recording, "--journal", journal] + commits
            + actions.flatMap { ["--action", $0] }) == 0)
      let configuration = try folder.write(
        "\(name).yaml",
        """
        device: {id: \(name)}
        pad: {device: simulated, zones: {}}
        mqtt: {broker: "mqtt://127.0.0.1:\(port)", version: "\(version)"}
        dashboard: {enabled: false}
        home_assistant: {discovery: false}
        journal: {path: \(journal)}

        """)
      appliances.append(
        try Child(
          "\(Child.products)/grampad", ["run", "--config", configuration], output: "\(folder.path)/\(name).log"))
    }

    /// 100 g for ten seconds.
    private static let recording = """
      N: Pressure only
      I: 0003 1209 0001 0001
      A: 18 0 3850 0 0 0
      E: 0.000001 0003 0018 1000
      E: 0.000001 0000 0000 0000
      E: 10.000001 0003 0018 0000
      E: 10.000001 0000 0000 0000

      """

    /// The totals of the journal of an appliance by day and label, as CSV without the header.
    func totals(_ name: String, timeZone: String) throws -> Set<String> {
      let output = "\(folder.path)/\(name).csv"
      let arguments = ["history", "--totals", "--csv", "--journal", "\(folder.path)/\(name).db"]
      try #require(
        try Child.run("/usr/bin/env", ["TZ=\(timeZone)", "\(Child.products)/grampad"] + arguments, output: output) == 0)
      let text = try String(contentsOfFile: output, encoding: .utf8)
      return Set(text.split(separator: "\r\n").dropFirst().map(String.init))
    }

    /// Starts a collector; with further arguments.
    func addCollector(_ arguments: String...) throws {
      collectors.append(
        try Child(
          "\(Child.products)/grampad",
          ["collect", "--database", database, "--broker", "mqtt://127.0.0.1:\(port)"] + arguments,
          output: "\(folder.path)/collect\(collectors.count).log"))
    }

    func killCollectors() {
      for collector in collectors { collector.kill() }
      collectors = []
    }

    /// The devices with the highest sequence and the number of missing records; empty while there is no database.
    func devices() -> [[String?]] {
      (try? PostgresConnection(database).perform("SELECT id, highest_sequence, missing, lost FROM device ORDER BY id"))
        ?? []
    }

    /// How often a text is in the log of the first collector.
    func count(inLog text: String) throws -> Int {
      try String(contentsOfFile: "\(folder.path)/collect0.log", encoding: .utf8).ranges(of: text).count
    }

    func rows(_ sql: String) throws -> [[String?]] { try PostgresConnection(database).perform(sql) }
  }

  @Test(arguments: ["5", "3.1.1"]) func whatWasNeverReceivedIsAskedFor(_ version: String) throws {
    let stage = try Stage()
    try stage.addAppliance("attic", records: 250, version: version)
    try stage.addAppliance("kitchen", records: 30)
    let listener = OutboxListener(stage.port)
    try eventually("both outboxes are delivered to the broker, without a collector") {
      listener.devices == ["attic", "kitchen"]
    }
    try stage.addCollector()
    try stage.addCollector()
    try eventually("all records") {
      stage.devices() == [["attic", "250", "0", "0"], ["kitchen", "30", "0", "0"]]
    }
    #expect(
      try stage.rows("SELECT count(*), count(DISTINCT id), min(sequence) FROM weighing") == [["280", "280", "1"]])
    #expect(try stage.rows("SELECT count(*) FROM effective_weighing") == [["280"]])
  }

  /// A retained message that PostgreSQL rejects is there again after each start.
  @Test func aHealthThatCannotBeStoredHoldsUpNothing() throws {
    let stage = try Stage()
    let message = ["-t", "grampad/attic/health", "-m", #"{"version":"\u0000","journal":{"sequence":1}}"#]
    try eventually("the broker accepts it") {
      try Child.run("/usr/bin/mosquitto_pub", ["-p", "\(stage.port)", "-q", "1", "-r"] + message) == 0
    }
    try stage.addAppliance("kitchen", records: 5)
    try stage.addCollector()
    try eventually("the records of another device") { stage.devices().contains(["kitchen", "5", "0", "0"]) }
  }

  /// Appliances retain their health: a broker delivers it to a new collector, however old it is, and also when it is new.
  @Test func onlyANewHealthIsASignOfLife() throws {
    let stage = try Stage()
    func publish() throws -> Bool {
      let message = ["-t", "grampad/attic/health", "-m", #"{"version":"7"}"#]
      return try Child.run("/usr/bin/mosquitto_pub", ["-p", "\(stage.port)", "-q", "1", "-r"] + message) == 0
    }
    try eventually("the broker accepts it") { try publish() }
    try stage.addCollector()
    try eventually("it is stored") { stage.devices().count == 1 }
    stage.killCollectors()
    let connection = try PostgresConnection(stage.database)
    func isSeenAndVersion() throws -> [String?] {
      try connection.perform("SELECT last_seen > now() - interval '1 hour', version FROM device")[0]
    }
    try connection.perform("UPDATE device SET last_seen = '2026-01-01', version = NULL")
    try stage.addCollector()
    try eventually("the retained one is stored") { try isSeenAndVersion()[1] == "7" }
    #expect(try isSeenAndVersion()[0] == "f")
    try #require(try publish())
    try eventually("the new one is stored") { try isSeenAndVersion()[0] == "t" }
  }

  /// A topic has room for 65,535 bytes, an index of PostgreSQL for 2,704, and a device.id for 64.
  @Test(arguments: ["health", "weighing"]) func aDeviceWithALongNameHoldsUpNothing(_ topic: String) throws {
    let stage = try Stage()
    try stage.addCollector()
    let name = (0..<500).map { String($0 &* 2_654_435_761, radix: 36) }.joined()
    let payload = String(decoding: topic == "health" ? Array("{}".utf8) : Records.payload(1), as: UTF8.self)
    let message = ["-q", "1", "-t", "grampad/\(name)/\(topic)", "-m", payload]
    try eventually("it is received") {
      _ = try Child.run("/usr/bin/mosquitto_pub", ["-p", "\(stage.port)"] + message)
      return try stage.count(inLog: "is longer than") + stage.count(inLog: "index row size") > 0
    }
    try stage.addAppliance("kitchen", records: 5)
    try eventually("the records of another device") { stage.devices() == [["kitchen", "5", "0", "0"]] }
  }

  /// A server that becomes read-only accepts connections and rejects every request.
  @Test func aDatabaseThatRejectsEverythingIsNamedOnce() throws {
    let stage = try Stage()
    try stage.addCollector()
    try eventually("it is connected") { try stage.count(inLog: "[Fleet] connected") == 1 }
    let connection = try PostgresConnection(stage.database)
    try connection.perform("ALTER TABLE device RENAME TO hidden")
    try eventually("it is named") { try stage.count(inLog: "waiting for the database") > 0 }
    let sessions = "SELECT sessions FROM pg_stat_database WHERE datname = current_database()"
    func attempts() throws -> Int { try connection.perform(sessions)[0][0].flatMap { Int($0) } ?? 0 }
    let first = try attempts()
    try eventually("several attempts") { try attempts() >= first + 4 }
    #expect(try stage.count(inLog: "waiting for the database") == 1)
    #expect(try stage.count(inLog: "database is back") == 0)
    try connection.perform("ALTER TABLE hidden RENAME TO device")
    try eventually("it works again") { try stage.count(inLog: "database is back") == 1 }
  }

  /// What has expired can wait; what arrives cannot.
  @Test func retentionThatTakesTooLongHoldsUpNothing() throws {
    let stage = try Stage()
    _ = try FleetStore(stage.database)
    try PostgresConnection(stage.database).perform(
      """
      CREATE OR REPLACE FUNCTION drop_expired() RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        RAISE query_canceled USING MESSAGE = 'canceling statement due to statement timeout';
      END $$
      """)
    try stage.addCollector()
    try eventually("it is tried") { try stage.count(inLog: "cannot drop expired weighings") == 1 }
    try stage.addAppliance("kitchen", records: 5)
    try eventually("the records") { stage.devices() == [["kitchen", "5", "0", "0"]] }
    #expect(try stage.count(inLog: "waiting for the database") == 0)
  }

  @Test(arguments: ["Europe/Berlin", "Pacific/Kiritimati", "America/Los_Angeles"])
  func totalsAreThoseOfTheAppliance(_ timeZone: String) throws {
    let stage = try Stage()
    try stage.addAppliance(
      "kitchen", records: 5,
      actions: [
        #"relabel {"label": "rye"}@3"#, "commit@3.5", "void@4", #"commit {"label": "oats"}@4.5"#, "commit@5",
        #"relabel {"label": "oats"}@5.5"#, #"relabel {"label": "beans"}@6"#,
      ])
    try stage.addCollector()
    try eventually("all records") { stage.devices() == [["kitchen", "12", "0", "0"]] }
    let connection = try PostgresConnection(stage.database)
    try connection.perform("SET timezone = '\(timeZone)'")
    let rows = try connection.perform("SELECT day, label, weighings, net_g, time_zone FROM daily_total")
    let totals = try stage.totals("kitchen", timeZone: timeZone)
    #expect(Set(rows.map { row in row.prefix(4).map { $0 ?? "" }.joined(separator: ",") }) == totals)
    #expect(totals.count == 4, "without a label, rye, oats and beans: \(totals)")
    #expect(rows.allSatisfy { $0[4] == timeZone })
  }

  @Test func metricsFollowWhatHappens() async throws {
    let stage = try Stage()
    let port = FreePort.any()
    try stage.addAppliance("kitchen", records: 40)
    try stage.addCollector("--metrics", "\(port)")
    func get(_ path: String) async throws -> (status: Int, text: String) {
      let answer = Loopback.answer(
        from: UInt16(port), to: "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
      let body = answer.range(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) }
      return (Int(answer.split(separator: " ").dropFirst().first ?? "") ?? 0, body ?? "")
    }
    func value(_ name: String) async throws -> Double? {
      let lines = try await get("/metrics").text.split(separator: "\n")
      return lines.first { $0.hasPrefix(name + " ") }.flatMap { Double($0.dropFirst(name.count + 1)) }
    }
    func wait(for what: String, _ condition: () async throws -> Bool) async throws {
      let deadline = ContinuousClock.now + .seconds(60)
      while try await !condition() {
        try #require(ContinuousClock.now < deadline, "never: \(what)")
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    try await wait(for: "all records") { try await value("grampad_collector_records_stored_total") == 40 }
    try await wait(for: "the sum") { try await value("grampad_fleet_devices") == 1 }
    #expect(try await get("/healthz") == (200, #"{"status":"ok","faults":[]}"#))
    #expect(try await get("/").status == 404)
    #expect(try await value(#"grampad_collector_connections_total{part="broker"}"#) == 1)
    #expect(try await value("grampad_collector_batch_seconds_count") ?? 0 >= 1)
    #expect(try await value("process_resident_memory_bytes") ?? 0 > 1_000_000)
    stage.broker.kill()
    try await wait(for: "the fault") { try await get("/healthz").status == 503 }
    #expect(try await value(#"grampad_collector_up{part="broker"}"#) == 0)
    #expect(try await value(#"grampad_collector_up{part="database"}"#) == 1)
    try stage.restartBroker()
    try await wait(for: "another connection") {
      try await value(#"grampad_collector_connections_total{part="broker"}"#) == 2
    }
  }

  @Test func nothingIsLostWhenEverythingIsKilled() throws {
    let stage = try Stage()
    for name in ["a", "b", "c"] { try stage.addAppliance(name, records: 300) }
    try stage.addCollector()
    for round in 0..<6 {
      try eventually("some progress") { stage.devices().contains { $0[1] != "0" } }
      switch round % 3 {
      case 0: try stage.restartBroker()
      case 1:
        stage.postgres.kill()
        try stage.postgres.start()
      default:
        stage.killCollectors()
        try stage.addCollector()
      }
    }
    try eventually("all records", within: .seconds(120)) {
      stage.devices() == ["a", "b", "c"].map { [$0, "300", "0", "0"] }
    }
    #expect(try stage.rows("SELECT count(*), count(DISTINCT id) FROM weighing") == [["900", "900"]])
  }
}

/// Knows whose outbox is empty.
private final class OutboxListener: Sendable {
  private final class Devices: Sendable {
    let all = Mutex<Set<String>>([])
  }

  private let link: MQTTLink
  private let delivered: Devices

  init(_ port: UInt16) {
    let delivered = Devices()
    self.delivered = delivered
    link = MQTTLink(
      settings: LinkSettings(brokers: [BrokerAddress(host: "127.0.0.1", port: port)], clientID: "test-\(port)"),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) { event in
      guard case .message(let message) = event, let json = try? JSONValue(message.payload, maximumBytes: 1 << 16),
        json["outbox"]?["waiting"] == .number(0), Health.journalSequence(in: message.payload) ?? 0 > 0
      else { return }
      _ = delivered.all.withLock { $0.insert(String(message.topic.split(separator: "/")[1])) }
    }
    link.subscribe(["grampad/+/health"])
    link.start()
  }

  deinit { link.stop(within: .milliseconds(500)) }

  var devices: Set<String> { delivered.all.withLock { $0 } }
}
