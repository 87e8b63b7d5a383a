import GRDB
import Weighing

/// What a journal finds and records about itself when it is opened.
struct Reconciliation {
  /// The head, and the chain hash of its last weighing.
  let end: (head: Head, digest: Digest?)
  /// The counter of the last `journal` entry in the audit trail before the oldest incident that is not announced.
  let announced: Int?
  /// The incidents that are not announced.
  let incidents: [JournalIncident]

  /// Records a loss, reverses a rejected weighing, and finds what is to be announced.
  ///
  /// - Parameters:
  ///   - keptAside: The copy of the file that has lost weighings.
  ///   - rejected: A weighing whose request was rejected, if it may be in the journal; the log is empty then.
  ///   - identifiers: The source of the id of the reversal.
  ///   - time: The time since 1970 in UTC.
  ///   - beforeWriting: Called before anything is written.
  init(
    _ queue: DatabaseQueue, with mark: HighWaterMark.Value?, _ salvaged: SalvagedState?, keptAside: String?,
    rejected: HighWaterMark.Value?, with identifiers: IdentifierSource, at time: Instant,
    beforeWriting: () throws -> Void
  ) throws {
    var entries = [mark?.announced]
    if try Self.mustRecordLoss(in: queue, with: mark, salvaged) {
      try beforeWriting()
      entries.append(
        try queue.write { db in try Self.recordLoss(in: db, with: mark, salvaged, keptAside: keptAside, at: time) })
    }
    if let rejected {
      entries.append(try queue.write { db in try Self.reverse(rejected, in: db, with: identifiers, at: time) })
    }
    let earliest = entries.compactMap(\.self).min()
    (end, announced, incidents) = try queue.readConsistently { db in
      let end = try Self.end(db)
      let announced = earliest ?? end.head.counters[.journal]
      return (end, announced, try Self.incidents(db, after: announced ?? 0))
    }
  }

  /// Whether weighings are missing, or a new file continues a salvaged one.
  private static func mustRecordLoss(
    in queue: DatabaseQueue, with mark: HighWaterMark.Value?, _ salvaged: SalvagedState?
  ) throws -> Bool {
    try queue.readConsistently { db in
      let isBegun = try db.tableExists("head") && Head.fetch(db) != nil
      return try Continuity(db, with: mark).loss(mark) != nil || !isBegun && salvaged != nil
    }
  }

  /// Begins the chain of a new file that continues a salvaged one, and records the weighings that are missing.
  ///
  /// - Returns: The counter of the last `journal` entry in the audit trail before the loss; `nil` if there is no loss.
  private static func recordLoss(
    in db: Database, with mark: HighWaterMark.Value?, _ salvaged: SalvagedState?, keptAside: String?, at time: Instant
  ) throws -> Int? {
    let isNew = try Head.fetch(db) == nil
    var loss = try Continuity(db, with: mark).loss(mark)
    if isNew, let salvaged {
      loss = JournalLoss(
        from: salvaged.first ?? 1, to: max(salvaged.sequence, mark?.sequence ?? 0), keptAside: salvaged.keptAside,
        reason: salvaged.reason)
    } else {
      loss?.keptAside = keptAside
    }
    var appender = try Appender(db, identifiers: .random, salvaged: salvaged, at: time)
    guard let loss, loss.to >= loss.from else { return nil }
    let before = appender.head.counters[.journal] ?? 0
    try appender.append(loss, at: time)
    return before
  }

  /// Records that the numbers after the last weighing up to `known` are missing.
  ///
  /// - Returns: The loss, and the counter of the last `journal` entry in the audit trail before it; `nil` if nothing is missing.
  static func recordGap(
    in db: Database, to known: Int, reason: String, keptAside: String?, at time: Instant
  ) throws -> (loss: JournalLoss, before: Int)? {
    let sequence = try Head.fetch(db)?.sequence ?? 0
    guard sequence < known else { return nil }
    var appender = try Appender(db, identifiers: .random, salvaged: nil, at: time)
    let loss = JournalLoss(from: sequence + 1, to: known, keptAside: keptAside, reason: reason)
    let before = appender.head.counters[.journal] ?? 0
    try appender.append(loss, at: time)
    return (loss, before)
  }

  /// Reverses a weighing whose request was rejected if the journal has it.
  ///
  /// - Returns: The counter of the last `journal` entry in the audit trail before that; `nil` if there is nothing to reverse.
  private static func reverse(
    _ rejected: HighWaterMark.Value, in db: Database, with identifiers: IdentifierSource, at time: Instant
  ) throws -> Int? {
    guard try Head.fetch(db) != nil else { return nil }
    var appender = try Appender(db, identifiers: identifiers, salvaged: nil, at: time)
    let before = appender.head.counters[.journal] ?? 0
    return try appender.reverse(rejected, at: time).map { _ in before }
  }

  /// The head and the chain hash of its last weighing. A new file without a head counts as an empty journal.
  static func end(_ db: Database) throws -> (head: Head, digest: Digest?) {
    let head = try Head.fetch(db) ?? Head()
    return (head, try Continuity.hash(of: head.sequence, db))
  }

  /// The incidents in the audit trail after the `journal` entry with a counter.
  private static func incidents(_ db: Database, after counter: Int) throws -> [JournalIncident] {
    let kind = AuditKind.journal
    let details = try String.fetchAll(
      db, sql: "SELECT detail FROM audit WHERE kind = ? AND counter > ? ORDER BY counter",
      arguments: [kind.rawValue, counter])
    return details.compactMap { AuditEntry(kind: kind, detail: $0).incident }
  }
}
