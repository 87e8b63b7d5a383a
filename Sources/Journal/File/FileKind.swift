import GRDB
import SystemPackage

/// The kind of file at the path of a journal.
package enum FileKind: Hashable, Sendable {
  /// There is no file.
  case missing
  /// The file is empty.
  case empty
  /// A journal, possibly a damaged one.
  case journal
  /// Any other file.
  case other

  /// Determines the kind from the first bytes of a file (sqlite.org/fileformat2.html, 1.3: the magic at 0,
  /// `application_id` at 68), and with SQLite if they are not conclusive because the newest pages are still in `-wal`.
  package init(of path: String) {
    let header: [UInt8]?
    do {
      header = try Self.header(of: path)
    } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
      self = .missing
      return
    } catch {
      self = .other
      return
    }
    if let header, header.isEmpty {
      self = .empty
    } else if let header, Self.isDatabase(header) {
      self = Self.application(header) == Schema.applicationID || Self.isJournal(path) ? .journal : .other
    } else {
      self = .other
    }
  }

  /// Whether a file begins as a database does.
  static func isDatabase(_ path: String) -> Bool { (try? header(of: path)).flatMap { $0.map(isDatabase) } ?? false }

  private static func isDatabase(_ header: [UInt8]) -> Bool {
    header.count == 100 && header.starts(with: "SQLite format 3\0".utf8)
  }

  /// Whether the header of a journal has a version of the file format that SQLite only reads: it is damaged. Byte 18 is 1, or 2 with
  /// a write-ahead log. False while this process has it open.
  static func isJournalOfUnknownFormat(_ path: String) -> Bool {
    var isUnknown = false
    _ = OpenFiles.whileClosed(path) {
      guard let header = (try? header(of: path)).flatMap({ $0 }), isDatabase(header) else { return }
      isUnknown = application(header) == Schema.applicationID && !(1...2).contains(header[18])
    }
    return isUnknown
  }

  private static func application(_ header: [UInt8]) -> Int { header[68..<72].reduce(0) { $0 << 8 | Int($1) } }

  /// The first 100 bytes; fewer of a shorter file, and `nil` if they cannot be read.
  private static func header(of path: String) throws -> [UInt8]? {
    let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
    defer { try? file.close() }
    var bytes = [UInt8](repeating: 0, count: 100)
    guard let count = bytes.withUnsafeMutableBytes({ try? file.read(into: $0) }) else { return nil }
    return Array(bytes.prefix(count))
  }

  private static func isJournal(_ path: String) -> Bool {
    let identity = try? JournalSnapshot(path: path).read { try Int.fetchOne($0, sql: "PRAGMA application_id") }
    return identity == Schema.applicationID
  }
}
