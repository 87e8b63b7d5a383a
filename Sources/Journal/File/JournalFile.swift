import GRDB
import Logging
import Weighing

/// The file of a journal: opened on demand, closed after an error, and never written to after its path refers to another
/// file.
struct JournalFile {
  let location: JournalLocation
  let identifiers: IdentifierSource
  let logger: Logger
  /// The time since 1970 in UTC.
  private let clock: @Sendable () -> Instant
  var connection: DatabaseConnection? { didSet { if connection == nil { (isLogDoubtful, unmarked) = (true, nil) } } }
  /// The configuration and calibration of new records; `nil` until they are set.
  var settings: RecordSettings?
  var salvage: Salvage
  private var incidents = IncidentList()
  /// The file opened last, and whether it was another one than before, until that is reported.
  private var lastIdentity: FileIdentity?
  private var isOtherFile = false
  /// Numbers that were assigned and are not in the journal, until that is recorded.
  private var gap: (known: Int, reason: String, keptAside: String?, time: Instant)?
  /// Whether the contents of a sound file have contradicted themselves; until a record was written.
  var isSuspect = false
  var marks: MarkKeeper
  /// A weighing whose request was rejected although it may be on disk, until that is known. An open connection has rolled it back.
  var uncertain: HighWaterMark.Value?
  /// Whether the log may not be on disk as the system shows it, because a flush may have failed, of this process or another one; see
  /// `rewriteLog`.
  private var isLogDoubtful = true
  /// What is to be in the mark once the log is not doubtful any more: a record that power takes away would be missing.
  private var unmarked: (sequence: Int, digest: Digest?, announced: Int?)?
  private var inspection: Inspection

  init(
    _ location: JournalLocation, identifiers: IdentifierSource, clock: @escaping @Sendable () -> Instant, logger: Logger
  ) {
    (self.location, self.identifiers, self.clock, self.logger) = (location, identifiers, clock, logger)
    marks = MarkKeeper(location, logger: logger)
    salvage = Salvage(logger: logger)
    inspection = Inspection(location.path)
  }

  /// The highest sequence number known to be assigned; `nil` until the file was opened.
  var sequence: Int? { [marks.sequence, unmarked?.sequence, gap?.known].compactMap(\.self).max() }

  /// Excludes other instances from recording into the file.
  mutating func excludeOthers() { marks.isExclusive = true }

  /// Works with the open database; opens it first if necessary.
  mutating func perform<T>(_ work: (DatabaseQueue) throws -> T) throws(JournalError) -> T {
    try perform(on: usableConnection(), work)
  }

  /// Writes into the open database, unless another instance records into it.
  ///
  /// - Parameter asRecord: Whether it shall fail where a weighing could not be recorded.
  mutating func write<T>(asRecord: Bool, _ work: (Database) throws -> T) throws(JournalError) -> T {
    if asRecord { try recordGap() }
    let connection = try asRecord || !marks.mayWrite ? recordingConnection() : writableConnection()
    return try perform(on: connection) { queue in try queue.write(work) }
  }

  /// Empties the log as far as other readers allow, without waiting for them; returns whether it is empty.
  mutating func checkpoint() throws(JournalError) -> Bool {
    try perform(on: writableConnection()) { queue in try Checkpoint.run(on: queue, waitMilliseconds: 0) }
  }

  private mutating func perform<T>(
    on connection: DatabaseConnection, _ work: (DatabaseQueue) throws -> T
  ) throws(JournalError) -> T {
    do {
      let result = try work(connection.queue)
      // If the file was removed in the meantime, the data was written to an unlinked file.
      try checkIdentity(of: connection)
      return result
    } catch {
      throw reset(after: error)
    }
  }

  /// The open database, after checking that its path still refers to it.
  mutating func usableConnection() throws(JournalError) -> DatabaseConnection {
    do {
      let connection = try connection ?? open()
      self.connection = connection
      try checkIdentity(of: connection)
      return connection
    } catch {
      throw reset(after: error)
    }
  }

  /// The open database, after its log was written again if it was doubtful: with the power, what follows a gap in it is lost, and what
  /// was copied from it into the database file contradicts the rest.
  mutating func writableConnection() throws(JournalError) -> DatabaseConnection {
    let connection = try usableConnection()
    do { try secureLog(of: connection) } catch { throw reset(after: error) }
    return connection
  }

  private mutating func secureLog(of connection: DatabaseConnection) throws {
    guard isLogDoubtful else { return }
    try connection.rewriteLog()
    isLogDoubtful = false
    markEnd()
  }

  private mutating func markEnd() {
    if let unmarked { marks.raise(to: unmarked.sequence, unmarked.digest, announced: unmarked.announced) }
    unmarked = nil
  }

  /// Opens the file and ensures that numbering continues above all assigned numbers.
  private mutating func open() throws -> DatabaseConnection {
    guard case .file = location else {
      marks.raise(to: 0, nil)
      return try DatabaseConnection(location)
    }
    let mark = try marks.read().value
    try inspection.inspect(with: mark, at: clock())
    let connection = try DatabaseConnection(location)
    isOtherFile = isOtherFile || lastIdentity != nil && lastIdentity != connection.identity
    lastIdentity = connection.identity
    marks.tryToClaim()
    let rejected = try uncertain ?? marks.rejected()
    // Without the claim, another instance may be about to confirm it.
    let isOurs = rejected == nil || marks.isClaimed || uncertain != nil
    if marks.mayWrite { try? secureLog(of: connection) }
    // What is not there now must not turn up later.
    if rejected != nil, isOurs {
      try secureLog(of: connection)
      guard try Checkpoint.run(on: connection.queue, waitMilliseconds: Self.patience) else {
        throw JournalError.busy(path: path)
      }
    }
    let found = try Reconciliation(
      connection.queue, with: mark, salvage.state, keptAside: inspection.copy, rejected: isOurs ? rejected : nil,
      with: identifiers, at: clock(), beforeWriting: { try secureLog(of: connection) })
    inspection.finish()
    incidents.add(found.incidents)
    guard isOurs else { return connection }
    uncertain = nil
    unmarked = (found.end.head.sequence, found.end.digest, found.announced)
    if !isLogDoubtful { markEnd() }
    return connection
  }

  /// Whether the file is another one than before; true once.
  mutating func resetReplacement() -> Bool {
    defer { isOtherFile = false }
    return isOtherFile
  }

  /// Removes and returns the incidents found since the last call.
  mutating func removeIncidents() -> [JournalIncident] { incidents.removeAll() }

  /// Records in the mark that all incidents were announced, unless there are new ones.
  mutating func markIncidentsAnnounced() throws(JournalError) {
    let (head, digest) = try perform(on: writableConnection()) { queue in
      try queue.readConsistently(Reconciliation.end)
    }
    // If the file was opened again for that, others may have been found.
    guard incidents.isEmpty else { return }
    marks.raise(to: head.sequence, digest, announced: head.counters[.journal])
  }

  /// Records that numbers up to `known` were assigned which the journal does not contain; if that fails, before the next record or state.
  mutating func skip(to known: Int, reason: String, keptAside: String?, at time: Instant) throws(JournalError) {
    gap = (known, reason, keptAside, time)
    try recordGap()
  }

  mutating func recordGap() throws(JournalError) {
    guard let gap else { return }
    let found = try perform(on: recordingConnection()) { queue in
      try queue.write { db in
        try Reconciliation.recordGap(
          in: db, to: gap.known, reason: gap.reason, keptAside: gap.keptAside, at: gap.time)
      }
    }
    self.gap = nil
    guard let found else { return }
    incidents.add([.loss(found.loss)])
    let announced = (try? marks.read())?.value?.announced
    marks.raise(to: found.loss.to, nil, announced: min(found.before, announced ?? found.before))
  }

  /// Closes the file; the next access opens it again.
  ///
  /// The database file is complete then, unless another process is reading.
  mutating func close() {
    guard let connection, (try? secureLog(of: connection)) != nil else { return disconnect() }
    connection.close(waitMilliseconds: 500)
    self.connection = nil
  }

  /// Closes the file after an error, with its log as it is.
  mutating func disconnect() {
    try? connection?.queue.close()
    connection = nil
  }

  func checkIdentity(of connection: DatabaseConnection) throws(JournalError) {
    guard case .file(let path) = location, FileIdentity(path) != connection.identity else { return }
    throw .replaced(path: path)
  }

  /// Resets the state after an error, so that the next access can start again.
  mutating func reset(after cause: any Error) -> JournalError {
    let error = JournalError(cause, path: path)
    guard case .file(let path) = location else { return error }
    let hasMark = (try? marks.read())?.value != nil
    let damage = (schema: SchemaDamage(path), file: DamagedFile(path))
    if hasMark, (1...DamagedFile.looks).allSatisfy({ _ in damage.schema.explains(error) && damage.file.isReadable }) {
      return setAside(path, hasMark: hasMark)
    }
    switch error {
    case .corrupt:
      let isOurs = cause is Unreadable || cause is RowDecodingError
      let condition = isOurs ? .damaged : damage.file.examine()
      // Contents that contradict themselves are sound pages; a page that could not be read is no contradiction.
      let contradicts = condition == .sound && (cause as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
      if condition == .damaged || contradicts && isSuspect { return setAside(path, hasMark: hasMark) }
      isSuspect = contradicts
      connection = nil
      return .other(path: path, reason: "it could not be read; trying again")
    case .replaced:
      // Another file may get the number of a removed one.
      isOtherFile = true
      // A removed file is replaced by a new one that continues its numbering, which the open file still has.
      if FileIdentity(path) == nil, let connection {
        salvage.keep(SalvagedState(of: connection.queue, reason: "the file was removed while it was open"))
      }
      connection = nil
    case .notFound, .notPermitted, .cannotCreate, .readOnly, .foreign, .newer, .versionMissing, .other:
      connection = nil
    case .full, .busy: isLogDoubtful = true
    case .inUse, .markNotWritten, .nothingToVoid, .unknownWeighing: break
    }
    return error
  }

  /// Moves a damaged file aside and starts a new one; if that fails, the next access tries again.
  private mutating func setAside(_ path: String, hasMark: Bool) -> JournalError {
    let opened = connection
    connection = nil
    marks.tryToClaim()
    guard marks.mayWrite else { return .inUse(path: path) }
    if let identity = opened?.identity, identity != FileIdentity(path) {
      isOtherFile = true
      return .replaced(path: path)
    }
    let aside = salvage.moveAside(path, opened: opened?.queue, hasMark: hasMark, at: clock())
    if aside != nil { connection = try? open() }
    return .corrupt(path: path, keptAside: aside)
  }

  var path: String { location.path }
}
