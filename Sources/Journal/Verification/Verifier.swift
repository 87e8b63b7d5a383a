import Foundation
import GRDB
import Languages
import Weighing

/// Checks a journal from its first record to its last.
struct Verifier {
  private let db: Database
  private let mark: HighWaterMark.Value?
  private var found = Verification()

  /// - Parameter mark: The high-water mark as read before the check.
  init(_ db: Database, mark: HighWaterMark.Content) {
    self.db = db
    self.mark = mark.value
    found.isMarkDamaged = mark == .damaged
  }

  /// Checks everything.
  mutating func verify() throws -> Verification {
    try checkFile()
    do {
      try checkSchema()
      let end = try checkChain()
      try checkReferences()
      try checkHead(end)
      try checkMark(end)
    } catch let error as DatabaseError {
      report(.damaged, Sentence(.verifyRest, ["error": Self.text(error)]))
    }
    return found
  }

  /// The missing numbers at the end.
  private mutating func checkMark(_ end: ChainWalk) throws {
    found.losses = end.losses
    guard let mark else { return }
    let continuity = Continuity(sequence: end.head.sequence, digest: try Continuity.hash(of: mark.sequence, db))
    guard let loss = continuity.loss(mark) else { return }
    let isMissing = loss.to > continuity.sequence
    report(isMissing ? .missing : .altered, loss.sentence, sequence: loss.from == loss.to ? loss.from : nil)
  }

  private mutating func report(
    _ kind: Verification.Kind, _ sentence: Sentence, position: Int? = nil, sequence: Int? = nil
  ) {
    found.faults.append(
      Verification.Fault(kind: kind, position: position, sequence: sequence, sentence: sentence))
  }

  private mutating func checkFile() throws {
    do {
      for line in try String.fetchAll(db, sql: "PRAGMA integrity_check") where line != "ok" {
        report(.damaged, .verbatim(line))
      }
      for row in try Row.fetchAll(db, sql: "PRAGMA foreign_key_check") {
        report(.inconsistent, Sentence(.verifyReference, ["table": row[0] as String]))
      }
    } catch let error as DatabaseError {
      report(.damaged, .verbatim(Self.text(error)))
    }
  }

  private mutating func checkSchema() throws {
    let expected = try Schema.expected(of: db)
    let actual = try Schema.description(db)
    for line in expected where !actual.contains(line) {
      report(.schema, Sentence(.verifySchemaMissing, ["element": Self.short(line)]))
    }
    if try db.tableExists("head"), try Schema.migrator.appliedMigrations(db).isEmpty {
      report(.schema, Sentence(.verifySchemaVersions))
    }
    let isSuperseded = try Schema.migrator.hasBeenSuperseded(db)
    for line in actual where !expected.contains(line) && !(isSuperseded && Schema.isAdditive(line)) {
      report(.schema, Sentence(.verifySchemaUnexpected, ["element": Self.short(line)]))
    }
  }

  private static func text(_ error: DatabaseError) -> String { error.message ?? "SQLite \(error.resultCode.rawValue)" }

  private static func short(_ line: String) -> String { line.split(separator: " ").prefix(2).joined(separator: " ") }

  /// Merges both tables by position and checks each record against the previous one.
  private mutating func checkChain() throws -> ChainWalk {
    var weighings = try StoredLinks(db, .weighings)
    var audits = try StoredLinks(db, .audit)
    var walk = ChainWalk()
    while true {
      let weighing = weighings.next
      let audit = audits.next
      guard let stored = [weighing, audit].compactMap({ $0 }).min(by: { $0.position < $1.position }) else { break }
      switch stored.link.table {
      case .weighings:
        found.weighings += 1
        try weighings.advance()
      case .audit:
        found.audits += 1
        try audits.advance()
      }
      found.faults += walk.step(stored)
    }
    return walk
  }

  /// Checks that every void reverses an earlier weighing, and every relabel refers to one.
  ///
  /// A record that only differs from an altered one is itself intact.
  private mutating func checkReferences() throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT r.position, r.sequence, w.sequence AS subject, w.sequence IS NULL OR w.sequence >= r.sequence OR w.voids IS NOT NULL
          OR w.amends IS NOT NULL AS is_astray
        FROM weighings r LEFT JOIN weighings w ON w.id = ifnull(r.voids, r.amends)
        WHERE (r.voids IS NOT NULL OR r.amends IS NOT NULL) AND (is_astray
          OR r.voids IS NOT NULL AND (r.gross_g <> -w.gross_g OR r.tare_g <> -w.tare_g OR r.net_g <> -w.net_g
            OR r.pieces IS NOT -w.pieces)
          OR r.amends IS NOT NULL AND (r.gross_g <> 0 OR r.tare_g <> 0 OR r.net_g <> 0 OR r.pieces IS NOT NULL))
        ORDER BY r.sequence
        """)
    let altered = Set(found.faults.filter { $0.kind == .altered }.compactMap(\.sequence))
    while let row = try rows.next() {
      if let subject = Int.fromDatabaseValue(row["subject"]), altered.contains(subject) { continue }
      let isAstray: Bool = row["is_astray"]
      report(
        .inconsistent, Sentence(isAstray ? .verifyAstray : .verifyMasses),
        position: Int.fromDatabaseValue(row["position"]), sequence: Int.fromDatabaseValue(row["sequence"]))
    }
  }

  private mutating func checkHead(_ end: ChainWalk) throws {
    guard let head = try Head.fetch(db) else {
      if end.head.position > 0 { report(.head, Sentence(.verifyNoHead)) }
      return
    }
    if try Int.fetchAll(db, sql: "SELECT only FROM head") != [1] {
      report(.head, Sentence(.verifyHeads))
    }
    let expected = end.head
    let numbers = [("position", head.position, expected.position), ("sequence", head.sequence, expected.sequence)]
    let counters = AuditKind.allCases.map {
      ("\($0.rawValue)_counter", head.counters[$0] ?? 0, expected.counters[$0] ?? 0)
    }
    for (name, said, counted) in numbers + counters where said != counted {
      report(.head, Sentence(.verifyHeadDiffers, ["name": name, "said": said, "counted": counted]))
    }
    if head.hash != expected.hash { report(.head, Sentence(.verifyHeadHash)) }
  }
}

/// A record with its stored hash.
struct StoredLink {
  let link: ChainLink
  let position: Int
  let hash: Digest
}

/// The records of a table by position, with one record of look-ahead.
private struct StoredLinks {
  private let table: ChainLink.Table
  private let rows: RowCursor
  private(set) var next: StoredLink?

  init(_ db: Database, _ table: ChainLink.Table) throws {
    self.table = table
    rows = try Row.fetchCursor(
      db, sql: "SELECT \(table.selection("t")), t.hash FROM \(table.rawValue) t ORDER BY t.position")
    try advance()
  }

  mutating func advance() throws {
    next = try rows.next().map { row in
      let link = ChainLink(table, row)
      let hash = Data.fromDatabaseValue(row[table.columns.count]) ?? Data()
      return StoredLink(link: link, position: link.values[0].integer ?? 0, hash: Digest(stored: Array(hash)))
    }
  }
}
