import GRDB
import Weighing

/// Why a reference does not lead to a weighing that can be voided or relabelled.
enum ReferenceError: Error {
  /// The id or the number is not that of a weighing.
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
      weighing = try self.weighing("w.id = ?", [id.description], db)
    case .sequence(let number):
      weighing = try self.weighing("w.sequence = ?", [number], db)
    case .unknown:
      throw ReferenceError.unknown
    }
    let void = try Int.fetchOne(
      db.cachedStatement(sql: "SELECT sequence FROM weighings WHERE voids = ?"), arguments: [weighing.id.description])
    if void != nil { throw ReferenceError.nothingToVoid }
    return weighing
  }

  /// The weighing that fulfils a condition.
  private static func weighing(
    _ condition: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> RecordedWeighing {
    let found = try fetchAll(db, sql: "FROM weighings w WHERE \(condition)", arguments: arguments).first
    guard let found, found.kind == .weighing else { throw ReferenceError.unknown }
    return found
  }

  /// The number of a record; `nil` if the id is unknown.
  static func sequence(of id: WeighingID, _ db: Database) throws -> Int? {
    try Int.fetchOne(
      db.cachedStatement(sql: "SELECT sequence FROM weighings WHERE id = ?"), arguments: [id.description])
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
