import Foundation
import GRDB
import Glibc
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
    try Data.fetchOne(db, sql: "SELECT hash FROM weighings WHERE sequence = ?", arguments: [sequence])
      .map { Digest(stored: Array($0)) }
  }

  /// Checks a file before it is opened for writing, without changing it.
  ///
  /// SQLite deletes the log of an empty file and, with its first write, a log that it cannot read.
  ///
  /// - Returns: The missing weighings, and the closed database if the file could be read.
  /// - Throws: `corrupt` and `busy`; other faults are reported when it is opened for writing.
  static func look(at path: String, with mark: HighWaterMark.Value?) throws(JournalError) -> (
    loss: JournalLoss?, closed: DatabaseQueue?
  ) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { return (Continuity().loss(mark), nil) }
    do throws(JournalError) {
      do {
        let connection = try DatabaseConnection(reading: path, reportedAs: path)
        let continuity = try connection.queue.read { try Continuity($0, with: mark) }
        try connection.queue.close()
        return (continuity.loss(mark), connection.queue)
      } catch {
        throw JournalError(error, path: path)
      }
    } catch {
      switch error {
      case .corrupt, .busy: throw error
      case .notFound: return (Continuity().loss(mark), nil)
      default: return (nil, nil)  // not a state: any other error
      }
    }
  }
}
