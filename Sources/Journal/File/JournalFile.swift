import GRDB
import Glibc
import Logging
import Weighing

/// The file of a journal: opened on demand, closed after an error, and never written to after its path refers to another
/// file.
struct JournalFile {
  private let location: JournalLocation
  private let logger: Logger
  private var connection: DatabaseConnection?
  /// The configuration and calibration of new records; `nil` until they are set.
  var settings: RecordSettings?
  private var salvage: Salvage
  /// Incidents not yet reported to the caller.
  private var incidents: [JournalIncident] = []
  private var marks: MarkKeeper
  /// A weighing whose request was rejected although it may be on disk, until that is known. An open connection has rolled it back.
  private var uncertain: HighWaterMark.Value?
  private var inspection: Inspection

  init(_ location: JournalLocation, logger: Logger) {
    self.location = location
    self.logger = logger
    marks = MarkKeeper(location, logger: logger)
    salvage = Salvage(logger: logger)
    inspection = Inspection(location.path)
  }

  /// The highest sequence number known to be assigned; `nil` until the file was opened.
  var sequence: Int? { marks.sequence }

  /// Excludes other instances from recording into the file.
  mutating func excludeOthers() { marks.isExclusive = true }

  /// Works with the open database; opens it first if necessary.
  mutating func perform<T>(_ work: (DatabaseQueue) throws -> T) throws(JournalError) -> T {
    let connection = try usableConnection()
    do {
      let result = try work(connection.queue)
      // If the file was removed in the meantime, the data was written to an unlinked file.
      try checkIdentity(of: connection)
      return result
    } catch {
      throw reset(after: JournalError(error, path: path))
    }
  }

  /// The open database, after checking that its path still refers to it.
  private mutating func usableConnection() throws(JournalError) -> DatabaseConnection {
    do {
      let connection = try connection ?? open()
      self.connection = connection
      try checkIdentity(of: connection)
      return connection
    } catch {
      throw reset(after: JournalError(error, path: path))
    }
  }

  /// Adds to the chain in one transaction; only if the high-water mark can be written, so that each number is in the mark
  /// before it is published.
  ///
  /// A weighing is confirmed, by returning, if and only if it is on disk and in the mark. If this is not known because the
  /// disk fails, this throws, and the journal reverses the weighing as soon as it finds it.
  mutating func append<T>(
    _ identifiers: IdentifierSource, at time: Instant, _ work: (inout Appender, RecordSettings?) throws -> T
  ) throws(JournalError) -> T {
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
      let failure = JournalError(error, path: path)
      guard let attempt, case .file(let path) = location, FileIdentity(path) == connection.identity else {
        throw reset(after: failure)
      }
      try settle(attempt, after: failure)
    }
    guard let attempt else { preconditionFailure("a committed transaction has finished its work") }
    try confirm(attempt.weighing)
    return attempt.result
  }

  /// The open database, ready to assign a number.
  private mutating func recordingConnection() throws(JournalError) -> DatabaseConnection {
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
    let connection = try usableConnection()
    if marks.isReady { return connection }
    let wasClaimed = marks.isClaimed
    try marks.prepare(path: path)
    // Until the claim, another instance could record.
    if !wasClaimed, marks.isClaimed { disconnect() }
    // Writing the mark may take long; the file could have been replaced meanwhile.
    return try usableConnection()
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
      guard try Checkpoint.run(on: connection.queue, waitMilliseconds: Self.patience) else { throw failure }
      isRecorded = try connection.queue.read(attempt.isRecorded)
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
  private static let patience = 2000
  private static let retryInterval = 5

  /// Opens the file and ensures that numbering continues above all assigned numbers.
  private mutating func open() throws -> DatabaseConnection {
    guard case .file = location else {
      marks.raise(to: 0, nil)
      return try DatabaseConnection(location)
    }
    let mark = try marks.read().value
    try inspection.inspect(with: mark)
    let connection = try DatabaseConnection(location)
    marks.tryToClaim()
    var entries = [mark?.announced]
    entries.append(
      try Reconciliation.recordLoss(in: connection.queue, with: mark, salvage.state, keptAside: inspection.copy))
    inspection.finish()
    var mayRaise = true
    if let rejected = try uncertain ?? marks.rejected() {
      // Without the claim, another instance may be about to confirm it.
      mayRaise = marks.isClaimed || uncertain != nil
      if mayRaise { entries.append(try reverse(rejected, in: connection.queue)) }
    }
    let announced = entries.compactMap(\.self).min()
    let (head, digest, found) = try connection.queue.read { db in
      let (head, digest) = try Reconciliation.end(db)
      return (head, digest, try Reconciliation.incidents(db, after: announced ?? head.counters[.journal] ?? 0))
    }
    for incident in found where !incidents.contains(incident) { incidents.append(incident) }
    if mayRaise { marks.raise(to: head.sequence, digest, announced: announced ?? head.counters[.journal]) }
    return connection
  }

  /// Reverses a weighing if it is in the journal; returns the counter of the last `journal` entry in the audit trail before that.
  private mutating func reverse(_ rejected: HighWaterMark.Value, in queue: DatabaseQueue) throws -> Int? {
    // What is not there now must not turn up later.
    guard try Checkpoint.run(on: queue, waitMilliseconds: Self.patience) else { throw JournalError.busy(path: path) }
    let entry = try queue.write { db in try Reconciliation.reverse(rejected, in: db) }
    uncertain = nil
    return entry
  }

  /// Removes and returns the incidents found since the last call.
  mutating func removeIncidents() -> [JournalIncident] {
    defer { incidents = [] }
    return incidents
  }

  /// Records in the mark that all incidents so far were announced.
  mutating func markIncidentsAnnounced() throws(JournalError) {
    let (head, digest) = try perform { queue in try queue.read(Reconciliation.end) }
    marks.raise(to: head.sequence, digest, announced: head.counters[.journal])
  }

  /// Records that numbers up to `known` were assigned which the journal does not contain.
  mutating func skip(to known: Int, reason: String, keptAside: String?, at time: Instant) throws(JournalError) {
    let found = try perform { queue in
      try queue.write { db in
        try Reconciliation.recordGap(in: db, to: known, reason: reason, keptAside: keptAside, at: time)
      }
    }
    guard let found else { return }
    incidents.append(.loss(found.loss))
    let announced = (try? marks.read())?.value?.announced
    marks.raise(to: found.loss.to, nil, announced: min(found.before, announced ?? found.before))
  }

  /// Closes the file; the next access opens it again.
  ///
  /// The database file is complete then, unless another process is reading.
  mutating func close() {
    connection?.close(waitMilliseconds: 500)
    connection = nil
  }

  /// Closes the file after an error, with its log as it is.
  private mutating func disconnect() {
    try? connection?.queue.close()
    connection = nil
  }

  private func checkIdentity(of connection: DatabaseConnection) throws(JournalError) {
    guard case .file(let path) = location, FileIdentity(path) != connection.identity else { return }
    throw .replaced(path: path)
  }

  /// Resets the state after an error, so that the next access can start again.
  private mutating func reset(after error: JournalError) -> JournalError {
    guard case .file(let path) = location else { return error }
    let hasMark = (try? marks.read())?.value != nil
    if hasMark, SchemaDamage(path).explains(error) { return setAside(path, hasMark: hasMark) }
    switch error {
    case .corrupt:
      return setAside(path, hasMark: hasMark)
    case .replaced:
      // A removed file is replaced by a new one that continues its numbering, which the open file still has.
      if FileIdentity(path) == nil, let connection {
        salvage.keep(SalvagedState(of: connection.queue, reason: "the file was removed while it was open"))
      }
      connection = nil
    case .notFound, .notPermitted, .cannotCreate, .readOnly, .foreign, .newer, .versionMissing, .other:
      connection = nil
    case .full, .busy, .inUse, .markNotWritten, .nothingToVoid, .unknownWeighing:
      break
    }
    return error
  }

  /// Moves a damaged file aside and starts a new one; if that fails, the next access tries again.
  private mutating func setAside(_ path: String, hasMark: Bool) -> JournalError {
    let opened = connection
    connection = nil
    if let identity = opened?.identity, identity != FileIdentity(path) { return .replaced(path: path) }
    let aside = salvage.moveAside(path, opened: opened?.queue, hasMark: hasMark)
    if aside != nil { connection = try? open() }
    return .corrupt(path: path, keptAside: aside)
  }

  private var path: String { location.path }
}
