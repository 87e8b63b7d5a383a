import Glibc
import SystemPackage

/// Why a file cannot be read or written.
package enum FileError: Error, Equatable {
  /// There is no such file.
  case missing
  /// The permissions do not allow it.
  case noPermission
  /// It is a directory, a FIFO or a device.
  case notAFile
  /// Anything else.
  case failed(Errno)

  /// Makes an error from the system's error.
  package init(_ error: Errno) {
    switch error {
    case .noSuchFileOrDirectory, .notDirectory: self = .missing
    case .permissionDenied, .notPermitted: self = .noPermission
    case .isDirectory: self = .notAFile
    default: self = .failed(error)
    }
  }

  /// The system's error.
  package var errno: Errno {
    switch self {
    case .missing: .noSuchFileOrDirectory
    case .noPermission: .permissionDenied
    case .notAFile: .isDirectory
    case .failed(let cause): cause
    }
  }
}

extension FileSystem {
  /// Replaces a file, or creates it.
  ///
  /// A process that reads the file during the write, or after a power failure, finds either the old or the new file
  /// complete: the content is written to a new file, synced and renamed; fsync(2), rename(2).
  package static func replaceFile(
    _ path: String, with bytes: [UInt8], permissions: CModeT
  ) throws(FileError) {
    let draft = "\(path).\(getpid()).new"
    // A draft of an earlier process with this number, which was killed while it wrote.
    try? unlink(draft)
    do {
      let file = try FileDescriptor.open(
        draft, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: FilePermissions(rawValue: permissions))
      do {
        try file.closeAfter {
          try file.writeAll(bytes)
          try file.sync()
        }
        try rename(draft, to: path)
      } catch {
        try? unlink(draft)
        throw error
      }
    } catch {
      throw FileError(Errno(error))
    }
    // Syncing the folder makes the new name durable.
    syncFolder(parentFolder(of: path))
  }
}

/// The content of a regular file, at most `limit` + 1 bytes, so that a longer file can be detected; open(2), fstat(2),
/// read(2).
///
/// Never blocks: a FIFO or a device is refused.
package func fileBytes(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
  do {
    let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
    return try file.closeAfter {
      guard try Stat(file).type == .regular else { throw Errno.isDirectory }
      return try file.readAll(limit: limit + 1)
    }
  } catch {
    throw FileError(Errno(error))
  }
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

extension FileSystem {
  /// The id of the user who owns a file or a folder; `nil` if there is none. `stat(2)`
  package static func owner(of path: String) -> UInt32? { (try? Stat(path))?.userID.rawValue }
}

/// Whether two paths refer to the same existing file; stat(2).
package func isSameFile(_ a: String, _ b: String) -> Bool {
  guard let first = try? Stat(a), let second = try? Stat(b) else { return false }
  return first.deviceID == second.deviceID && first.inode == second.inode
}
