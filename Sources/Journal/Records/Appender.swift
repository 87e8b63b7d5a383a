import Foundation
import GRDB
import Weighing

/// Adds records to the end of the chain within a transaction that holds the write lock.
struct Appender {
  let db: Database
  let identifiers: IdentifierSource
  private(set) var head: Head
  /// The hash of the last weighing that was added; `nil` before the first.
  private(set) var weighingHash: Digest?

  /// Starts from the head; in a file without one, begins the chain, continuing from the state salvaged from an earlier file if
  /// there are any.
  init(_ db: Database, identifiers: IdentifierSource, salvaged: SalvagedState?, at time: Instant) throws {
    (self.db, self.identifiers) = (db, identifiers)
    if let head = try Head.fetch(db) {
      self.head = head
      return
    }
    guard try Int.fetchOne(db, sql: "SELECT (SELECT count(*) FROM weighings) + (SELECT count(*) FROM audit)") == 0
    else {
      throw Unreadable("the head is missing")
    }
    head = Head(sequence: salvaged?.sequence ?? 0, counters: salvaged?.counters ?? [:])
    try head.store(db)
    try append(salvaged.map(AuditEntry.continued) ?? .begun, at: time)
  }

  /// Adds an entry to the audit trail.
  mutating func append(_ entry: AuditEntry, at time: Instant) throws {
    let counter = (head.counters[entry.kind] ?? 0) + 1
    let record = AuditRecord(
      position: head.position + 1, sequence: head.sequence, time: time, entry: entry, counter: counter)
    head.counters[entry.kind] = counter
    try append(record.link)
  }

  /// Records a loss of weighings; numbering continues above them.
  mutating func append(_ loss: JournalLoss, at time: Instant) throws {
    head.sequence = max(head.sequence, loss.to)
    try append(.lost(loss), at: time)
  }

  /// Records the current calibration and configuration if they differ from the last recorded ones.
  mutating func append(_ settings: RecordSettings) throws {
    for entry in [AuditEntry.calibration(settings.calibrationHash), .configuration(settings.configurationHash)] {
      let last = try String.fetchOne(
        db.cachedStatement(sql: "SELECT detail FROM audit WHERE kind = ? ORDER BY counter DESC LIMIT 1"),
        arguments: [entry.kind.rawValue])
      if last != entry.detail { try append(entry, at: settings.time) }
    }
  }

  /// Records a weighing, a void or a relabel, and adds it to the outbox.
  ///
  /// - Throws: `ReferenceError` if there is no weighing that can be voided or relabelled.
  mutating func append(
    _ draft: WeighingDraft, configurationHash: String, clock: ClockState?, at time: Instant
  ) throws -> RecordedWeighing {
    let last = try RecordedWeighing.last(db)
    let measurement: Weighing.Measurement
    var label = draft.label
    var voided: WeighingID?
    var amended: WeighingID?
    switch draft.kind {
    case .weighing(let weighed): measurement = weighed
    case .void(let reference):
      let weighing = try RecordedWeighing.standing(reference, db)
      measurement = weighing.measurement.reversed
      label = weighing.label
      voided = weighing.id
    case .relabel(let reference):
      let weighing = try RecordedWeighing.standing(reference, db)
      measurement = weighing.measurement.nothing
      amended = weighing.id
    }
    let record = RecordedWeighing(
      id: identifier(after: last?.id, at: time), sequence: head.sequence + 1, time: time, measurement: measurement,
      label: label, source: draft.request.source, calibrationCounter: head.counters[.calibration] ?? 0,
      configurationHash: configurationHash, voids: voided, amends: amended, clock: clock)
    let link = record.link(position: head.position + 1)
    guard let stored = RecordedWeighing(link) else { throw Unstorable() }
    head.sequence = record.sequence
    try append(link)
    try db.cachedStatement(sql: "INSERT INTO outbox (sequence) VALUES (?)").execute(arguments: [record.sequence])
    if let voided { try append(.void(voided, by: record.id), at: time) }
    return stored
  }

  private mutating func append(_ link: ChainLink) throws {
    let hash = link.hash(after: head.hash)
    let names = link.table.columns.map(\.name) + ["hash"]
    let placeholders = Array(repeating: "?", count: names.count).joined(separator: ", ")
    let values: [any DatabaseValueConvertible] = link.values + [Data(hash.bytes)]
    try db.cachedStatement(
      sql: "INSERT INTO \(link.table.rawValue) (\(names.joined(separator: ", "))) VALUES (\(placeholders))"
    )
    .execute(arguments: StatementArguments(values))
    head.position += 1
    head.hash = hash
    if link.table == .weighings { weighingHash = hash }
    try head.store(db)
  }

  /// The next id: greater than the last one even if the clock was set back a little (RFC 9562, 6.2, method 2). Set back
  /// further, the ids follow the clock: an id with a wrong time would be found in no search for its record.
  private func identifier(after last: WeighingID?, at time: Instant) -> WeighingID {
    let randomness: (UInt64, UInt64)
    switch identifiers {
    case .random:
      randomness = (.random(in: .min ... .max), .random(in: .min ... .max))
    case .derived:
      let text = "\(head.sequence + 1) \(time.nanoseconds)"
      let digest = Digest(of: head.hash.bytes + Array(text.utf8))
      randomness = (digest.word(at: 0), digest.word(at: 8))
    }
    let fresh = WeighingID(time: time, randomness: randomness)
    guard let last, fresh.milliseconds <= last.milliseconds,
      last.milliseconds - fresh.milliseconds < WeighingID.largestLead
    else { return fresh }
    return last.advanced(by: randomness.1 & 0xffff_ffff)
  }
}

extension WeighingID {
  /// How far the time in an id may be ahead of the clock, in milliseconds. NTP steps a clock by less in normal operation; more
  /// makes searches by id miss records.
  static let largestLead: UInt64 = 10_000

  /// The milliseconds since 1970 in the id.
  var milliseconds: UInt64 { high >> 16 }

  /// Whether it can be the id of a record of a time that follows a record with the id `last`.
  func follows(_ last: WeighingID, at time: Instant) -> Bool {
    if (high, low) > (last.high, last.low) { return true }
    let isFresh = milliseconds == UInt64(max(time.nanoseconds, 0) / 1_000_000)
    return isFresh && last.milliseconds >= milliseconds + Self.largestLead
  }

  /// A greater id, usually in the same millisecond: its 74 random bits as a number, plus `step` plus one.
  func advanced(by step: UInt64) -> WeighingID {
    let sum = (low & 0x3fff_ffff_ffff_ffff) + step + 1
    let middle = (high & 0x0fff) + sum >> 62
    let later = Instant(nanoseconds: Int64(clamping: (milliseconds + middle >> 12) * 1_000_000))
    return WeighingID(time: later, randomness: (middle & 0x0fff, sum & 0x3fff_ffff_ffff_ffff))
  }
}

/// A draft with numbers that cannot be stored, such as a mass that is not a number.
struct Unstorable: Error {}

/// The configuration and calibration of new records, and since when they apply.
struct RecordSettings: Hashable, Sendable {
  var configurationHash: String
  var calibrationHash: String
  var time: Instant
}
