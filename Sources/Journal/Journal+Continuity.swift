import GRDB
import Weighing

/// Continuity of the sequence numbers, whatever happens to the file.
extension Journal {
  /// The highest sequence number known to be assigned; `nil` until the journal was opened.
  package var sequence: Int? { (try? withFile { (file) throws(JournalError) in file.sequence }) ?? nil }

  /// Whether the path refers to another file than before, such as a new one in place of a damaged one; true once.
  package func resetReplacement() -> Bool {
    (try? withFile { (file) throws(JournalError) in file.resetReplacement() }) ?? false
  }

  /// Removes and returns the incidents found since the last call, including those of earlier runs that were not announced.
  package func removeIncidents() -> [JournalIncident] {
    (try? withFile { (file) throws(JournalError) in file.removeIncidents() }) ?? []
  }

  /// Records that all incidents so far were announced: the next start does not return them again.
  package func markIncidentsAnnounced() throws(JournalError) {
    try withFile { (file) throws(JournalError) in try file.markIncidentsAnnounced() }
  }

  /// Continues above `known` if the journal ends before that number, which was seen elsewhere. If this fails, it is recorded before
  /// the next number is assigned.
  ///
  /// - Parameters:
  ///   - known: The highest number that was seen.
  ///   - reason: Where it was seen.
  ///   - keptAside: The path of a copy of the original journal; `nil` without a copy.
  ///   - time: The time since 1970 in UTC.
  package func skip(to known: Int, reason: String, keptAside: String?, at time: Instant) throws(JournalError) {
    try withFile { (file) throws(JournalError) in
      try file.skip(to: known, reason: reason, keptAside: keptAside, at: time)
    }
  }

  /// Copies the journal to `NAME.incomplete-YYYYMMDDTHHMMSSZ`.
  ///
  /// - Returns: The path of the copy; `nil` if there is nothing to copy.
  package func copyAside() throws(JournalError) -> String? {
    guard case .file(let path) = location, try read({ try Head.fetch($0) != nil }),
      let aside = DamagedFile(path).freeName("incomplete", at: clock())
    else { return nil }
    try copy(to: aside)
    return aside
  }

  /// Transfers the log to the database file, as far as other readers allow; does not wait for them.
  ///
  /// - Returns: Whether the database file alone is complete.
  package func checkpoint() throws(JournalError) -> Bool {
    guard case .file = location else { return true }
    return try withFile { (file) throws(JournalError) in try file.checkpoint() }
  }

  /// Transfers the log to the database file and closes it; the next access opens it again.
  package func close() { try? withFile { (file) throws(JournalError) in file.close() } }
}

/// The high-water mark of a journal that is being restored.
package enum JournalMark {
  /// The highest number assigned by the journal at a path according to its mark; 0 without a mark.
  package static func highest(of path: String) -> Int { (try? HighWaterMark(of: path).read())?.value?.sequence ?? 0 }

  /// Gives the journal at `path` the mark of its replacement; a higher mark is kept.
  package static func carry(from draft: String, to path: String) throws(JournalError) {
    do {
      guard let value = try HighWaterMark(of: draft).read().value else { return }
      try HighWaterMark(of: path).raise(to: value.sequence, value.digest, announced: value.announced)
    } catch {
      throw .other(path: path + HighWaterMark.suffix, reason: "\(error)")
    }
  }
}
