import Glibc

/// Why a file cannot be read or written.
package enum FileError: Error, Equatable {
  /// There is no such file.
  case missing
  /// The permissions do not allow it.
  case noPermission
  /// It is a directory, a FIFO or a device.
  case notAFile
  /// Anything else, with the system's error number.
  case failed(CInt)

  /// The error for a system's error number.
  package init(_ number: CInt) {
    switch number {
    case ENOENT, ENOTDIR: self = .missing
    case EACCES, EPERM: self = .noPermission
    case EISDIR: self = .notAFile
    default: self = .failed(number)
    }
  }
}

/// The content of a regular file, at most `limit` + 1 bytes, so that a longer file can be detected; open(2), fstat(2),
/// read(2).
///
/// Never blocks: a FIFO or a device is refused.
package func fileBytes(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { throw FileError(errno) }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { throw FileError(errno) }
  guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
  var bytes = [UInt8](repeating: 0, count: limit + 1)
  var count = 0
  while count < bytes.count {
    let got = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count) }
    if got == 0 { break }
    if got < 0 {
      if errno == EINTR { continue }
      throw FileError(errno)
    }
    count += got
  }
  bytes.removeSubrange(count...)
  return bytes
}

/// Resolves a path relative to a directory.
package func absolutePath(_ path: String, in folder: String) -> String {
  if path.hasPrefix("/") { return path }
  return folder.hasSuffix("/") ? folder + path : folder + "/" + path
}

/// The directory of a file with an absolute path.
package func parentFolder(of path: String) -> String {
  let end = path.lastIndex(of: "/") ?? path.startIndex
  return end == path.startIndex ? "/" : String(path[..<end])
}

/// Whether two paths refer to the same existing file; stat(2).
package func isSameFile(_ a: String, _ b: String) -> Bool {
  var first = stat()
  var second = stat()
  return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino
}
