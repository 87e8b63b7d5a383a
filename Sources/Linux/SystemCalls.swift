import Glibc
import SystemPackage

/// The system's message for an error number. `strerror(3)`
package func systemText(_ code: CInt) -> String { Errno(rawValue: code).description }

extension Errno {
  /// The error of a call of swift-system. Such a call throws only `Errno` but does not declare it.
  package init(_ error: any Error) { self = error as? Errno ?? .ioError }
}

extension FileDescriptor {
  /// Reads the next bytes, at most 64 KiB; empty at the end of the file. `read(2)`
  package func readPiece(atMost limit: Int = .max) throws(Errno) -> [UInt8] {
    do {
      return try [UInt8](unsafeUninitializedCapacity: min(limit, 1 << 16)) { buffer, count in
        count = try self.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
    } catch {
      throw Errno(error)
    }
  }

  /// Reads to the end of the file, at most `limit` bytes. `read(2)`
  package func readAll(limit: Int = .max) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let piece = try readPiece(atMost: limit - bytes.count)
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }
}

// The calls on files that swift-system lacks.

extension FileDescriptor {
  /// Flushes the file to disk. `fsync(2)`
  package func sync() throws(Errno) { try check(fsync(rawValue)) }

  /// Changes the permissions of the file. `fchmod(2)`
  package func changePermissions(to permissions: FilePermissions) throws(Errno) {
    try check(fchmod(rawValue, permissions.rawValue))
  }

  /// Changes the owner of the file. `fchown(2)`
  package func changeOwner(to user: UserID, _ group: GroupID) throws(Errno) {
    try check(fchown(rawValue, user.rawValue, group.rawValue))
  }

  /// Locks the file, unless another process holds a lock on it; closing the file unlocks it. `flock(2)`
  package func lock() throws(Errno) { try check(flock(rawValue, LOCK_EX | LOCK_NB)) }
}

/// The entries of folders.
package enum FileSystem {
  /// Whether there is a file with this path. `access(2)`
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Checks that this process may read a file. `access(2)`
  package static func checkReadable(_ path: String) throws(Errno) { try check(access(path, R_OK)) }

  /// Renames a file, replacing any file with the new name. `rename(2)`
  package static func rename(_ path: String, to newPath: String) throws(Errno) {
    try check(Glibc.rename(path, newPath))
  }

  /// Gives a file a second name; fails if that name exists. `link(2)`
  package static func link(_ path: String, as newPath: String) throws(Errno) { try check(Glibc.link(path, newPath)) }

  /// Removes a name of a file. `unlink(2)`
  package static func unlink(_ path: String) throws(Errno) { try check(Glibc.unlink(path)) }

  /// Creates a folder. `mkdir(2)`
  package static func createFolder(_ path: String, permissions: FilePermissions) throws(Errno) {
    try check(mkdir(path, permissions.rawValue))
  }

  /// The names in a folder, unsorted. `readdir(3)`
  package static func names(in folder: String) throws(Errno) -> [String] {
    guard let stream = opendir(folder) else { throw Errno(rawValue: errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // d_name is a zero-terminated array within the entry, valid until the next call.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
          String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// The stored target of a symbolic link; `nil` if the path is not a link. `readlink(2)`
  package static func target(ofLink path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(path, start, buffer.count)
      guard count > 0 else { return nil }
      return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// Flushes the entries of a folder to disk, if that can be done; see `flushFolder`.
  package static func syncFolder(_ path: String) { try? flushFolder(path) }

  /// Flushes the entries of a folder to disk, if the file system supports it. `fsync(2)`
  package static func flushFolder(_ path: String) throws(Errno) {
    do {
      let folder = try FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
      try folder.closeAfter { try folder.sync() }
    } catch {
      let error = Errno(error)
      let isUnsupported = [.invalidArgument, .notSupported, .noFunction, .permissionDenied].contains(error)
      if !isUnsupported { throw error }
    }
  }
}

/// Throws the system's error if a call failed. `errno(3)`
private func check(_ result: CInt) throws(Errno) { if result != 0 { throw Errno(rawValue: errno) } }
