import GRDB
import Linux
import Logging
import Synchronization
import Weighing

/// The record of all weighings on disk: once `record` has returned, a weighing survives a power failure.
///
/// A SQLite file (WAL, `synchronous=FULL`), its `-wal` and `-shm`, and its high-water mark `-mark`, see
/// `HighWaterMark`. Records are numbered without gaps, never changed, and chained by hashes; see `ChainLink` for the
/// format and `verify()` for what the chain proves. The file also holds the audit trail and the outbox, to which a
/// weighing is added in the transaction that records it.
///
/// All calls block, for up to some seconds if another process holds the file: call them on a dedicated thread. Calls
/// from several threads or processes are serialised.
///
/// A failed call changes nothing, and the next one retries from the start, so that the journal recovers when the cause
/// is gone. A damaged file is moved aside as `NAME.corrupt-YYYYMMDDTHHMMSSZ`, with its `-wal` and `-shm`, and a new one
/// continues the sequence and the counters as far as they can be recovered.
package final class Journal: Sendable {
  let location: JournalLocation
  let clock: @Sendable () -> Instant
  private let isReader: Bool
  private let state: Mutex<JournalFile>

  /// A journal; never fails: every access retries to open the file.
  ///
  /// - Parameter clock: The time since 1970 in UTC, for what the journal records about itself.
  package convenience init(
    _ location: JournalLocation, identifiers: IdentifierSource = .random,
    clock: @escaping @Sendable () -> Instant = Instant.wallClock, logger: Logger
  ) {
    self.init(location, identifiers: identifiers, clock: clock, isReader: false, logger: logger)
  }

  /// An existing journal for reading while another process may write to it; creates and changes no files, and rejects
  /// every change with `readOnly`. With a missing file, every access throws `notFound`.
  package static func reader(path: String, logger: Logger) -> Journal {
    Journal(.file(path), identifiers: .random, clock: Instant.wallClock, isReader: true, logger: logger)
  }

  private init(
    _ location: JournalLocation, identifiers: IdentifierSource, clock: @escaping @Sendable () -> Instant,
    isReader: Bool,
    logger: Logger
  ) {
    (self.location, self.clock, self.isReader) = (location, clock, isReader)
    state = Mutex(JournalFile(location, identifiers: identifiers, clock: clock, logger: logger))
  }

  deinit { state.withLock { $0.close() } }

  /// Opens the journal now to detect faults early; creates a missing file.
  package func open() throws(JournalError) { _ = try read { _ in true } }

  /// Whether its file system has room for a record and its transaction.
  package var hasRoom: Bool {
    guard case .file(let path) = location else { return true }
    return !FileCondition(path).isFull
  }

  /// Reads in one transaction.
  ///
  /// - Parameter isSecured: Whether it shall fail while what it reads may not be on disk.
  func read<T: Sendable>(isSecured: Bool = false, _ work: (Database) throws -> T) throws(JournalError) -> T {
    if isReader, case .file(let path) = location { return try JournalSnapshot(path: path).read(work) }
    return try state.withLock { (file) throws(JournalError) -> T in
      if isSecured { _ = try file.writableConnection() }
      return try file.perform { queue in try queue.readConsistently(work) }
    }
  }

  /// Adds to the chain in one transaction that excludes all other writers.
  func append<T: Sendable>(
    at time: Instant, _ work: (inout Appender, RecordSettings?) throws -> T
  ) throws(JournalError) -> T {
    try checkWritable()
    return try state.withLock { (file) throws(JournalError) -> T in try file.append(at: time, work) }
  }

  /// Changes what is no record, such as the outbox, in one transaction.
  ///
  /// - Parameter asRecord: Whether it shall fail where a weighing could not be recorded.
  func write<T: Sendable>(asRecord: Bool = false, _ work: (Database) throws -> T) throws(JournalError) -> T {
    try checkWritable()
    return try state.withLock { (file) throws(JournalError) -> T in try file.write(asRecord: asRecord, work) }
  }

  /// Works with the underlying file.
  func withFile<T>(_ work: (inout JournalFile) throws(JournalError) -> T) throws(JournalError) -> T {
    try checkWritable()
    return try state.withLock { (file) throws(JournalError) -> T in try work(&file) }
  }

  /// Sets the configuration and calibration of new records.
  func set(_ settings: RecordSettings) { state.withLock { $0.settings = settings } }

  /// The path, for errors.
  var path: String { location.path }

  private func checkWritable() throws(JournalError) { if isReader { throw .readOnly(path: path) } }
}
