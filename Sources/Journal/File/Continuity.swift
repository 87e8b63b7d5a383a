import Foundation
import GRDB
import Glibc
import Weighing

/// Compares a journal with its high-water mark.
struct Continuity {
  /// The number of the last weighing.
  var sequence: Int
  /// The hash of the weighing that the mark names; `nil` without it.
  var digest: Digest?

  /// Reads what there is to compare.
  init(_ db: Database, with mark: HighWaterMark.Value?) throws {
    sequence = 0
    guard try db.tableExists("head") else { return }
    sequence = try Head.fetch(db)?.sequence ?? 0
    let last = try Int.fetchOne(db, sql: "SELECT max(sequence) FROM weighings") ?? 0
    guard last <= sequence else { throw Unreadable("the head precedes the last weighing") }
    guard let mark else { return }
    digest = try Self.hash(of: mark.sequence, db)
  }

  /// What is known of a journal otherwise; an empty one without arguments.
  init(sequence: Int = 0, digest: Digest? = nil) { (self.sequence, self.digest) = (sequence, digest) }

  /// The weighings that are missing; `nil` where nothing is.
  ///
  /// A mark of another chain tells about one weighing only: that of the mark itself.
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

  /// Looks at a file before it is opened for writing; what is there stays as it is.
  ///
  /// SQLite deletes the log next to an empty file and, with its first write, one that it cannot read.
  ///
  /// - Throws: `corrupt` and `busy`; what else is wrong, opening it for writing tells.
  static func look(at path: String, with mark: HighWaterMark.Value?) throws(JournalError) -> JournalLoss? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { return Continuity().loss(mark) }
    do throws(JournalError) {
      do {
        let connection = try Connection(reading: path, reportedAs: path)
        return try connection.queue.read { try Continuity($0, with: mark) }.loss(mark)
      } catch {
        throw JournalError(error, path: path)
      }
    } catch {
      switch error {
      case .corrupt, .busy: throw error
      case .notFound: return Continuity().loss(mark)
      default: return nil  // not a state: any other error
      }
    }
  }
}
