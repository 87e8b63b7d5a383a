import Foundation
import GRDB
import GRDBSQLite
import Glibc
import Linux
import SystemPackage
import Weighing

/// A file that is not used any more, but kept.
struct DamagedFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Moves it to `NAME.corrupt-YYYYMMDDTHHMMSSZ`, with `-wal` and `-shm`, never over another file.
  ///
  /// - Returns: The new path; `nil` if it could not be moved. `rename(2)`
  func moveAside(at time: Instant) -> String? {
    guard let aside = freeName("corrupt", at: time), rename(path, aside) == 0 else { return nil }
    for suffix in ["-wal", "-shm"] { _ = rename(path + suffix, aside + suffix) }
    return aside
  }

  /// Copies it to `NAME.incomplete-YYYYMMDDTHHMMSSZ`, with `-wal`, before SQLite discards an unreadable log.
  ///
  /// - Returns: The new path; `nil` if there is no file, or this process has it open.
  func copyAside(at time: Instant) throws -> String? {
    let parts = ["", "-wal"].filter { FileIdentity(path + $0) != nil }
    guard try parts.contains(where: { try Stat(path + $0).size > 0 }), let aside = freeName("incomplete", at: time)
    else { return nil }
    let isDone = try OpenFiles.whileClosed(path) {
      for part in parts {
        do {
          try Self.copy(path + part, to: aside + part)
        } catch {
          for part in parts { unlink(aside + part) }
          throw error
        }
      }
    }
    return isDone ? aside : nil
  }

  private static func copy(_ path: String, to copy: String) throws {
    let source = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    try source.closeAfter {
      let target = try FileDescriptor.open(
        copy, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: FilePermissions(rawValue: 0o640))
      try target.closeAfter {
        while case let piece = try source.readPiece(), !piece.isEmpty { try target.writeAll(piece) }
        try target.sync()
      }
    }
  }

  /// What SQLite can still read from it and its `-wal`, without the checks of a journal.
  func salvaged(reason: String) -> SalvagedState {
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    return SalvagedState(of: try? DatabaseQueue(path: path, configuration: configuration), reason: reason)
  }

  /// An upper bound for the weighings in it and in its `-wal`; 0 for a file that never was a journal, because its first
  /// pages do not contain our tables.
  ///
  /// A weighing takes at least 128 bytes: 64 for the hash of the configuration, 32 for the hash of the chain, 26 or
  /// more for the id.
  var mostWeighings: Int {
    var bytes = 0
    var isJournal = false
    for suffix in ["", "-wal"] {
      guard let size = try? Stat(path + suffix).size else { continue }
      let start = (try? fileBytes(path + suffix, limit: 1 << 18)) ?? []
      isJournal = isJournal || Data(start).range(of: Data("CREATE TABLE weighings".utf8)) != nil
      bytes += Int(size)
    }
    return isJournal ? bytes / 128 : 0
  }

  /// An unused path.
  func freeName(_ word: String, at time: Instant) -> String? {
    let base = "\(path).\(word)-\(Self.stamp(time))"
    let names = [base] + (2...100).map { "\(base)-\($0)" }
    return names.first { name in !["", "-wal", "-shm"].contains { access(name + $0, F_OK) == 0 } }
  }

  /// `20260301T120000Z`
  private static func stamp(_ time: Instant) -> String {
    var seconds = time_t(time.nanoseconds / 1_000_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func digits(_ value: Int32, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
    return digits(parts.tm_year + 1900, 4) + digits(parts.tm_mon + 1, 2) + digits(parts.tm_mday, 2) + "T"
      + digits(parts.tm_hour, 2) + digits(parts.tm_min, 2) + digits(parts.tm_sec, 2) + "Z"
  }
}

extension DamagedFile {
  /// What another look at a file has found.
  enum Condition {
    case sound, damaged
    /// It could not be read.
    case unknown
  }

  /// Looks at the file again, on connections of its own: after a read that has failed, SQLite can take a sound file for a damaged one.
  /// Several looks have to agree about damage, each of a file that can be read.
  func examine() -> Condition {
    for _ in 1...Self.looks {
      let condition = look()
      if condition != .damaged { return condition }
      if !isReadable { return .unknown }
    }
    return .damaged
  }

  /// Whether the whole file and its log can be read at present, with the descriptor that SQLite uses: closing another one would release
  /// its locks.
  var isReadable: Bool {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let read = file?.pointee.pMethods?.pointee.xRead
    else { return false }
    var page = [UInt8](repeating: 0, count: Self.pageSize)
    var (offset, status) = (Int64(0), SQLITE_OK)
    while status == SQLITE_OK {
      status = read(file, &page, Int32(page.count), offset)
      offset += Int64(page.count)
    }
    return status == Self.endOfFile && isLogReadable
  }

  /// No lock is on the log.
  private var isLogReadable: Bool {
    do {
      let log = try FileDescriptor.open(path + "-wal", .readOnly, options: .closeOnExec)
      defer { try? log.close() }
      return try withUnsafeTemporaryAllocation(byteCount: Self.pageSize, alignment: 1) { page in
        while try log.read(into: page) > 0 {}
        return true
      }
    } catch {
      return error as? Errno == .noSuchFileOrDirectory
    }
  }

  /// Small enough that a disk that fails now and then does not return everything in between; chosen.
  private static let pageSize = 4096
  /// `SQLITE_IOERR_SHORT_READ`, a macro that Swift does not import.
  private static let endOfFile = SQLITE_IOERR | 2 << 8

  /// The number of looks that have to agree about damage; chosen.
  static let looks = 3

  private func look() -> Condition {
    do {
      let connection = try DatabaseConnection(reading: path, reportedAs: path)
      defer { try? connection.queue.close() }
      return try connection.queue.read { db in
        _ = try Continuity(db, with: nil)
        let finding = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? ""
        if finding == "ok" { return .sound }
        // "unable to get the page. error code=266": it could not be read.
        let code = finding.split(separator: "error code=").last.flatMap { Int32($0.prefix { $0.isNumber }) }
        return code.map { ResultCode(rawValue: $0).primaryResultCode == .SQLITE_IOERR } == true ? .unknown : .damaged
      }
    } catch {
      if case .corrupt = JournalError(error, path: path) { return .damaged }
      return .unknown
    }
  }
}

extension SalvagedState {
  /// Everything that can still be read, each value separately, so that one bad page does not affect the others.
  init(of queue: DatabaseQueue?, reason: String) {
    self.init(reason: reason)
    func read<T>(_ work: (Database) throws -> T?) -> T? {
      guard let queue else { return nil }
      return try? queue.unsafeRead(work)
    }
    if let head = read(Head.fetch) {
      sequence = head.sequence
      counters = head.counters
      hash = head.hash.text
    }
    let last = read { try Int.fetchOne($0, sql: "SELECT max(sequence) FROM weighings") }
    first = read { try Int.fetchOne($0, sql: "SELECT min(sequence) FROM weighings") }
    sequence = max(sequence, last ?? 0, read { try Int.fetchOne($0, sql: "SELECT max(sequence) FROM outbox") } ?? 0)
    for kind in AuditKind.allCases {
      let counter = read {
        try Int.fetchOne($0, sql: "SELECT max(counter) FROM audit WHERE kind = ?", arguments: [kind.rawValue])
      }
      counters[kind] = max(counters[kind] ?? 0, counter ?? 0)
    }
  }
}
