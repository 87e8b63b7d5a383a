import Messages
import Weighing

/// The database of the collector, on the collector's thread.
struct FleetStore: ~Copyable {
  /// A request for missing records.
  struct Request: Hashable, Sendable {
    let device: String
    let range: ClosedRange<Int>
  }

  /// What became of records.
  struct Saved: Hashable, Sendable {
    /// Those that were not in the database.
    var stored = 0
    /// Those that were.
    var duplicates = 0
    /// Those with the sequence of another record of the device.
    var conflicts = 0
    /// Those with an identifier that another device has, which are stored as well, and those that differ from the stored one;
    /// each when it is first seen.
    var idConflicts = 0

    static func += (sum: inout Saved, other: Saved) {
      sum.stored += other.stored
      sum.duplicates += other.duplicates
      sum.conflicts += other.conflicts
      sum.idConflicts += other.idConflicts
    }
  }

  private let connection: PostgresConnection
  /// The months that have a partition.
  private var months: Set<Partition.Month> = []
  /// When to create partitions again, after a program was in the way.
  private var nextCreation = Instant(nanoseconds: .min)
  private static let creationRetry = Interval.seconds(300)
  /// The devices that have a row, up to a number.
  private var devices: Set<String> = []
  private static let deviceCapacity = 200_000

  /// Opens the database; see `FleetDatabase.open`.
  init(_ url: String, grants: Bool = false) throws(FleetError) {
    self.init(try FleetDatabase.open(url, grants: grants))
  }

  // Swift 6.2 crashes if an initialiser throws after properties have received their default values.
  private init(_ connection: consuming PostgresConnection) { self.connection = connection }

  // MARK: - Records

  /// Stores records and what they reveal about missing ones.
  ///
  /// A record that is stored already changes nothing but when the device was last seen.
  ///
  /// - Parameter now: The current time since 1970 in UTC.
  @discardableResult
  mutating func save(_ records: [CollectedRecord], at now: Instant) throws(PostgresError) -> Saved {
    guard !records.isEmpty else { return Saved() }
    try createPartitions(for: Self.months(of: records), at: now)
    try add(Set(records.map(\.device)))
    var saved = Saved()
    var rest = records
    while !rest.isEmpty {
      let (distinct, others) = Self.divided(rest)
      saved += try saveDistinct(distinct)
      saved.duplicates += rest.count - distinct.count - others.count
      rest = others
    }
    return saved
  }

  /// The first record with each identifier, and those that differ from it: a statement does not see the rows that it inserts.
  private static func divided(_ records: [CollectedRecord]) -> (distinct: [CollectedRecord], others: [CollectedRecord])
  {
    var first: [WeighingID: CollectedRecord] = [:]
    first.reserveCapacity(records.count)
    var (distinct, others): ([CollectedRecord], [CollectedRecord]) = ([], [])
    distinct.reserveCapacity(records.count)
    for record in records {
      if let known = first[record.id] {
        if known != record { others.append(record) }
      } else {
        first[record.id] = record
        distinct.append(record)
      }
    }
    return (distinct, others)
  }

  /// Stores records with different identifiers in one transaction.
  private mutating func saveDistinct(_ records: [CollectedRecord]) throws(PostgresError) -> Saved {
    let names = Set(records.map(\.device))
    let input = [RowText.array(records.lazy.map(\.row))]
    var counts = try performSaving(input)
    if counts[2] < names.count { try addAgain(names) }
    // Again, if the state of a device is not stored because its row was missing, or if a record is neither stored nor compared:
    // another collector has just stored one with its identifier.
    if counts[2] < names.count || counts[0] + counts[3] < records.count {
      counts = zip(counts, try performSaving(input)).map { $0 + $1 }
    }
    return Saved(
      stored: counts[0], duplicates: records.count - counts[0] - counts[5], conflicts: counts[1], idConflicts: counts[4]
    )
  }

  /// The numbers that `saving` returns.
  private func performSaving(_ input: [String]) throws(PostgresError) -> [Int] {
    try connection.transaction { (connection) throws(PostgresError) in
      let rows = try connection.perform(Self.saving, input)
      let devices = rows.compactMap { row -> DeviceRow? in
        guard var device = DeviceRow(row[Self.countCount...]) else { return nil }
        device.gaps.add(RangeSet(multirange: row[row.count - 2] ?? ""))
        device.weighings = row[row.count - 1].flatMap { Int($0) } ?? 0
        return device
      }
      try DeviceRow.write(devices, isAlive: true, in: connection)
      return rows[0].prefix(Self.countCount).map { $0.flatMap { Int($0) } ?? 0 }
    }
  }

  /// The months of records; a month is looked up once for each day.
  private static func months(of records: [CollectedRecord]) -> Set<Partition.Month> {
    let day = 86_400_000
    return Set(Set(records.map { $0.milliseconds / day }).compactMap { Partition.Month(of: $0 * day) })
  }

  /// Creates the partitions of months, except of those that are in the future.
  ///
  /// That needs a lock which a program that reads all weighings does not leave. Records without a partition are in
  /// `weighing_other` until there is one.
  private mutating func createPartitions(for wanted: Set<Partition.Month>, at now: Instant) throws(PostgresError) {
    guard let current = Partition.Month(of: Int(now.nanoseconds / 1_000_000)), nextCreation <= .now() else { return }
    for month in wanted.subtracting(months) where month <= current.next {
      do throws(PostgresError) {
        try Partition.create(month, in: connection)
        months.insert(month)
      } catch  where error.isTimeout {
        nextCreation = .now() + Self.creationRetry
        return
      }
    }
  }

  /// Makes rows for new devices.
  private mutating func add(_ names: Set<String>) throws(PostgresError) {
    // Set.subtracting looks up all known devices, of which there are many more than names.
    let new = names.filter { !devices.contains($0) }
    guard !new.isEmpty else { return }
    let json = JSONWriter.array { json in for name in new { json.string(name) } }
    try connection.perform(
      "INSERT INTO device (id) SELECT jsonb_array_elements_text($1::jsonb) ORDER BY 1 ON CONFLICT DO NOTHING",
      [String(decoding: json, as: UTF8.self)])
    // A row that is there is not inserted again.
    if devices.count + new.count > Self.deviceCapacity { devices = [] }
    devices.formUnion(new)
  }

  /// Makes rows for devices whose rows were deleted, for example to hide a scale that has come back.
  private mutating func addAgain(_ names: Set<String>) throws(PostgresError) {
    devices.subtract(names)
    try add(names)
  }

  // MARK: - Retention

  /// Sets for how many days after the end of its month a weighing is kept; 0 keeps all.
  func keep(days: Int) throws(FleetError) {
    do throws(PostgresError) {
      try Retention.set(days: days, in: connection)
    } catch {
      throw error.isDenied ? .mayNotSetRetention : .database(error)
    }
  }

  /// Drops the partitions that have expired; creates that of the next month.
  ///
  /// The state of devices stays: what was stored and dropped is not asked for again.
  ///
  /// - Parameter now: The current time since 1970 in UTC.
  mutating func dropExpired(at now: Instant) throws(PostgresError) -> Retention.Outcome {
    if let month = Partition.Month(of: Int(now.nanoseconds / 1_000_000)) {
      try createPartitions(for: [month, month.next], at: now)
    }
    // Records of a dropped month may still arrive, also of one that another collector has dropped.
    months = []
    return try Retention.apply(at: now, in: connection)
  }

  // MARK: - Counts

  /// Sums up all devices.
  func fleet() throws(PostgresError) -> CollectorMetrics.Fleet {
    let row = try connection.perform(
      """
      SELECT count(*), count(*) FILTER (WHERE missing > 0), sum(missing), sum(lost),
        (SELECT count(DISTINCT id) FROM conflict)
      FROM device
      """)[0]
    let counts = row.map { $0.flatMap { Int($0) } ?? 0 }
    return CollectorMetrics.Fleet(
      devices: counts[0], incomplete: counts[1], missing: counts[2], lost: counts[3], idConflicts: counts[4])
  }

  // MARK: - Health

  /// Stores the health of devices: the newest payload of each. One that the broker had retained is no sign of life.
  mutating func save(health: [String: CollectedHealth]) throws(PostgresError) {
    guard !health.isEmpty else { return }
    try add(Set(health.keys))
    for isRetained in [false, true] {
      let part = health.filter { $0.value.isRetained == isRetained }
      guard !part.isEmpty else { continue }
      let rows = part.map { device, health in
        var row = RowText()
        row.append(device.utf8)
        row.append(health.payload)
        row.append("\(health.sequence)".utf8)
        return row
      }
      let input = [RowText.array(rows), "\(isRetained)"]
      guard try performSavingHealth(input) < part.count else { continue }
      try addAgain(Set(part.keys))
      _ = try performSavingHealth(input)
    }
  }

  /// Returns the number of devices that have a row.
  private func performSavingHealth(_ input: [String]) throws(PostgresError) -> Int {
    try connection.transaction { (connection) throws(PostgresError) in
      let rows = try connection.perform(Self.savingHealth, input)
      let changed = rows.compactMap { row -> DeviceRow? in
        guard var device = DeviceRow(row) else { return nil }
        let before = device.gaps
        device.gaps.learn(of: row[row.count - 1].flatMap { Int($0) } ?? 0)
        return device.gaps == before ? nil : device
      }
      try DeviceRow.write(changed, isAlive: false, in: connection)
      return rows.count
    }
  }

  /// Returns the devices, whose rows it has locked, with the sequences that they tell of. No indexed column changes.
  private static let savingHealth = """
    WITH input AS MATERIALIZED (
      SELECT * FROM unnest($1::health_input[])
    ), locked AS MATERIALIZED (
      SELECT d.id, i.health, i.sequence FROM device d JOIN input i ON i.device = d.id ORDER BY d.id FOR UPDATE OF d
    )
    UPDATE device d SET
      last_seen = CASE WHEN $2::boolean THEN d.last_seen ELSE now() END,
      version = l.health->>'version', clock = l.health->>'clock', calibration = l.health->>'calibration',
      health = l.health
    FROM locked l WHERE d.id = l.id RETURNING \(DeviceRow.columns), l.sequence
    """

  // MARK: - Missing records

  /// Takes the requests that are due, of up to a number of devices; another collector gets others.
  func dueRequests(limit: Int) throws(PostgresError) -> [Request] {
    try connection.transaction { (connection) throws(PostgresError) in
      let rows = try connection.perform(
        """
        SELECT \(DeviceRow.columns) FROM device d
        WHERE missing_ranges <> '{}' AND coalesce(next_request, now()) <= now()
        ORDER BY next_request LIMIT \(limit) FOR UPDATE SKIP LOCKED
        """)
      var requests: [Request] = []
      var devices = rows.compactMap { DeviceRow($0) }
      for index in devices.indices {
        requests += devices[index].gaps.takeRequests().map { Request(device: devices[index].device, range: $0) }
      }
      try DeviceRow.write(devices, isAlive: false, in: connection)
      return requests
    }
  }

  /// Stores that a device does not have records.
  func save(_ report: ResendReport, of device: String) throws(PostgresError) {
    try connection.transaction { (connection) throws(PostgresError) in
      let rows = try connection.perform(
        "SELECT \(DeviceRow.columns) FROM device d WHERE id = $1 FOR UPDATE", [device])
      guard var device = rows.first.flatMap({ DeviceRow($0) }) else { return }
      device.gaps.learn(from: report)
      try DeviceRow.write([device], isAlive: true, in: connection)
    }
  }
}
