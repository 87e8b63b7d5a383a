import EventLoop
import Journal
import Languages
import SystemPackage

/// Reads a whole file; `-` for standard input.
///
/// Throws a `Failure` that distinguishes missing, forbidden and unreadable files.
func readAll(_ path: String) throws(Failure) -> [UInt8] {
  let file: FileDescriptor
  do {
    file = try path == "-" ? .standardInput : FileDescriptor.open(path, .readOnly, options: .closeOnExec)
  } catch {
    throw Failure(opening: path, Errno(error))
  }
  defer { if path != "-" { try? file.close() } }
  do throws(Errno) {
    return try file.readAll()
  } catch {
    throw Failure(error == .isDirectory ? .noInput : .inputOutput, "\(path): \(error)")
  }
}

extension Failure {
  /// For a file that could not be opened.
  init(opening path: String, _ error: Errno) {
    let code: Sysexit =
      switch error {
      case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .fileNameTooLong: .noInput
      case .permissionDenied, .notPermitted: .noPermission
      default: .inputOutput
      }
    self.init(code, "\(path): \(error)")
  }

  /// For a file or standard output that could not be written.
  init(writing name: String, _ error: Errno) { self.init(.inputOutput, "\(name): \(error)") }
}

/// A buffered writer for a file descriptor.
struct Output {
  private let descriptor: FileDescriptor
  private let name: String
  private var buffer: [UInt8] = []

  /// Makes a writer; `name` is used in errors.
  init(_ descriptor: FileDescriptor, name: String) {
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
    do {
      try descriptor.writeAll(buffer)
    } catch {
      throw Failure(writing: name, Errno(error))
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// Writes the output of a command to standard output.
///
/// Throws a `Failure` if a write fails, for example because the disk is full; `print` would ignore that.
func printAll(_ text: String) throws(Failure) {
  var output = Output(.standardOutput, name: "standard output")
  try output.write(Array(text.utf8))
  try output.flush()
}

/// Opens a file for the output of a command, creating or overwriting it; refuses to overwrite a journal.
func openForWriting(_ path: String) throws(Failure) -> FileDescriptor {
  if FileKind(of: path) == .journal {
    throw Failure(.cannotCreate, .fileIsJournal, ["path": path])
  }
  do {
    return try FileDescriptor.open(
      path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: FilePermissions(rawValue: 0o644))
  } catch {
    let error = Errno(error)
    let isForbidden = error == .permissionDenied || error == .notPermitted
    throw Failure(isForbidden ? .noPermission : .cannotCreate, "\(path): \(error)")
  }
}
