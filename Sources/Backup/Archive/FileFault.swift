import EventLoop
import Glibc

/// What went wrong with a file.
package struct FileFault: Hashable, Sendable, CustomStringConvertible {
  /// What was being done.
  package enum Doing: Hashable, Sendable {
    /// Opening it, making it anew, reading and writing it.
    case open, make, read, write
    /// Giving what is there another name, and putting the new file in its place.
    case keep, replace
  }

  /// The file.
  package var path: String
  /// What was being done.
  package var doing: Doing
  /// The system's error number.
  package var errno: Int32

  init(_ path: String, _ doing: Doing, _ errno: Int32) {
    (self.path, self.doing, self.errno) = (path, doing, errno)
  }

  /// What failed, on what, and what to do.
  package var description: String {
    let words =
      switch doing {
      case .open: "cannot be opened"
      case .make: "cannot be created"
      case .read: "cannot be read"
      case .write: "cannot be written"
      case .keep: "cannot be renamed"
      case .replace: "cannot be replaced"
      }
    return "\(path) \(words): \(systemText(errno))\(advice)"
  }

  private var advice: String {
    switch errno {
    case ENOSPC, EDQUOT: "; free some disk space, or specify a file on another disk"
    case EACCES, EPERM: "; run the command as a user with permission, for example as root (sudo)"
    case EEXIST: "; use --force to overwrite it"
    case EROFS: "; the file system is mounted read-only"
    default: ""
    }
  }
}
