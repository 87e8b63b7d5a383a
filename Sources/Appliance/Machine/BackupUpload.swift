import Glibc
import Linux
import Messages
import Servers
import SystemPackage
import Weighing

/// The backup that clients upload in pieces. One that is not continued is removed.
struct BackupUpload {
  /// Maximum time between two pieces, and to the request to restore it.
  static let patience = Interval.seconds(600)
  /// Kept free for the weighings.
  private static let spare = 64 << 20

  private let path: String
  /// When it is removed; `nil` without one.
  var deadline: Instant?

  init(path: String) { self.path = path }

  /// Removes it.
  mutating func remove() {
    deadline = nil
    try? FileSystem.unlink(path)
  }

  /// Stores a piece that begins where the file ends. The piece at 0 begins again.
  mutating func store(_ bytes: [UInt8], at offset: Int) -> MachineAnswer {
    if offset == 0 { remove() }
    do {
      let options: FileDescriptor.OpenOptions = offset == 0 ? [.create, .exclusiveCreate] : []
      let file = try FileDescriptor.open(
        path, .writeOnly, options: options.union([.closeOnExec, .noFollow]), permissions: .ownerReadWrite)
      return try file.closeAfter {
        guard try Stat(file).size == offset else { return .misplaced }
        deadline = .now() + Self.patience
        let end = offset + bytes.count
        guard Self.hasRoom(for: end, on: file) else {
          remove()
          return .noRoom
        }
        try file.seek(offset: Int64(offset), from: .start)
        try file.writeAll(bytes)
        return .state(
          JSONWriter.object { json in
            json.field("ok", true)
            json.field("bytes", end)
          })
      }
    } catch {
      let error = Errno(error)
      if error == .noSuchFileOrDirectory { return .misplaced }
      remove()
      return error == .noSpace ? .noRoom : .silent
    }
  }

  /// Whether the file system has room for twice as much: what it contains is unpacked before it replaces anything. `fstatvfs(3)`
  private static func hasRoom(for size: Int, on file: FileDescriptor) -> Bool {
    var status = statvfs()
    guard fstatvfs(file.rawValue, &status) == 0 else { return true }
    return Int(status.f_bavail) * Int(status.f_frsize) >= 2 * size + spare
  }
}

/// The backup that root has made; closed with its last reference. It stays readable when root has removed it.
final class OpenBackup: Sendable {
  private let file: FileDescriptor

  /// Opens it; `nil` if there is none.
  init?(_ path: String) {
    let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
    guard let file = try? FileDescriptor.open(path, .readOnly, options: options) else { return nil }
    self.file = file
  }

  deinit { try? file.close() }

  /// The next bytes: none at the end, `nil` if they cannot be read.
  func next() -> [UInt8]? { try? file.readPiece() }
}
