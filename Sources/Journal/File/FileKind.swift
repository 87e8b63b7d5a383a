import GRDB
import Glibc

/// What sort of file is where a journal should be.
package enum FileKind: Hashable, Sendable {
  /// There is none.
  case missing
  /// It has no bytes.
  case empty
  /// A journal of ours, in order or not.
  case journal
  /// Something else.
  case other

  /// Looks at a file: at its first bytes (sqlite.org/fileformat2.html, 1.3: the magic at 0, `application_id` at 68), and with
  /// SQLite where these are not all there is, because the newest pages are in `-wal` yet.
  package init(of path: String) {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      self = errno == ENOENT || errno == ENOTDIR ? .missing : .other
      return
    }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(file, &bytes, bytes.count)
    close(file)
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
