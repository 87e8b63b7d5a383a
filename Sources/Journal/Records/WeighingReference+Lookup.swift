import GRDB
import Weighing

/// Why a reference does not lead to a weighing that can be voided or relabelled.
enum ReferenceError: Error {
  /// The id is not that of a weighing.
  case unknown
  /// The weighing is already voided, or there is none.
  case nothingToVoid
}

extension RecordedWeighing {
  /// The weighing that a void or a relabel refers to.
  ///
  /// - Throws: `ReferenceError` if there is no such weighing, or it is voided.
  static func standing(_ reference: WeighingReference, _ db: Database) throws -> RecordedWeighing {
    let weighing: RecordedWeighing
    switch reference {
    case .last:
      guard let last = try lastWeighing(db) else { throw ReferenceError.nothingToVoid }
      weighing = last
    case .id(let id):
      let found = try fetchAll(db, sql: "FROM weighings w WHERE w.id = ?", arguments: [id.description]).first
      guard let found, found.kind == .weighing else { throw ReferenceError.unknown }
      weighing = found
    case .unknown:
      throw ReferenceError.unknown
    }
    let void = try Int.fetchOne(
      db.cachedStatement(sql: "SELECT sequence FROM weighings WHERE voids = ?"), arguments: [weighing.id.description])
    if void != nil { throw ReferenceError.nothingToVoid }
    return weighing
  }

  /// The last weighing, voided or not; `nil` if there is none.
  private static func lastWeighing(_ db: Database) throws -> RecordedWeighing? {
    try fetchAll(
      db, sql: "FROM weighings w WHERE w.voids IS NULL AND w.amends IS NULL ORDER BY w.sequence DESC LIMIT 1",
      arguments: []
    ).first
  }

  /// The newest weighing that is not voided, with its effective label; `nil` if there is none.
  static func lastStanding(_ db: Database) throws -> RecordedWeighing? {
    let last = try fetchAll(
      db,
      sql: """
        FROM weighings w WHERE w.voids IS NULL AND w.amends IS NULL
          AND NOT EXISTS (SELECT 1 FROM weighings v WHERE v.voids = w.id)
        ORDER BY w.sequence DESC LIMIT 1
        """, arguments: []
    ).first
    guard var last else { return nil }
    let relabel = try fetchAll(
      db, sql: "FROM weighings w WHERE w.amends = ? ORDER BY w.sequence DESC LIMIT 1", arguments: [last.id.description]
    ).first
    if let relabel { last.label = relabel.label }
    return last
  }
}
