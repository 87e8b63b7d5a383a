import Glibc

/// An open file that is read or written from its beginning to its end; closed when the last reference goes.
final class OpenFile {
  /// What errors call it.
  let name: String
  /// The descriptor, for calls that are not here.
  let descriptor: Int32
  private let isOwned: Bool

  /// Takes a descriptor that is open already and stays so, such as that of standard input.
  init(lending descriptor: Int32, name: String) {
    (self.descriptor, self.name, isOwned) = (descriptor, name, false)
  }

  /// Opens a file to read it. `open(2)`
  init(reading path: String, name: String? = nil) throws(BackupError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    self.name = name ?? path
    isOwned = true
    if descriptor < 0 { throw .file(FileFault(self.name, .open, errno)) }
    // A FIFO or a device would never end.
    guard try status().st_mode & S_IFMT == S_IFREG else { throw .file(FileFault(self.name, .open, EISDIR)) }
  }

  /// Makes a new file that only its owner can read, never over another. `open(2)`
  init(making path: String, name: String? = nil) throws(BackupError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    self.name = name ?? path
    isOwned = true
    if descriptor < 0 { throw .file(FileFault(self.name, .make, errno)) }
  }

  deinit { if isOwned && descriptor >= 0 { close(descriptor) } }

  /// What the system knows of it. `fstat(2)`
  func status() throws(BackupError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .file(FileFault(name, .read, errno)) }
    return status
  }

  /// The next bytes, at most 64 KiB of them; none at the end. `read(2)`
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
    if failure != 0 { throw .file(FileFault(name, .read, failure)) }
    return bytes
  }

  /// Writes all of them. `write(2)`
  func write(_ bytes: [UInt8]) throws(BackupError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { throw .file(FileFault(name, .write, errno)) }
      written += max(count, 0)
    }
  }

  /// Makes it the file of whoever called sudo, who is to look through it and to send it; otherwise it stays ours. `sudo(8)`
  func giveToCaller() {
    guard geteuid() == 0, let user = getenv("SUDO_UID").flatMap({ uid_t(String(cString: $0)) }),
      let group = getenv("SUDO_GID").flatMap({ gid_t(String(cString: $0)) })
    else { return }
    fchown(descriptor, user, group)
  }

  /// Brings it to the disk. `fsync(2)`
  func sync() throws(BackupError) {
    // EINVAL: a pipe, which has no disk.
    if fsync(descriptor) != 0, errno != EINVAL { throw .file(FileFault(name, .write, errno)) }
  }
}
