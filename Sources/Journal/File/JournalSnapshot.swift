import Foundation
import GRDB
import Glibc

/// One look at a journal that another process may be writing to.
///
/// While a `-wal` is there, SQLite reads beside the writer. Without one nobody has the file open, and SQLite would make a
/// `-wal` and a `-shm` to read it (sqlite.org/wal.html, "Read-Only Databases"); then a copy is read instead, and made
/// again if the file changes meanwhile.
struct JournalSnapshot {
  let path: String

  func read<T>(_ work: (Database) throws -> T) throws(JournalError) -> T {
    do {
      if let obstacle = FileCondition(path).obstacleToReading() { throw obstacle }
      if access(path + "-wal", F_OK) == 0 { return try read(work, from: path) }
      let folder = FileManager.default.temporaryDirectory.appending(path: "grampad-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let copy = folder + "/journal"
      for _ in 1...3 {
        let before = status
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        if access(path + "-wal", F_OK) != 0, status == before { return try read(work, from: copy) }
        try FileManager.default.removeItem(atPath: copy)
        if access(path + "-wal", F_OK) == 0 { return try read(work, from: path) }
      }
      throw JournalError.busy(path: path)
    } catch {
      throw JournalError(error, path: path)
    }
  }

  private func read<T>(_ work: (Database) throws -> T, from file: String) throws -> T {
    try Connection(reading: file, reportedAs: path).queue.read(work)
  }

  /// What changes with every write to the file.
  private var status: [Int] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    return [Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
  }
}
