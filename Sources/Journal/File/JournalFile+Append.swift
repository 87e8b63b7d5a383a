import GRDB
import Glibc
import Logging
import Weighing

/// Recording, and what follows from an error of it: a request is answered when it is known, or made sure, what became of its record.
extension JournalFile {
  /// Adds to the chain in one transaction; only if the high-water mark can be written, so that each number is in the mark
  /// before it is published.
  ///
  /// A weighing is confirmed, by returning, if and only if it is on disk and in the mark. If this is not known because the
  /// disk fails, this throws, and the journal reverses the weighing as soon as it finds it.
  mutating func append<T>(
    at time: Instant, _ work: (inout Appender, RecordSettings?) throws -> T
  ) throws(JournalError) -> T {
    try recordGap()
    let connection = try recordingConnection()
    var attempt: CommitAttempt<T>?
    do {
      try connection.queue.write { db in
        var appender = try Appender(db, identifiers: identifiers, salvaged: salvage.state, at: time)
        if let settings { try appender.append(settings) }
        let result = try work(&appender, settings)
        let current = CommitAttempt(appender, result: result)
        try marks.writeIntent(current.weighing)
        attempt = current
      }
      // If the file was removed in the meantime, the data was written to an unlinked file.
      try checkIdentity(of: connection)
    } catch {
      guard let attempt, case .file(let path) = location, FileIdentity(path) == connection.identity else {
        throw reset(after: error)
      }
      try settle(attempt, after: JournalError(error, path: path))
    }
    guard let attempt else { preconditionFailure("a committed transaction has finished its work") }
    try confirm(attempt.weighing)
    isSuspect = false
    return attempt.result
  }

  /// The open database, ready to assign a number.
  mutating func recordingConnection() throws(JournalError) -> DatabaseConnection {
    if uncertain != nil, let connection {
      do {
        // Without an error of the disk, the log is empty, or the next connection looks for the weighing.
        if try !discardRolledBack(in: connection, waitMilliseconds: Self.patience) { disconnect() }
      } catch {
        let failure = JournalError(error, path: path)
        if case .full = failure { throw failure }
        disconnect()
      }
    }
    let connection = try writableConnection()
    if marks.isReady { return connection }
    let wasClaimed = marks.isClaimed
    try marks.prepare(path: path)
    // Until the claim, another instance could record.
    if !wasClaimed, marks.isClaimed { disconnect() }
    // Writing the mark may take long; the file could have been replaced meanwhile.
    return try writableConnection()
  }

  /// Finds out, after a failed COMMIT, whether its records are on disk; returns if they are.
  private mutating func settle<T>(
    _ attempt: CommitAttempt<T>, after failure: JournalError
  ) throws(JournalError) {
    if let connection, (try? discardRolledBack(in: connection, waitMilliseconds: 0)) == true { throw failure }
    if case .full = failure {
      // The open file can still be read; on a full disk it could not be opened again.
      reject(attempt.weighing)
      throw failure
    }
    disconnect()
    let isRecorded: Bool
    do {
      // As at the next start, SQLite recovers what its log holds. Once the log is empty, nothing else can turn up.
      let connection = try DatabaseConnection(location)
      defer { try? connection.queue.close() }
      try connection.rewriteLog()
      guard try Checkpoint.run(on: connection.queue, waitMilliseconds: Self.patience) else { throw failure }
      isRecorded = try connection.queue.readConsistently(attempt.isRecorded)
    } catch {
      reject(attempt.weighing)
      throw failure
    }
    if !isRecorded { throw failure }
  }

  /// Empties the log after SQLite has rolled back a transaction: then nothing of it can turn up.
  ///
  /// - Returns: Whether the log is empty; other readers can prevent it.
  private mutating func discardRolledBack(in connection: DatabaseConnection, waitMilliseconds: Int) throws -> Bool {
    guard try Checkpoint.run(on: connection.queue, waitMilliseconds: waitMilliseconds) else { return false }
    // SQLite does not flush that it has emptied the log.
    try connection.rewriteLog()
    uncertain = nil
    return true
  }

  /// Raises the mark for a weighing on disk.
  private mutating func confirm(_ weighing: HighWaterMark.Value?) throws(JournalError) {
    guard let weighing else { return }
    do throws(JournalError) {
      try marks.confirm(weighing)
    } catch {
      disconnect()
      reject(weighing)
      throw error
    }
  }

  /// The request of a weighing that may be on disk is rejected: the next access that opens the file reverses the weighing.
  ///
  /// Before the rejection is answered, it has to be on disk, or the weighing reversed, since this process may end before the disk
  /// recovers. Waits for either of them, but not forever.
  private mutating func reject(_ weighing: HighWaterMark.Value?) {
    guard let weighing else { return }
    uncertain = weighing
    for _ in 0..<Self.patience / Self.retryInterval {
      if marks.writeRejection(of: weighing) { break }
      _ = try? usableConnection()
      if uncertain == nil { return }
      usleep(UInt32(Self.retryInterval) * 1000)
    }
    logger.error(
      "cannot find out whether a weighing is on disk; its request is rejected, and the weighing reversed if it turns up",
      metadata: ["journal.path": "\(path)", "weighing.sequence": "\(weighing.sequence)"])
  }

  /// How long to wait for a reader that keeps the log from being emptied, in milliseconds: as for a lock.
  static let patience = 2000
  private static let retryInterval = 5
}
