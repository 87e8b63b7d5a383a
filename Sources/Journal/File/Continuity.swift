import Foundation
import GRDB
import Weighing

/// Compares a journal with its high-water mark.
struct Continuity {
  /// The sequence number of the last weighing.
  var sequence: Int
  /// The hash of the weighing at the mark; `nil` if it is missing.
  var digest: Digest?

  /// Reads the state to compare.
  init(_ db: Database, with mark: HighWaterMark.Value?) throws {
    sequence = 0
    guard try db.tableExists("head") else { return }
    sequence = try Head.fetch(db)?.sequence ?? 0
    let last = try Int.fetchOne(db, sql: "SELECT max(sequence) FROM weighings") ?? 0
    guard last <= sequence else { throw Unreadable("the head precedes the last weighing") }
    guard let mark else { return }
    digest = try Self.hash(of: mark.sequence, db)
  }

  /// A known state; that of an empty journal without arguments.
  init(sequence: Int = 0, digest: Digest? = nil) { (self.sequence, self.digest) = (sequence, digest) }

  /// The missing weighings; `nil` if there are none.
  ///
  /// A mark with a different hash proves only one weighing missing: that of the mark itself.
  func loss(_ mark: HighWaterMark.Value?) -> JournalLoss? {
    guard let mark else { return nil }
    if sequence < mark.sequence {
      return JournalLoss(
        from: sequence + 1, to: mark.sequence,
        reason: sequence == 0
          ? "the journal is empty, but its high-water mark is \(mark.sequence)"
          : "the journal ends at \(sequence), but its high-water mark is \(mark.sequence)")
    }
    guard let expected = mark.digest, let digest, digest != expected else { return nil }
    return JournalLoss(
      from: mark.sequence, to: mark.sequence,
      reason: "weighing \(mark.sequence) does not match the high-water mark")
  }

  /// The chain hash of a weighing.
  static func hash(of sequence: Int, _ db: Database) throws -> Digest? {
    try Data.fetchOne(
      db.cachedStatement(sql: "SELECT hash FROM weighings WHERE sequence = ?"), arguments: [sequence]
    )
    .map { Digest(stored: Array($0)) }
  }
}
