import Languages
import Linux
import SystemPackage

/// Reads a whole file; `-` for standard input.
///
/// Throws a `Failure` that distinguishes missing, forbidden and unreadable files.
package func readAll(_ path: String) throws(Failure) -> [UInt8] {
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
  package init(opening path: String, _ error: Errno) {
    let code: Sysexit =
      switch error {
      case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .fileNameTooLong: .noInput
      case .permissionDenied, .notPermitted: .noPermission
      default: .inputOutput
      }
    self.init(code, "\(path): \(error)")
  }

  /// For a file or standard output that could not be written.
  package init(writing name: String, _ error: Errno) { self.init(.inputOutput, "\(name): \(error)") }
}

/// A buffered writer for a file descriptor.
package struct Output {
  private let descriptor: FileDescriptor
  private let name: String
  private var buffer: [UInt8] = []

  /// Makes a writer; `name` is used in errors.
  package init(_ descriptor: FileDescriptor, name: String) {
    (self.descriptor, self.name) = (descriptor, name)
  }

  /// Adds bytes; they are written when the buffer is full or `flush` is called.
  package mutating func write(_ bytes: [UInt8]) throws(Failure) {
    buffer += bytes
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Writes the buffered bytes.
  package mutating func flush() throws(Failure) {
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
package func printAll(_ text: String) throws(Failure) {
  var output = Output(.standardOutput, name: "standard output")
  try output.write(Array(text.utf8))
  try output.flush()
}

/// Opens a file for the output of a command, creating or overwriting it; refuses to overwrite a journal or another database.
package func openForWriting(_ path: String) throws(Failure) -> FileDescriptor {
  if isDatabase(path) { throw Failure(.cannotCreate, .fileIsDatabase, ["path": path]) }
  do {
    return try FileDescriptor.open(
      path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: FilePermissions(rawValue: 0o644))
  } catch {
    let error = Errno(error)
    let isForbidden = error == .permissionDenied || error == .notPermitted
    throw Failure(isForbidden ? .noPermission : .cannotCreate, "\(path): \(error)")
  }
}

/// Whether a file begins as one of SQLite does (sqlite.org/fileformat2.html, 1.3).
private func isDatabase(_ path: String) -> Bool {
  guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
    return false
  }
  defer { try? file.close() }
  var start = [UInt8](repeating: 0, count: 16)
  guard (try? start.withUnsafeMutableBytes({ try file.read(into: $0) })) == start.count else { return false }
  return start == Array("SQLite format 3\0".utf8)
}
