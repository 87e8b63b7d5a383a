import Glibc

/// An open file that is read or written sequentially; closed when the last reference is released.
final class OpenFile {
  /// Its name in errors.
  let name: String
  /// The descriptor, for other calls.
  let descriptor: Int32
  private let isOwned: Bool

  /// Uses an open descriptor without closing it, such as standard input.
  init(lending descriptor: Int32, name: String) {
    (self.descriptor, self.name, isOwned) = (descriptor, name, false)
  }

  /// Opens a file for reading. `open(2)`
  init(reading path: String, name: String? = nil) throws(BackupError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    self.name = name ?? path
    isOwned = true
    if descriptor < 0 { throw .file(FileFailure(self.name, .open, errno)) }
    // A FIFO or a device may never end.
    guard try status().st_mode & S_IFMT == S_IFREG else { throw .file(FileFailure(self.name, .open, EISDIR)) }
  }

  /// Creates a file that only its owner can read; fails if it exists. `open(2)`
  init(creating path: String, name: String? = nil) throws(BackupError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    self.name = name ?? path
    isOwned = true
    if descriptor < 0 { throw .file(FileFailure(self.name, .create, errno)) }
  }

  deinit { if isOwned && descriptor >= 0 { close(descriptor) } }

  /// The status of the file. `fstat(2)`
  func status() throws(BackupError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .file(FileFailure(name, .read, errno)) }
    return status
  }

  /// The next bytes, at most 64 KiB; empty at the end. `read(2)`
  func read(atMost most: Int) throws(BackupError) -> [UInt8] {
    let size = min(most, 1 << 16)
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      repeat {
        let got = Glibc.read(descriptor, buffer.baseAddress, size)
        count = max(got, 0)
        failure = got < 0 ? errno : 0
      } while failure == EINTR
    }
    if failure != 0 { throw .file(FileFailure(name, .read, failure)) }
    return bytes
  }

  /// Writes all bytes. `write(2)`
  func write(_ bytes: [UInt8]) throws(BackupError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { throw .file(FileFailure(name, .write, errno)) }
      written += max(count, 0)
    }
  }

  /// Makes the user who invoked sudo the owner of the file, so that they can review and send it. `sudo(8)`
  func changeOwnerToInvokingUser() {
    guard geteuid() == 0, let user = getenv("SUDO_UID").flatMap({ uid_t(String(cString: $0)) }),
      let group = getenv("SUDO_GID").flatMap({ gid_t(String(cString: $0)) })
    else { return }
    fchown(descriptor, user, group)
  }

  /// Flushes the file to disk. `fsync(2)`
  func sync() throws(BackupError) {
    // EINVAL: a pipe.
    if fsync(descriptor) != 0, errno != EINVAL { throw .file(FileFailure(name, .write, errno)) }
  }
}
