import Linux
import Messages
import Testing
import Weighing

@testable import Fleet

/// Identifiers that two devices claim, and records that differ from the stored one, in a real PostgreSQL: nothing is lost, and
/// each is shown.
@Suite struct ConflictTests {
  private let now = Instant(nanoseconds: 1_795_000_000_000_000_000)

  private func record(
    _ device: String, _ sequence: Int, label: String? = nil, id: WeighingID? = nil
  ) throws -> CollectedRecord {
    try CollectedRecord(device: device, payload: Records.payload(sequence, id: id, label: label))
  }

  private func conflicts(_ connection: borrowing PostgresConnection) throws -> [[String?]] {
    try connection.perform(
      "SELECT device, other_device, sequence, record->>'label' FROM conflict ORDER BY 1, 2, 3, 4")
  }

  @Test func anIdentifierOfTwoDevicesIsStoredForBoth() throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let connection = try PostgresConnection(url)
    let (honest, copy) = (try record("kitchen", 1, label: "rye"), try record("copy", 1, label: "rye"))
    #expect(try store.save([copy], at: now) == FleetStore.Saved(stored: 1))
    #expect(try store.save([honest], at: now) == FleetStore.Saved(stored: 1, idConflicts: 1))
    #expect(try store.save([copy, honest, copy], at: now) == FleetStore.Saved(duplicates: 3))
    #expect(try connection.perform("SELECT device FROM weighing ORDER BY 1") == [["copy"], ["kitchen"]])
    #expect(try conflicts(connection) == [["kitchen", "copy", "1", "rye"]])
    #expect(
      try connection.perform("SELECT id, missing, conflicts, id_conflicts FROM device_status ORDER BY id")
        == [["copy", "0", "0", "1"], ["kitchen", "0", "0", "1"]])
    #expect(try FleetReport(database: url).devices.map(\.idConflicts) == [1, 1])
    #expect(try store.fleet().idConflicts == 1)
  }

  /// A card copied with a full outbox, and a new `device.id`: both publish what they have, in any order and repeatedly.
  @Test(arguments: 0..<6 as Range<UInt64>) func aCopiedCardHidesNothing(_ seed: UInt64) throws {
    var generator = Xoshiro(seed)
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let shared = Int.random(in: 5...60, using: &generator)
    let ends = ["kitchen": shared + Int.random(in: 0...9, using: &generator), "copy": shared + 3]
    var pending: [CollectedRecord] = []
    for (device, end) in ends.sorted(by: { $0.key < $1.key }) {
      for sequence in 1...end {
        // What was recorded after the copy was made has identifiers of its own.
        let id = sequence <= shared ? Records.id(sequence) : Records.id(sequence, salt: device == "copy" ? 7 : 8)
        let isVoid = device == "kitchen" && sequence == shared + 1
        let payload = Records.payload(
          sequence, id: id, kind: isVoid ? "void" : "weighing", voids: isVoid ? Records.id(1) : nil)
        let record = try CollectedRecord(device: device, payload: payload)
        for _ in 0..<Int.random(in: 1...3, using: &generator) { pending.append(record) }
      }
    }
    pending.shuffle(using: &generator)
    var saved = FleetStore.Saved()
    while !pending.isEmpty {
      let count = min(pending.count, Int.random(in: 1...40, using: &generator))
      saved += try store.save(Array(pending[..<count]), at: now)
      pending.removeSubrange(..<count)
    }
    #expect(saved.stored == ends.values.reduce(0, +) && saved.conflicts == 0 && saved.idConflicts == shared)
    let connection = try PostgresConnection(url)
    #expect(
      try connection.perform(
        "SELECT d.id, d.missing, d.id_conflicts, count(*) FROM device_status d JOIN weighing w ON w.device = d.id GROUP BY 1, 2, 3 ORDER BY 1"
      )
        == ends.sorted { $0.key < $1.key }.map { [$0.key, "0", "\(shared)", "\($0.value)"] })
    // The void concerns the scale that has it.
    let voided = ends["kitchen", default: 0] > shared ? 2 : 0
    #expect(
      try connection.perform("SELECT device, count(*) FROM effective_weighing GROUP BY 1 ORDER BY 1") == [
        ["copy", "\(shared + 3)"], ["kitchen", "\(ends["kitchen", default: 0] - voided)"],
      ])
  }

  /// A record with the identifier of a stored one and other content is kept beside it, once; its number stays missing.
  @Test(arguments: [false, true]) func aRecordThatDiffersIsKept(_ isOneBatch: Bool) throws {
    let url = try Postgres.database()
    var store = try FleetStore(url)
    let connection = try PostgresConnection(url)
    let first = try record("lab", 1, label: "rye", id: Records.id(1))
    let others = [
      try record("lab", 1, label: "oats", id: Records.id(1)), try record("lab", 1, label: nil, id: Records.id(1)),
      try record("lab", 3, label: "rye", id: Records.id(1)),
    ]
    let later = try record("lab", 4)
    var saved = FleetStore.Saved()
    for batch in isOneBatch ? [[first] + others + [first, later]] : [[first], others, [first], [later]] {
      saved += try store.save(batch, at: now)
    }
    #expect(saved == FleetStore.Saved(stored: 2, duplicates: 1, idConflicts: 3))
    #expect(try store.save(others, at: now) == FleetStore.Saved(duplicates: 3))
    #expect(try connection.perform("SELECT sequence, label FROM weighing ORDER BY 1") == [["1", "rye"], ["4", nil]])
    #expect(
      try conflicts(connection) == [
        ["lab", "lab", "1", "oats"], ["lab", "lab", "1", nil], ["lab", "lab", "3", "rye"],
      ])
    #expect(
      try connection.perform("SELECT missing_ranges, id_conflicts FROM device JOIN device_status USING (id)")
        == [["{[2,4)}", "1"]])
    try connection.perform("UPDATE conflict SET received = now() - interval '40 days'")
    try store.keep(days: 60)
    _ = try store.dropExpired(at: .wallClock())
    #expect(try conflicts(connection).count == 3)
    try store.keep(days: 30)
    _ = try store.dropExpired(at: .wallClock())
    #expect(try conflicts(connection).isEmpty)
  }
}
