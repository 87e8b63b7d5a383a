import Glibc
import Synchronization

/// The databases that this process has open.
///
/// Opening and closing such a file by other means would release SQLite's locks on it (`fcntl(2)`, "advisory record
/// locking").
enum OpenFiles {
  private static let counts = Mutex<[FileIdentity: Int]>([:])

  /// Registers a file as open for the lifetime of this value.
  final class Registration: Sendable {
    private let identity: FileIdentity

    /// `nil` if there is no file.
    init?(_ path: String) {
      guard let identity = FileIdentity(path) else { return nil }
      self.identity = identity
      OpenFiles.counts.withLock { $0[identity, default: 0] += 1 }
    }

    deinit {
      OpenFiles.counts.withLock { counts in
        let rest = (counts[identity] ?? 1) - 1
        counts[identity] = rest == 0 ? nil : rest
      }
    }
  }

  /// Whether this process or another one has a file open.
  static func isOpen(_ path: String) -> Bool {
    guard let identity = FileIdentity(path) else { return false }
    // Under the lock, so that no thread opens the file between the two checks.
    return counts.withLock { $0[identity] != nil || JournalUse(of: path) != .free }
  }

  /// Accesses a file's bytes unless this process has it open; returns whether it did.
  static func whileClosed(_ path: String, _ body: () throws -> Void) rethrows -> Bool {
    let identity = FileIdentity(path)
    return try counts.withLock { counts in
      if let identity, counts[identity] != nil { return false }
      try body()
      return true
    }
  }
}
