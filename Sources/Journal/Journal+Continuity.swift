import GRDB
import Weighing

/// That the numbers go on, whatever happens to the file.
extension Journal {
  /// The highest number known to have been given out; `nil` until the journal was opened.
  package var sequence: Int? {
    (try? withFile { (file) throws(JournalError) in file.sequence }) ?? nil
  }

  /// Hands over the losses that were found since the last call, and those of earlier starts that were not announced.
  package func takeLosses() -> [JournalLoss] {
    (try? withFile { (file) throws(JournalError) in file.takeLosses() }) ?? []
  }

  /// Takes note that all losses so far were announced: the next start does not hand them over again.
  package func markLossesAnnounced() throws(JournalError) {
    try withFile { (file) throws(JournalError) in
      let (head, digest) = try file.perform { queue in
        try queue.read { db in
          let head = try Head.fetch(db) ?? Head()
          return (head, try Continuity.hash(of: head.sequence, db))
        }
      }
      file.note(head.sequence, digest, announced: head.counters[.journal])
    }
  }

  /// Goes on above `known` where the journal does not reach that far: that number was seen elsewhere.
  ///
  /// - Parameters:
  ///   - known: The highest number that was seen.
  ///   - reason: Where it was seen.
  ///   - keptAside: Where a copy of the journal is as it was found; `nil` without a copy.
  ///   - time: The time since 1970 in UTC.
  package func skip(to known: Int, reason: String, keptAside: String?, at time: Instant) throws(JournalError) {
    try withFile { (file) throws(JournalError) in
      try file.skip(to: known, reason: reason, keptAside: keptAside, at: time)
    }
  }

  /// Copies the journal to `NAME.incomplete-YYYYMMDDTHHMMSSZ`.
  ///
  /// - Returns: The name; `nil` where there is nothing to copy.
  package func copyAside() throws(JournalError) -> String? {
    guard case .file(let path) = place, try read({ try Head.fetch($0) != nil }),
      let aside = DamagedFile(path).freeName("incomplete")
    else { return nil }
    try copy(to: aside)
    return aside
  }

  /// Brings everything into the database file, as far as others that read let it; returns at once where they do not.
  ///
  /// - Returns: Whether the database file alone has everything.
  package func checkpoint() throws(JournalError) -> Bool {
    guard case .file = place else { return true }
    return try withFile { (file) throws(JournalError) in
      try file.perform { queue in try Checkpoint.run(on: queue, waitMilliseconds: 0) }
    }
  }

  /// Brings everything into the database file and closes it; the next use opens it again.
  package func close() {
    try? withFile { (file) throws(JournalError) in file.close() }
  }
}

/// The high-water mark of a journal that is being restored.
package enum JournalMark {
  /// The highest number given out by the journal at a path, as far as its mark says; 0 without a mark.
  package static func highest(of path: String) -> Int { HighWaterMark(of: path).read().value?.sequence ?? 0 }

  /// Gives the journal at `path` the mark of the one that has taken its place; a higher mark stays.
  package static func carry(from draft: String, to path: String) throws(JournalError) {
    guard let value = HighWaterMark(of: draft).read().value else { return }
    do throws(HighWaterMark.Errno) {
      try HighWaterMark(of: path).raise(to: value.sequence, value.digest, announced: value.announced)
    } catch {
      throw .other(path: path + HighWaterMark.suffix, reason: "\(error)")
    }
  }
}
