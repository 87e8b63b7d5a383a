import Glibc
import SystemPackage

extension FileDescriptor {
  /// Flushes a file or the entries of a folder to disk, if the file system supports it. `fsync(2)`
  static func sync(_ path: String) {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return }
    fsync(file.rawValue)
    try? file.close()
  }
}
