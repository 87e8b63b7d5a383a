import Glibc

/// The identity of a file.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  private let inode: UInt

  /// `nil` if there is no file. `stat(2)`
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }
}

/// Checks of a path that do not open the file.
///
/// Opening and closing it would release the locks that SQLite holds on it in this process (`fcntl(2)`, "advisory record
/// locking").
struct FileCondition {
  private let path: String
  /// The directory of the file.
  let folder: String

  init(_ path: String) {
    self.path = path
    let parts = path.split(separator: "/", omittingEmptySubsequences: true).dropLast()
    folder = (path.hasPrefix("/") ? "/" : "./") + parts.joined(separator: "/")
  }

  /// Creates a missing file (mode 0640, less the umask) and checks that it can be written.
  func prepared() throws(JournalError) -> FileIdentity {
    // mknod(2) creates an empty file without opening it.
    if mknod(path, S_IFREG | 0o640, 0) != 0, errno != EEXIST {
      switch errno {
      case EACCES, EPERM: throw .notPermitted(path: path)
      case EROFS where access(path, F_OK) != 0: throw .readOnly(path: path)
      case ENOSPC, EDQUOT: throw .full(path: path)
      case EROFS: break
      default: throw .cannotCreate(path: path, reason: String(cString: strerror(errno)))
      }
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw .other(path: path, reason: String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .other(path: path, reason: "it is not a regular file") }
    if let obstacle = obstacle() { throw obstacle }
    guard let identity = FileIdentity(path) else { throw .replaced(path: path) }
    return identity
  }

  /// Why the file cannot be written according to its permissions; `nil` if they allow it.
  func obstacle() -> JournalError? {
    if let obstacle = obstacleToReading() { return obstacle }
    for target in [path, folder] where faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0 {
      if errno == EACCES || errno == EROFS || errno == EPERM { return .readOnly(path: path) }
    }
    return nil
  }

  /// Why the file cannot be read according to its permissions; `nil` if they allow it. `faccessat(2)`
  func obstacleToReading() -> JournalError? {
    guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0 else {
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return nil }
      return .other(
        path: path, reason: status.st_mode & S_IFMT == S_IFDIR ? "it is a directory" : "it is not a regular file")
    }
    return switch errno {
    case ENOENT, ENOTDIR: .notFound(path: path)
    case EACCES, EPERM: .notPermitted(path: path)
    default: .other(path: path, reason: String(cString: strerror(errno)))
    }
  }

  /// Whether its file system has no free space or inodes. `statvfs(3)`
  var isFull: Bool {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return false }
    let free = geteuid() == 0 ? status.f_bfree : status.f_bavail
    return free < 16 || (status.f_files > 0 && status.f_ffree == 0)
  }
}
