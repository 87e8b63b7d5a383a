import Messages
import Testing
import Weighing

@testable import Fleet

/// What is in the database after records, health and answers, in a real PostgreSQL.
@Suite struct FleetStoreTests {
  private let now = Instant(nanoseconds: 1_795_000_000_000_000_000)

  @Test func theSchemaIsMadeOnce() throws {
    let url = try Postgres.database()
    _ = try FleetStore(url)
    var store = try FleetStore(url)
    try store.save([try Records.record("kitchen", 1)], at: now)
    let connection = try PostgresConnection(url)
    #expect(try connection.perform("SELECT count(*) FROM schema_version") == [["\(Schema.version)"]])
    #expect(try connection.perform("SELECT count(*) FROM weighing_2026_11") == [["1"]])
    try connection.perform("INSERT INTO schema_version VALUES (99)")
    #expect(throws: FleetError.newerSchema(99, known: Schema.version)) { _ = try FleetStore(url) }
  }

  @Test func aRecordIsStoredAsItIs() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let payload = Records.payload(7, net: "0.1000000000000000055511151231257827", label: "Bohnen \\u00fc")
    try store.save([try CollectedRecord(device: "kitchen", payload: payload)], at: now)
    let rows = try PostgresConnection(url).perform(
      "SELECT id, device, sequence, time AT TIME ZONE 'UTC', kind, net_g, label, voids, clock FROM weighing")
    #expect(
      rows == [
        [
          Records.id(7).description, "kitchen", "7", "2026-11-18 11:06:40", "weighing",
          "0.1000000000000000055511151231257827", "Bohnen ü", nil, "synchronised",
        ]
      ])
  }

  @Test(arguments: [
    "", " ", ",", "null", "NULL", "a, b", "(1)", "{2}", #"5" nail"#, #"\"#, #"\\"N"#, "\t\n", "'", "müsli 🥣",
    "a)\",\"(b",
  ])
  func aTextIsStoredAsItIs(_ text: String) throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    var json = JSONWriter()
    json.object { json in
      for (key, value) in [("id", Records.id(1).description), ("label", text), ("source", text)] {
        json.key(key)
        json.string(value)
      }
      json.key("sequence")
      json.integer(1)
      json.key("time")
      json.string("2026-11-18T11:06:40Z")
    }
    try store.save([try CollectedRecord(device: "d" + text, payload: json.bytes)], at: now)
    let health = #"{"version":\#(String(decoding: Self.quoted(text), as: UTF8.self))}"#
    try store.save(health: ["d" + text: Array(health.utf8)])
    let connection = try PostgresConnection(url)
    let rows = try connection.perform("SELECT device, label, source, clock FROM weighing")
    #expect(rows == [["d" + text, text, text, nil]])
    #expect(try connection.perform("SELECT id, version FROM device") == [["d" + text, text]])
  }

  private static func quoted(_ text: String) -> [UInt8] {
    var json = JSONWriter()
    json.string(text)
    return json.bytes
  }

  /// Records of three devices in any order, repeated, in batches of any size, some never: the tables are what a set says.
  @Test(arguments: 0..<8 as Range<UInt64>) func whatIsMissingIsKnown(_ seed: UInt64) throws {
    var generator = Xoshiro(seed)
    let url = try Postgres.database()
    var store = try FleetStore(url)
    var stored: [String: Set<Int>] = [:]
    var known: [String: Int] = [:]
    for _ in 0..<40 {
      var batch: [CollectedRecord] = []
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        let device = ["kitchen", "attic", "lab"].randomElement(using: &generator) ?? ""
        let sequence = max(1, (known[device] ?? 0) + Int.random(in: -9...4, using: &generator))
        batch.append(try Records.record(device, sequence))
        stored[device, default: []].insert(sequence)
        known[device] = max(known[device] ?? 0, sequence)
      }
      try store.save(batch, at: now)
      if Int.random(in: 0..<5, using: &generator) == 0, let device = known.keys.sorted().first {
        known[device, default: 0] += 2
        try store.save(health: [device: Array(#"{"journal":{"sequence":\#(known[device] ?? 0)},"version":"1"}"#.utf8)])
      }
    }
    let connection = try PostgresConnection(url)
    for (device, sequences) in stored {
      let rows = try connection.perform(
        "SELECT sequence FROM weighing WHERE device = $1 ORDER BY sequence", [device])
      #expect(rows.map { $0[0] } == sequences.sorted().map(String.init))
      let missing = Set(1...(known[device] ?? 1)).subtracting(sequences)
      let row = try connection.perform(
        "SELECT highest_sequence, known_sequence, missing, lost FROM device WHERE id = $1", [device])[0]
      #expect(row == ["\(sequences.max() ?? 0)", "\(known[device] ?? 0)", "\(missing.count)", "0"])
      let ranges = try connection.perform(
        "SELECT generate_series(lower(r), upper(r) - 1) FROM device, unnest(missing_ranges) r WHERE id = $1", [device])
      #expect(Set(ranges.compactMap { $0[0].flatMap { Int($0) } }) == missing)
    }
  }

  /// A broker sends retained messages of devices that are gone whenever a collector connects.
  @Test func retainedHealthIsNoSignOfLife() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let connection = try PostgresConnection(url)
    let payload = Array(#"{"version":"7","journal":{"sequence":2}}"#.utf8)
    try store.save(health: ["lab": try CollectedHealth(payload, isRetained: true)])
    #expect(try connection.perform("SELECT last_seen FROM device") == [[nil]])
    try connection.perform("UPDATE device SET last_seen = '2026-01-01 00:00Z', version = NULL")
    let query = "SELECT last_seen = '2026-01-01 00:00Z', version, missing FROM device"
    try store.save(health: ["lab": try CollectedHealth(payload, isRetained: true)])
    #expect(try connection.perform(query) == [["t", "7", "2"]])
    try store.save(health: ["lab": payload])
    #expect(try connection.perform(query) == [["f", "7", "2"]])
  }

  @Test func voidsAndRelabelsMayArriveFirst() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let (first, second) = (Records.id(1), Records.id(2))
    for payload in [
      Records.payload(5, kind: "relabel", net: "0", label: "rye", amends: first),
      Records.payload(4, kind: "relabel", net: "0", label: "oats", amends: first),
      Records.payload(3, kind: "void", net: "-23.40", voids: second),
      Records.payload(2, label: "beans"), Records.payload(1, label: "bean"),
    ] {
      try store.save([try CollectedRecord(device: "kitchen", payload: payload)], at: now)
    }
    let rows = try PostgresConnection(url).perform("SELECT sequence, label FROM effective_weighing")
    #expect(rows == [["1", "rye"]])
  }

  @Test func twoJournalsWithOneDeviceAreSeen() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save([try Records.record("lab", 1), try Records.record("lab", 2, salt: 5)], at: now)
    try store.save([try Records.record("lab", 2, salt: 9), try Records.record("lab", 1)], at: now)
    let connection = try PostgresConnection(url)
    #expect(try connection.perform("SELECT count(*) FROM weighing") == [["3"]])
    #expect(try connection.perform("SELECT DISTINCT device, sequence FROM sequence_conflict") == [["lab", "2"]])
  }

  @Test func aWrongClockHasNoPartitionUntilItIsTime() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    for (sequence, milliseconds) in [(1, 1000), (2, 1_800_000_000_000), (3, 1_795_000_000_000)] {
      let payload = Records.payload(
        sequence, id: Records.id(sequence, milliseconds: milliseconds), milliseconds: milliseconds)
      try store.save([try CollectedRecord(device: "lab", payload: payload)], at: now)
    }
    let connection = try PostgresConnection(url)
    #expect(try connection.perform("SELECT count(*) FROM weighing_other") == [["2"]])
    // In January 2027.
    let later = Instant(nanoseconds: 1_800_000_000_000_000_000)
    try store.save(
      [try CollectedRecord(device: "lab", payload: Records.payload(4, milliseconds: 1_800_000_000_000))], at: later)
    #expect(try connection.perform("SELECT count(*) FROM weighing_2027_01") == [["2"]])
    #expect(try connection.perform("SELECT count(*), max(missing) FROM weighing_other, device") == [["1", "0"]])
  }

  @Test(arguments: [
    ("-18T", "-38T"), ("Z\"", "+99:00\""), (#""voids":null"#, #""voids":"7""#),
  ])
  func aRecordThatPostgreSQLRejectsIsNamed(_ right: String, _ wrong: String) throws {
    var store = try FleetStore(try Postgres.database())
    let text = String(decoding: Records.payload(1), as: UTF8.self)
    let record = try CollectedRecord(device: "lab", payload: Array(text.replacing(right, with: wrong).utf8))
    do throws(PostgresError) {
      try store.save([record], at: now)
      Issue.record("it was stored")
    } catch {
      #expect(error.isAboutData, "\(error.state ?? "no state"): \(error)")
    }
  }

  /// The name of a device is a key of an index, which has a maximum size.
  @Test func aDeviceNameThatPostgreSQLRejectsIsNamed() throws {
    var store = try FleetStore(try Postgres.database())
    var generator = Xoshiro(1)
    let name = (0..<500).map { _ in String(generator.next(), radix: 36) }.joined()
    let record = try Records.record(name, 1)
    do throws(PostgresError) {
      try store.save([record], at: now)
      Issue.record("it was stored")
    } catch {
      #expect(error.isAboutData, "\(error.state ?? "no state"): \(error)")
    }
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"id":"0","sequence":1}"#, #"{"id":"019f0000-0000-7000-8000-000000000000"}"#,
    #"{"id":"019f0000-0000-7000-8000-000000000000","sequence":0}"#,
    #"{"id":"019f0000-0000-7000-8000-000000000000","sequence":1,"label":"a\u0000b"}"#,
  ])
  func anInvalidPayloadIsRefused(_ text: String) {
    #expect(throws: CollectedMessageError.self) { try CollectedRecord(device: "lab", payload: Array(text.utf8)) }
  }

  @Test func aPayloadThatIsTooLargeIsNamedAsSuch() throws {
    let text =
      #"{"id":"019f0000-0000-7000-8000-000000000000","sequence":1,"label":""#
      + String(repeating: "x", count: 16_400)
    for (topic, words) in [("weighing", "larger than 16384 bytes"), ("health", "health is larger than 131072 bytes")] {
      let payload = Array((text + String(repeating: "x", count: topic == "health" ? 131_072 : 0) + #""}"#).utf8)
      let message = IncomingMessage(topic: "grampad/lab/\(topic)", payload: payload, isRetained: false)
      do throws(CollectedMessageError) {
        _ = try CollectedMessage(message, prefix: "grampad")
        Issue.record("\(topic) was accepted")
      } catch {
        #expect(error.detail == words)
      }
    }
  }

  @Test(arguments: ["[]", "7", "", "{", #"{"journal":"#]) func healthThatIsNoObjectIsRefused(_ text: String) {
    let message = IncomingMessage(topic: "grampad/lab/health", payload: Array(text.utf8), isRetained: false)
    #expect(throws: CollectedMessageError(device: "lab", detail: "health is not a JSON object")) {
      try CollectedMessage(message, prefix: "grampad")
    }
  }

  /// PostgreSQL accepts what is not JSON: a sum of NaN is NaN, and a day can be infinite.
  @Test(arguments: [
    ("net_g", #""NaN""#), ("gross_g", #""Infinity""#), ("tare_g", #""1""#), ("uncertainty_g", "true"), ("net_g", "[1]"),
    ("net_g", "1e100"), ("net_g", "-2000000000"), ("uncertainty_g", "1e-16000"),
    ("pieces", "1.5"), ("pieces", #""3""#), ("calibration_counter", "1e30"), ("time", #""infinity""#),
    ("time", #""now""#),
    ("time", #""2026-11-18""#), ("time", #""2026-11-18T11:06:40""#), ("time", #""2026-11-18T11:06:40.Z""#),
    ("time", #""2026-11-18T11:06:40+01""#), ("time", "1795000000"), ("sequence", "1.5"),
  ])
  func aFieldOfAnotherFormIsRefused(_ name: String, _ value: String) throws {
    #expect(throws: CollectedMessageError.self) { try Self.record(with: name, value) }
  }

  @Test(arguments: [
    ("net_g", "1e2", "100"), ("net_g", "-0", "0"), ("pieces", "3.0", "3"), ("calibration_counter", "1e1", "10"),
    ("sequence", "7.0", "7"), ("time", #""2026-11-18T12:06:40.5+01:00""#, "2026-11-18 11:06:40.5"),
    ("time", #""2026-11-18t11:06:40z""#, "2026-11-18 11:06:40"),
    ("time", #""1969-07-20 20:17:40Z""#, "1969-07-20 20:17:40"),
  ])
  func aNumberOrTimeMayBeWrittenInAnyWay(_ name: String, _ value: String, _ stored: String) throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    try store.save([try Self.record(with: name, value)], at: now)
    let connection = try PostgresConnection(url)
    try connection.perform("SET timezone = 'UTC'")
    let column = name == "time" ? "time AT TIME ZONE 'UTC'" : name
    #expect(try connection.perform("SELECT \(column) FROM weighing") == [[stored]])
  }

  /// A record with another value of one field.
  private static func record(with name: String, _ value: String) throws -> CollectedRecord {
    let text = String(decoding: Records.payload(1), as: UTF8.self)
    let field = try Regex("\"\(name)\":(\"[^\"]*\"|[^,}]*)")
    return try CollectedRecord(
      device: "lab", payload: Array(text.replacing(field, with: "\"\(name)\":\(value)", maxReplacements: 1).utf8))
  }
}

/// xoshiro256** (Blackman and Vigna, 2018), so that a seed always gives the same test.
struct Xoshiro: RandomNumberGenerator {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  init(_ seed: UInt64) {
    state = (seed &+ 1, 0x9e37_79b9_7f4a_7c15, seed ^ 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb)
  }

  mutating func next() -> UInt64 {
    func rotated(_ value: UInt64, _ by: UInt64) -> UInt64 { value << by | value >> (64 - by) }
    let result = rotated(state.1 &* 5, 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = rotated(state.3, 45)
    return result
  }
}
