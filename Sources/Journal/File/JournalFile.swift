import GRDB
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
  /// The state salvaged from an earlier file, for the next one.
  private(set) var salvaged: SalvagedState?
  /// The highest sequence number known to be assigned; `nil` until the file was opened.
  private(set) var sequence: Int?
  /// Losses not yet reported to the caller.
  private var losses: [JournalLoss] = []
  /// The copy of a file that has lost weighings, until the loss is recorded.
  private var copied: String??
  /// The database of the first inspection, closed but kept: when it is released, libdispatch uses its concurrent queue,
  /// which then wakes an idle process every second.
  private var inspected: DatabaseQueue?
  /// Whether other instances are excluded from recording into the file.
  var isExclusive = false
  /// Held while this process assigns numbers, if it is exclusive.
  private var claim: HighWaterMark.Claim?
  /// The high-water mark that could not be written.
  private var unwrittenMark: (sequence: Int, digest: Digest?, announced: Int?)?

  init(_ location: JournalLocation, logger: Logger) {
    self.location = location
    self.logger = logger
  }

  /// Works with the open database; opens it first if necessary.
  mutating func perform<T>(_ work: (DatabaseQueue) throws -> T) throws(JournalError) -> T {
    try perform(work, on: try usableConnection())
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

  private mutating func perform<T>(
    _ work: (DatabaseQueue) throws -> T, on connection: DatabaseConnection
  ) throws(JournalError) -> T {
    do {
      let result = try work(connection.queue)
      // If the file was removed in the meantime, the data was written to an unlinked file.
      try checkIdentity(of: connection)
      return result
    } catch {
      throw reset(after: JournalError(error, path: path))
    }
  }

  /// As `perform`, for work that assigns a number: only if the high-water mark can be written, so that each number is
  /// in the mark before it is published.
  mutating func performMarked<T>(_ work: (DatabaseQueue) throws -> T) throws(JournalError) -> T {
    var connection = try usableConnection()
    if let unwritten = unwrittenMark, case .file(let path) = location {
      unwrittenMark = nil
      raiseMark(to: unwritten.sequence, unwritten.digest, announced: unwritten.announced)
      if unwrittenMark != nil { throw .markNotWritten(path: HighWaterMark(of: path).path) }
      // Writing the mark may take long; the file could have been replaced meanwhile.
      connection = try usableConnection()
    }
    if isExclusive, claim == nil, case .file(let path) = location {
      claim = HighWaterMark(of: path).claim()
      if claim == nil { throw .inUse(path: path) }
      connection = try usableConnection()
    }
    return try perform(work, on: connection)
  }

  /// Opens the file and ensures that numbering continues above all assigned numbers.
  private mutating func open() throws -> DatabaseConnection {
    guard case .file(let path) = location else {
      sequence = 0
      return try DatabaseConnection(location)
    }
    let mark = HighWaterMark(of: path)
    let content = mark.read()
    if content == .damaged {
      logger.warning(
        "cannot read the high-water mark of the journal; rewriting it",
        metadata: ["journal.mark": "\(mark.path)"])
    }
    if copied == nil {
      let (loss, closed) = try Continuity.look(at: path, with: content.value)
      inspected = inspected ?? closed
      if loss != nil { copied = .some(try DamagedFile(path).copyAside()) }
    }
    let connection = try DatabaseConnection(location)
    let salvaged = salvaged
    let keptAside = copied ?? nil
    let isReconciled = try connection.queue.read { db in
      let isBegun = try db.tableExists("head") && Head.fetch(db) != nil
      return try Continuity(db, with: content.value).loss(content.value) == nil && (isBegun || salvaged == nil)
    }
    var announced = content.value?.announced
    if !isReconciled {
      let firstEntry = try connection.queue.write { db in
        try Self.reconcile(db, with: content.value, salvaged, keptAside: keptAside)
      }
      if let firstEntry { announced = min(announced ?? firstEntry, firstEntry) }
    }
    copied = nil
    let (head, digest, fresh) = try connection.queue.read { db in
      let head = try Head.fetch(db) ?? Head()
      let since = announced ?? head.counters[.journal] ?? 0
      return (head, try Continuity.hash(of: head.sequence, db), try Self.losses(db, after: since))
    }
    for loss in fresh where !losses.contains(loss) { losses.append(loss) }
    raiseMark(to: head.sequence, digest, announced: announced ?? head.counters[.journal])
    return connection
  }

  /// Records a loss; returns the counter of the last `journal` entry in the audit trail before it, `nil` if there is no
  /// loss.
  private static func reconcile(
    _ db: Database, with mark: HighWaterMark.Value?, _ salvaged: SalvagedState?, keptAside: String?
  ) throws -> Int? {
    let isNew = try Head.fetch(db) == nil
    let now = DamagedFile.now()
    var loss = try Continuity(db, with: mark).loss(mark)
    if isNew, let salvaged {
      loss = JournalLoss(
        from: salvaged.first ?? 1, to: max(salvaged.sequence, mark?.sequence ?? 0), keptAside: salvaged.keptAside,
        reason: salvaged.reason)
    } else {
      loss?.keptAside = keptAside
    }
    var appender = try Appender(db, identifiers: .random, salvaged: salvaged, at: now)
    guard let loss, loss.to >= loss.from else { return nil }
    let before = appender.head.counters[.journal] ?? 0
    try appender.append(loss, at: now)
    return before
  }

  /// The losses in the audit trail after the `journal` entry with a counter.
  private static func losses(_ db: Database, after counter: Int) throws -> [JournalLoss] {
    let kind = AuditKind.journal
    let details = try String.fetchAll(
      db, sql: "SELECT detail FROM audit WHERE kind = ? AND counter > ? ORDER BY counter",
      arguments: [kind.rawValue, counter])
    return details.compactMap { AuditEntry(kind: kind, detail: $0).loss }
  }

  /// Raises the mark for a weighing on disk, before its number is published.
  mutating func raiseMark(to sequence: Int, _ digest: Digest?, announced: Int? = nil) {
    self.sequence = max(sequence, self.sequence ?? 0)
    guard case .file(let path) = location else { return }
    let mark = HighWaterMark(of: path)
    do {
      try mark.raise(to: sequence, digest, announced: announced)
      unwrittenMark = nil
    } catch {
      unwrittenMark = (sequence, digest, announced)
      logger.error(
        "cannot write the high-water mark of the journal; recording is suspended until this succeeds",
        metadata: ["journal.mark": "\(mark.path)", "journal.reason": "\(error)"])
    }
  }

  /// Removes and returns the losses found since the last call.
  mutating func removeLosses() -> [JournalLoss] {
    defer { losses = [] }
    return losses
  }

  /// Records that numbers up to `known` were assigned which the journal does not contain.
  mutating func skip(to known: Int, reason: String, keptAside: String?, at time: Instant) throws(JournalError) {
    let found = try perform { queue in
      try queue.write { db -> (loss: JournalLoss, before: Int)? in
        let sequence = try Head.fetch(db)?.sequence ?? 0
        guard sequence < known else { return nil }
        var appender = try Appender(db, identifiers: .random, salvaged: nil, at: time)
        let loss = JournalLoss(from: sequence + 1, to: known, keptAside: keptAside, reason: reason)
        let before = appender.head.counters[.journal] ?? 0
        try appender.append(loss, at: time)
        return (loss, before)
      }
    }
    guard let found else { return }
    losses.append(found.loss)
    var announced = found.before
    if case .file(let path) = location, let value = HighWaterMark(of: path).read().value {
      announced = min(announced, value.announced)
    }
    raiseMark(to: found.loss.to, nil, announced: announced)
  }

  /// Closes the file; the next access opens it again.
  ///
  /// The database file is complete then, unless another process is reading.
  mutating func close() {
    guard let connection else { return }
    _ = try? Checkpoint.run(on: connection.queue, waitMilliseconds: 500)
    self.connection = nil
    try? connection.queue.close()
  }

  private func checkIdentity(of connection: DatabaseConnection) throws(JournalError) {
    guard case .file(let path) = location, FileIdentity(path) != connection.identity else { return }
    throw .replaced(path: path)
  }

  /// Resets the state after an error, so that the next access can start again.
  private mutating func reset(after error: JournalError) -> JournalError {
    guard case .file(let path) = location else { return error }
    switch error {
    case .corrupt:
      return setAside(path)
    case .replaced:
      // A removed file is replaced by a new one that continues its numbering, which the open file still has.
      if FileIdentity(path) == nil, let connection {
        keep(SalvagedState(of: connection.queue, reason: "the file was removed while it was open"))
      }
      connection = nil
    case .notFound, .notPermitted, .cannotCreate, .readOnly, .foreign, .newer, .versionMissing, .other:
      connection = nil
    case .full, .busy, .inUse, .markNotWritten, .nothingToVoid, .unknownWeighing:
      break
    }
    return error
  }

  /// Moves a damaged file aside and starts a new one.
  private mutating func setAside(_ path: String) -> JournalError {
    let opened = connection
    if let identity = opened?.identity, identity != FileIdentity(path) {
      connection = nil
      return .replaced(path: path)
    }
    var found = SalvagedState(of: opened?.queue, reason: "the file was damaged")
    if opened == nil, let reading = try? DatabaseConnection(reading: path, reportedAs: path) {
      found = found.joined(SalvagedState(of: reading.queue, reason: found.reason))
    }
    // Moved while it is open: closing it then neither writes to it nor removes its -wal.
    let aside = DamagedFile(path).moveAside()
    connection = nil
    guard let aside else {
      logger.error("journal damaged; cannot move it aside", metadata: ["journal.path": "\(path)"])
      return .corrupt(path: path, keptAside: nil)
    }
    found.keptAside = aside
    if found.sequence == 0 { found = found.joined(DamagedFile(aside).salvaged(reason: found.reason)) }
    // If no number can be read, assume the highest that fits into the file: no number is assigned twice.
    if found.sequence == 0, HighWaterMark(of: path).read().value == nil {
      found.sequence = DamagedFile(aside).mostWeighings
      if found.sequence > 0 {
        found.reason += "; its last sequence number is unknown, but at most \(found.sequence)"
      }
    }
    keep(found)
    logger.error(
      "journal damaged; moved it aside and started a new one",
      metadata: [
        "journal.path": "\(path)", "journal.kept_aside": "\(aside)", "journal.sequence": "\(salvaged?.sequence ?? 0)",
      ])
    reopen()
    return .corrupt(path: path, keptAside: aside)
  }

  /// Starts a new file; if that fails, the next access retries.
  private mutating func reopen() { connection = try? open() }

  /// Keeps the salvaged state of a file: instead of an earlier one that this file continued from, else combined with it.
  private mutating func keep(_ found: SalvagedState) {
    let wasUsed = salvaged.map { found.counters[.journal, default: 0] > $0.counters[.journal, default: 0] } ?? true
    salvaged = wasUsed ? found : salvaged.map(found.joined)
  }

  private var path: String {
    switch location {
    case .file(let path): path
    case .memory: ":memory:"
    }
  }
}
