import Foundation
import GRDB

/// What a transaction adds to the chain, known before its COMMIT: after an error it can be looked for.
struct CommitAttempt<Result> {
  /// What the caller gets if it is on disk.
  let result: Result
  /// The weighing that it adds; `nil` if it adds only entries of the audit trail.
  let weighing: HighWaterMark.Value?
  private let position: Int
  private let hash: Digest

  init(_ appender: Appender, result: Result) {
    self.result = result
    weighing = appender.weighingHash.map {
      HighWaterMark.Value(sequence: appender.head.sequence, digest: $0, announced: 0)
    }
    (position, hash) = (appender.head.position, appender.head.hash)
  }

  /// Whether the journal has the last record of the attempt, and with it all of them.
  func isRecorded(_ db: Database) throws -> Bool {
    guard try db.tableExists("head") else { return false }
    for table in ChainLink.Table.allCases {
      let found = try Data.fetchOne(
        db, sql: "SELECT hash FROM \(table.rawValue) WHERE position = ?", arguments: [position])
      if let found, Array(found) == hash.bytes { return true }
    }
    return false
  }
}
