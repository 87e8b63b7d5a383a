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
    var bytes = [UInt8](repeating: 0, count: 100)
    let count: Int?
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      count = bytes.withUnsafeMutableBytes { try? file.read(into: $0) }
      try? file.close()
    } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
      self = .missing
      return
    } catch {
      self = .other
      return
    }
    if count == 0 {
      self = .empty
    } else if count == 100, bytes.starts(with: "SQLite format 3\0".utf8) {
      let identity = bytes[68..<72].reduce(0) { $0 << 8 | Int($1) }
      self = identity == Schema.applicationID || Self.isJournal(path) ? .journal : .other
    } else {
      self = .other
    }
  }

  private static func isJournal(_ path: String) -> Bool {
    let identity = try? JournalSnapshot(path: path).read { try Int.fetchOne($0, sql: "PRAGMA application_id") }
    return identity == Schema.applicationID
  }
}
