import GRDB
import Logging
import Synchronization
import Weighing

/// The record of all weighings on disk: once `record` has returned, a weighing survives a power cut.
///
/// A SQLite file (WAL, `synchronous=FULL`), its `-wal` and `-shm`, and its high-water mark `-mark`, see `HighWaterMark`. Records are numbered without gaps, never changed, and chained by hashes; see
/// `ChainLink` for the format and `verify()` for what that proves. Beside them stand the audit trail and the outbox, into
/// which a weighing goes with the very transaction that records it.
///
/// All calls block, up to some seconds where another process holds the file: call them on a thread of their own. Calls
/// from several threads, and several processes with one file, take turns.
///
/// A failed call has changed nothing, and the next one tries again from the start, so that the journal recovers by itself
/// when the cause is gone. A damaged file is moved aside, as `NAME.corrupt-YYYYMMDDTHHMMSSZ` with its `-wal` and `-shm`,
/// and a new one is begun that goes on with the sequence and the counters as far as they can still be learned.
package final class Journal: Sendable {
  let place: JournalPlace
  let identifiers: IdentifierSource
  private let isReader: Bool
  private let state: Mutex<JournalFile>

  /// A journal; never fails: a file that cannot be opened now is tried again at each use.
  package convenience init(_ place: JournalPlace, identifiers: IdentifierSource = .random, logger: Logger) {
    self.init(place, identifiers: identifiers, isReader: false, logger: logger)
  }

  /// An existing journal to read from while another process may write to it; nothing is ever made or changed beside it,
  /// and every change that is asked for is refused as `readOnly`. A file that is missing is `notFound` at each use.
  package static func reader(path: String, logger: Logger) -> Journal {
    Journal(.file(path), identifiers: .random, isReader: true, logger: logger)
  }

  private init(_ place: JournalPlace, identifiers: IdentifierSource, isReader: Bool, logger: Logger) {
    self.place = place
    self.identifiers = identifiers
    self.isReader = isReader
    state = Mutex(JournalFile(place, logger: logger))
  }

  /// Opens it now, to learn of a fault early; makes the file where there is none.
  package func open() throws(JournalError) {
    _ = try read { _ in true }
  }

  /// Reads in one transaction.
  func read<T: Sendable>(_ work: (Database) throws -> T) throws(JournalError) -> T {
    if isReader, case .file(let path) = place { return try JournalSnapshot(path: path).read(work) }
    return try state.withLock { (file) throws(JournalError) -> T in
      try file.perform { queue in try queue.read(work) }
    }
  }

  /// Adds to the chain in one transaction that excludes all other writers from its beginning.
  func append<T: Sendable>(
    at time: Instant, _ work: (inout Appender, Terms?) throws -> T
  ) throws(JournalError) -> T {
    try refuseIfReader()
    return try state.withLock { (file) throws(JournalError) -> T in
      let (terms, remains) = (file.terms, file.remains)
      let (result, sequence, digest) = try file.performMarked { queue in
        try queue.write { db in
          var appender = try Appender(db, identifiers: identifiers, remains: remains, at: time)
          if let terms { try appender.append(terms) }
          let result = try work(&appender, terms)
          return (result, appender.head.sequence, appender.weighingHash)
        }
      }
      if let digest { file.note(sequence, digest) }
      return result
    }
  }

  /// Changes the outbox in one transaction.
  func write<T: Sendable>(_ work: (Database) throws -> T) throws(JournalError) -> T {
    try refuseIfReader()
    return try state.withLock { (file) throws(JournalError) -> T in
      try file.perform { queue in try queue.write(work) }
    }
  }

  /// Works with the file behind it.
  func withFile<T>(_ work: (inout JournalFile) throws(JournalError) -> T) throws(JournalError) -> T {
    try refuseIfReader()
    return try state.withLock { (file) throws(JournalError) -> T in try work(&file) }
  }

  /// Remembers the configuration and calibration in force.
  func remember(_ terms: Terms) {
    state.withLock { $0.terms = terms }
  }

  /// The file, for errors.
  var path: String {
    switch place {
    case .file(let path): path
    case .memory: ":memory:"
    }
  }

  private func refuseIfReader() throws(JournalError) {
    if isReader { throw .readOnly(path: path) }
  }
}
