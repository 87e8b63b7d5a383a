import EventLoop
import Glibc
import Journal

/// Reads a whole file; `-` for standard input.
///
/// Throws a `Failure` that distinguishes missing, forbidden and unreadable files.
func readAll(_ path: String) throws(Failure) -> [UInt8] {
  let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw Failure(opening: path) }
  defer { if path != "-" { close(descriptor) } }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &chunk, chunk.count)
    if count == 0 { return bytes }
    if count < 0 {
      if errno == EINTR { continue }
      throw Failure(errno == EISDIR ? .noInput : .inputOutput, "\(path): \(systemText(errno))")
    }
    bytes += chunk[..<count]
  }
}

extension Failure {
  /// For a file that could not be opened, from `errno`.
  init(opening path: String) {
    let code: Sysexit =
      switch errno {
      case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: .noInput
      case EACCES, EPERM: .noPermission
      default: .inputOutput
      }
    self.init(code, "\(path): \(systemText(errno))")
  }
}

/// A buffered writer for a file descriptor.
struct Output {
  private let descriptor: Int32
  private let name: String
  private var buffer: [UInt8] = []

  /// Makes a writer; `name` is used in errors.
  init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Adds bytes; they are written when the buffer is full or `flush` is called.
  mutating func write(_ bytes: [UInt8]) throws(Failure) {
    buffer += bytes
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Writes the buffered bytes.
  mutating func flush() throws(Failure) {
    var written = 0
    while written < buffer.count {
      let count = buffer[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure(.inputOutput, "\(name): \(systemText(errno))")
      }
      written += count
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// Writes the output of a command to standard output.
///
/// Throws a `Failure` if a write fails, for example because the disk is full; `print` would ignore that.
func printAll(_ text: String) throws(Failure) {
  var output = Output(STDOUT_FILENO, name: "standard output")
  try output.write(Array(text.utf8))
  try output.flush()
}

/// Opens a file for the output of a command, creating or overwriting it; refuses to overwrite a journal.
func openForWriting(_ path: String) throws(Failure) -> Int32 {
  if FileKind(of: path) == .journal {
    throw Failure(.cannotCreate, "\(path) is a journal with weighings; specify another file")
  }
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  guard descriptor >= 0 else {
    let code: Sysexit = errno == EACCES || errno == EPERM ? .noPermission : .cannotCreate
    throw Failure(code, "\(path): \(systemText(errno))")
  }
  return descriptor
}
