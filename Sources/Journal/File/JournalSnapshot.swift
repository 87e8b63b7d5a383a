import Foundation
import GRDB
import Glibc
import SystemPackage

/// One snapshot of a journal that another process may be writing to. Does not change any file of the journal.
///
/// If another process has the journal open, SQLite reads concurrently with the writer. Otherwise SQLite would create a
/// `-wal` and a `-shm` file for reading (sqlite.org/wal.html, "Read-Only Databases"), or rewrite the `-shm` file of a
/// killed writer; in that case a copy is read, and made again if a file changes in the meantime.
struct JournalSnapshot {
  let path: String

  func read<T>(_ work: (Database) throws -> T) throws(JournalError) -> T {
    do {
      if let obstacle = FileCondition(path).obstacleToReading() { throw obstacle }
      if isOpen { return try read(work, from: path) }
      let folder = FileManager.default.temporaryDirectory.appending(path: "grampad-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      defer { try? FileManager.default.removeItem(atPath: folder) }
      for attempt in 1...3 {
        let copy = "\(folder)/journal-\(attempt)"
        let before = status
        let isCopied = try OpenFiles.whileClosed(path) {
          for part in ["", "-wal"] where access(path + part, F_OK) == 0 {
            try FileManager.default.copyItem(atPath: path + part, toPath: copy + part)
          }
        }
        if isCopied, status == before, !isOpen { return try read(work, from: copy) }
        if isOpen { return try read(work, from: path) }
      }
      throw JournalError.busy(path: path)
    } catch {
      let error = JournalError(error, path: path)
      // Of a journal, a mark remains next to it even if its first page is damaged.
      if case .corrupt = error, !FileKind.isDatabase(path), (try? HighWaterMark(of: path).read()) == .missing {
        throw .foreign(path: path)
      }
      throw error
    }
  }

  /// Whether a process has the file open, so that a log exists.
  private var isOpen: Bool { access(path + "-wal", F_OK) == 0 && OpenFiles.isOpen(path) }

  private func read<T>(_ work: (Database) throws -> T, from file: String) throws -> T {
    try DatabaseConnection(reading: file, reportedAs: path).queue.read(work)
  }

  /// Attributes that change with every write to the files.
  private var status: [Int] {
    ["", "-wal"].flatMap { part in
      guard let status = try? Stat(path + part) else { return [0] }
      return [Int(status.inode.rawValue), Int(status.size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
  }
}
