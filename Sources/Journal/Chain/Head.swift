import Foundation
import GRDB

/// The end of the chain: the counts, and the hash for the next record.
///
/// Stored in the single row of the table `head`, so that removal of the last record is detected.
struct Head: Hashable, Sendable {
  /// Number of records, weighings and audit trail together.
  var position = 0
  /// The sequence number of the last weighing.
  var sequence = 0
  /// The hash of the last record.
  var hash = Digest.zero
  /// Number of entries of each kind in the audit trail, including earlier files.
  var counters: [AuditKind: Int] = [:]

  /// The columns that hold the counters, in the order of `AuditKind.allCases`.
  static let counterColumns = AuditKind.allCases.map { "\($0.rawValue)_counter" }
  private static let columns = ["position", "sequence", "hash"] + counterColumns

  /// The head of a journal; `nil` if nothing has been written yet.
  ///
  /// - Throws: `Unreadable` if its values cannot be those of a journal.
  static func fetch(_ db: Database) throws -> Head? {
    // By their names: with another name in a damaged schema, the query fails.
    let sql = "SELECT \(columns.joined(separator: ", ")) FROM head"
    guard let row = try Row.fetchOne(db.cachedStatement(sql: sql)) else { return nil }
    func number(_ column: String) throws -> Int {
      guard let number = Int.fromDatabaseValue(row[column]), (0...largestNumber).contains(number) else {
        throw Unreadable("the head has an implausible \(column)")
      }
      return number
    }
    guard let hash = Data.fromDatabaseValue(row["hash"]) else { throw Unreadable("the head has no hash") }
    let counters = try zip(AuditKind.allCases, counterColumns).map { ($0, try number($1)) }
    return Head(
      position: try number("position"), sequence: try number("sequence"), hash: Digest(stored: Array(hash)),
      counters: Dictionary(uniqueKeysWithValues: counters))
  }

  /// No count of records reaches it, and adding to it does not overflow; numbers in JSON are exact up to it (RFC 8259, 6).
  private static let largestNumber = 1 << 53

  /// Stores the head.
  func store(_ db: Database) throws {
    let counters = AuditKind.allCases.map { self.counters[$0] ?? 0 }
    let arguments: [any DatabaseValueConvertible] = [position, sequence, Data(hash.bytes)] + counters
    let columns = Self.columns
    try db.cachedStatement(sql: "UPDATE head SET " + columns.map { "\($0) = ?" }.joined(separator: ", "))
      .execute(arguments: StatementArguments(arguments))
    guard db.changesCount == 0 else { return }
    try db.execute(
      sql: """
        INSERT INTO head (only, \(columns.joined(separator: ", ")))
        VALUES (1\(String(repeating: ", ?", count: columns.count)))
        """, arguments: StatementArguments(arguments))
  }
}
