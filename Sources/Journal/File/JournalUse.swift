import Glibc
import SystemPackage

/// Whether another process has a journal open.
///
/// In WAL mode, SQLite keeps a shared lock on the file for as long as a connection is open, not only within
/// transactions; with it the last connection detects that it is the last (sqlite.org/lockingv3.html;
/// `sqlite3WalClose`).
package enum JournalUse: Hashable, Sendable {
  /// No process has it open.
  case free
  /// This process has it open; 0 if its id is not visible from here, for example in another container.
  case open(process: Int32)

  /// Checks a file; do not use it for a file that this process has open, whose locks would be released (`fcntl(2)`).
  package init(of path: String) {
    self = .free
    let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
    guard let file = try? FileDescriptor.open(path, .readOnly, options: options) else { return }
    defer { try? file.close() }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = Self.firstByte
    lock.l_len = Self.count
    if fcntl(file.rawValue, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) {
      self = .open(process: max(lock.l_pid, 0))
    }
  }

  /// The range of SQLite's lock bytes: from PENDING_BYTE (sqlite.org/fileformat2.html, 1.4).
  private static let firstByte: off_t = 0x4000_0000
  private static let count: off_t = 512
}
