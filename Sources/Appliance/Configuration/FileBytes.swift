import Glibc

/// What stands in the way of reading a file.
enum FileRefusal: Error, Equatable {
  case missing, noPermission, notAFile
  case failed(CInt)

  init(_ number: CInt) {
    switch number {
    case ENOENT, ENOTDIR: self = .missing
    case EACCES, EPERM: self = .noPermission
    case EISDIR: self = .notAFile
    default: self = .failed(number)
    }
  }
}

/// The bytes of a regular file, at most `limit` and one, so that a longer one can be told; open(2), fstat(2), read(2).
///
/// Never waits: a FIFO or a device in the file's place is refused.
func fileBytes(_ path: String, limit: Int) throws(FileRefusal) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { throw FileRefusal(errno) }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { throw FileRefusal(errno) }
  guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
  var bytes = [UInt8](repeating: 0, count: limit + 1)
  var count = 0
  while count < bytes.count {
    let got = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count) }
    if got == 0 { break }
    if got < 0 {
      if errno == EINTR { continue }
      throw FileRefusal(errno)
    }
    count += got
  }
  bytes.removeSubrange(count...)
  return bytes
}
