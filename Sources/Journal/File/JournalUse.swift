import Glibc

/// Whether another process has a journal open.
///
/// SQLite keeps a lock for reading on the file as long as a connection in WAL mode is open, not only within
/// transactions; that is how the last one to close knows that it is (sqlite.org/lockingv3.html; `sqlite3WalClose`).
package enum JournalUse: Hashable, Sendable {
  /// Nobody has it open.
  case free
  /// This process has; 0 where it lives beyond what can be seen from here, in another container for instance.
  case open(process: Int32)

  /// Looks at a file; not one that this process has open itself, whose locks would be lost (`fcntl(2)`).
  package init(of path: String) {
    self = .free
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = Self.firstByte
    lock.l_len = Self.count
    if fcntl(file, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) { self = .open(process: max(lock.l_pid, 0)) }
  }

  /// The bytes that stand for SQLite's locks: PENDING_BYTE and what follows it (sqlite.org/fileformat2.html, 1.4).
  private static let firstByte: off_t = 0x4000_0000
  private static let count: off_t = 512
}
