import Glibc
import Linux
import SystemPackage

/// An open file that is read or written sequentially; closed when the last reference is released.
final class OpenFile {
  /// Its name in errors.
  let name: String
  /// The descriptor, for other calls.
  let descriptor: FileDescriptor
  private let isOwned: Bool

  /// Uses an open descriptor without closing it, such as standard input.
  init(lending descriptor: FileDescriptor, name: String) {
    (self.descriptor, self.name, isOwned) = (descriptor, name, false)
  }

  /// Opens a file for reading. `open(2)`
  init(reading path: String, name: String? = nil) throws(BackupError) {
    self.name = name ?? path
    isOwned = true
    descriptor = try FileFailure.checked(name ?? path, .open) {
      try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
    }
    // A FIFO or a device may never end.
    guard try status().type == .regular else { throw .file(FileFailure(self.name, .open, .isDirectory)) }
  }

  /// Creates a file that only its owner can read; fails if it exists. `open(2)`
  init(creating path: String, name: String? = nil) throws(BackupError) {
    self.name = name ?? path
    isOwned = true
    descriptor = try FileFailure.checked(name ?? path, .create) {
      try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec, .noFollow],
        permissions: .ownerReadWrite)
    }
  }

  deinit { if isOwned { try? descriptor.close() } }

  /// The status of the file. `fstat(2)`
  func status() throws(BackupError) -> Stat { try FileFailure.checked(name, .read) { try Stat(descriptor) } }

  /// The next bytes, at most 64 KiB; empty at the end. `read(2)`
  func read(atMost most: Int) throws(BackupError) -> [UInt8] {
    try FileFailure.checked(name, .read) { try descriptor.readPiece(atMost: most) }
  }

  /// Writes all bytes. `write(2)`
  func write(_ bytes: [UInt8]) throws(BackupError) {
    _ = try FileFailure.checked(name, .write) { try descriptor.writeAll(bytes) }
  }

  /// Makes the user who invoked sudo the owner of the file, so that they can review and send it. `sudo(8)`
  func changeOwnerToInvokingUser() {
    guard geteuid() == 0, let user = getenv("SUDO_UID").flatMap({ uid_t(String(cString: $0)) }),
      let group = getenv("SUDO_GID").flatMap({ gid_t(String(cString: $0)) })
    else { return }
    try? descriptor.changeOwner(to: UserID(rawValue: user), GroupID(rawValue: group))
  }

  /// Flushes the file to disk. `fsync(2)`
  func sync() throws(BackupError) {
    do throws(Errno) {
      try descriptor.sync()
    } catch {
      // A pipe cannot be flushed.
      if error != .invalidArgument { throw .file(FileFailure(name, .write, error)) }
    }
  }
}
