import Glibc
import SystemPackage

/// The identity of a file.
struct FileIdentity: Hashable, Sendable {
  private let device: DeviceID
  private let inode: Inode

  /// `nil` if there is no file. `stat(2)`
  init?(_ path: String) {
    guard let status = try? Stat(path) else { return nil }
    (device, inode) = (status.deviceID, status.inode)
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
    if mknod(path, S_IFREG | 0o640, 0) != 0 {
      let error = Errno(rawValue: errno)
      switch error {
      case .fileExists: break
      case .permissionDenied, .notPermitted: throw .notPermitted(path: path)
      case .readOnlyFileSystem: if access(path, F_OK) != 0 { throw .readOnly(path: path) }
      case .noSpace, .diskQuotaExceeded: throw .full(path: path)
      default: throw .cannotCreate(path: path, reason: "\(error)")
      }
    }
    let status: Stat
    do throws(Errno) {
      status = try Stat(path)
    } catch {
      throw .other(path: path, reason: "\(error)")
    }
    guard status.type == .regular else { throw .other(path: path, reason: "it is not a regular file") }
    if let obstacle = obstacle() { throw obstacle }
    guard let identity = FileIdentity(path) else { throw .replaced(path: path) }
    return identity
  }

  /// Why the file cannot be written according to its permissions; `nil` if they allow it.
  func obstacle() -> JournalError? {
    if let obstacle = obstacleToReading() { return obstacle }
    for target in [path, folder] where faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0 {
      let error = Errno(rawValue: errno)
      if [.permissionDenied, .readOnlyFileSystem, .notPermitted].contains(error) { return .readOnly(path: path) }
    }
    return nil
  }

  /// Why the file cannot be read according to its permissions; `nil` if they allow it. `faccessat(2)`
  func obstacleToReading() -> JournalError? {
    guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0 else {
      guard let status = try? Stat(path), status.type != .regular else { return nil }
      return .other(path: path, reason: status.type == .directory ? "it is a directory" : "it is not a regular file")
    }
    let error = Errno(rawValue: errno)
    return switch error {
    case .noSuchFileOrDirectory, .notDirectory: .notFound(path: path)
    case .permissionDenied, .notPermitted: .notPermitted(path: path)
    default: .other(path: path, reason: "\(error)")
    }
  }

  /// Whether its file system has no room for a record or no inodes. `statvfs(3)`
  var isFull: Bool {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return false }
    let free = geteuid() == 0 ? status.f_bfree : status.f_bavail
    return free < 16 || (status.f_files > 0 && status.f_ffree == 0)
  }
}
