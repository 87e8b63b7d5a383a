import GRDB
import Logging
import Weighing

/// The file behind a journal: opened when it is needed, closed after a fault, and never written to once it is not the one
/// its path leads to.
struct JournalFile {
  private let place: JournalPlace
  private let logger: Logger
  private var connection: Connection?
  /// Under which configuration records are made; `nil` until told.
  var terms: Terms?
  /// What an earlier file has left behind, for the next one that is begun.
  private(set) var remains: Remains?

  init(_ place: JournalPlace, logger: Logger) {
    self.place = place
    self.logger = logger
  }

  /// Works with the open database; opens it first if need be.
  mutating func perform<T>(_ work: (DatabaseQueue) throws -> T) throws(JournalError) -> T {
    do {
      let connection = try connection ?? Connection(place)
      self.connection = connection
      try checkIdentity(of: connection)
      let result = try work(connection.queue)
      // Had the file been taken away meanwhile, what was just written would be in a file without a name.
      try checkIdentity(of: connection)
      return result
    } catch {
      throw settle(JournalError(error, path: path))
    }
  }

  private func checkIdentity(of connection: Connection) throws(JournalError) {
    guard case .file(let path) = place, FileIdentity(path) != connection.identity else { return }
    throw .replaced(path: path)
  }

  /// Sees to it that the next use can begin afresh.
  private mutating func settle(_ error: JournalError) -> JournalError {
    guard case .file(let path) = place else { return error }
    switch error {
    case .corrupt:
      return setAside(path)
    case .replaced:
      // A file that was removed is begun anew with the numbers that follow; the open one still knows them.
      if FileIdentity(path) == nil, let connection {
        keep(Remains(of: connection.queue, reason: "the file was removed while it was open"))
      }
      connection = nil
    case .notFound, .notPermitted, .cannotCreate, .readOnly, .foreign, .newer, .other:
      connection = nil
    case .full, .busy, .nothingToVoid:
      break
    }
    return error
  }

  /// Moves a damaged file away and begins a new one.
  private mutating func setAside(_ path: String) -> JournalError {
    let opened = connection
    if let identity = opened?.identity, identity != FileIdentity(path) {
      connection = nil
      return .replaced(path: path)
    }
    var found = Remains(of: opened?.queue, reason: "the file was damaged")
    if opened == nil, let reading = try? Connection(reading: path, reportedAs: path) {
      found = found.joined(Remains(of: reading.queue, reason: found.reason))
    }
    // Moved while it is open: closing it then neither writes to it nor removes its -wal.
    let aside = DamagedFile(path).moveAside()
    connection = nil
    guard let aside else {
      logger.error("the journal is damaged and cannot be moved aside", metadata: ["journal.path": "\(path)"])
      return .corrupt(path: path, keptAside: nil)
    }
    found.keptAside = aside
    keep(found)
    logger.error(
      "the journal is damaged; it is kept aside and a new one is begun",
      metadata: [
        "journal.path": "\(path)", "journal.kept_aside": "\(aside)", "journal.sequence": "\(remains?.sequence ?? 0)",
      ])
    beginAnew()
    return .corrupt(path: path, keptAside: aside)
  }

  /// Writes what remains into a new file at once; if that fails, it is tried again with the first record.
  private mutating func beginAnew() {
    guard let fresh = try? Connection(place) else { return }
    let remains = remains
    let begun: ()? = try? fresh.queue.write { db in
      _ = try Appender(db, identifiers: .random, remains: remains, at: DamagedFile.now())
    }
    if begun != nil { connection = fresh }
  }

  /// What was found in a file that went on from earlier remains includes them; else both count.
  private mutating func keep(_ found: Remains) {
    let wasUsed = remains.map { found.counters[.journal, default: 0] > $0.counters[.journal, default: 0] } ?? true
    remains = wasUsed ? found : remains.map(found.joined)
  }

  private var path: String {
    switch place {
    case .file(let path): path
    case .memory: ":memory:"
    }
  }
}
