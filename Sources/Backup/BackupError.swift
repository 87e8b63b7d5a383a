import Configuration
import EventLoop
import Journal

/// Why a backup, a restore or a report failed; each description says what to do about it.
package enum BackupError: Error, Sendable, CustomStringConvertible {
  /// The configuration or the calibration cannot be read.
  case configuration(ConfigurationError)
  /// The journal cannot be read or written.
  case journal(JournalError)
  /// The journal failed verification; with its path and the number of faults.
  case journalAltered(String, faults: Int)
  /// An operation on a file failed.
  case file(FileFailure)
  /// The archive cannot be restored; nothing was changed.
  case refused(ArchiveDefect)
  /// Another process has the journal open.
  case inUse(path: String, process: Int32)
  /// The current journal has weighings that are not in the backup; with their number, `nil` if it is unknown.
  case wouldLose(path: String, weighings: Int?)
  /// A destination exists and is not the expected kind of file.
  case occupied(path: String, expected: String)
  /// A journal would be overwritten by another kind of file.
  case isJournal(String)
  /// The folder of a destination is missing.
  case noFolder(String)
  /// A required program or service failed; with its name and the reason.
  case program(String, String)

  /// What failed, on what, and what to do about it.
  package var description: String {
    switch self {
    case .configuration(let error): error.description
    case .journal(let error): error.description
    case .journalAltered(let path, let faults):
      "\(path) failed verification (\(faults) faults, see `grampad history verify`) and `grampad restore` would refuse it: "
        + "nothing was written. Stop the appliance and copy the file manually"
    case .file(let failure): failure.description
    case .refused(let defect): defect.description
    case .inUse(let path, let process):
      "\(Self.holder(process)) has \(path) open; nothing was changed. Stop the appliance first "
        + "(`systemctl stop grampad`)"
    case .wouldLose(let path, let weighings?):
      "\(path) has \(weighings) \(weighings == 1 ? "weighing that is" : "weighings that are") not in the backup; "
        + "nothing was changed. To restore anyway, use --force; the current journal is kept in the same folder"
    case .wouldLose(let path, nil):
      "\(path) cannot be read, so it may have weighings that are not in the backup; nothing was changed. "
        + "To restore anyway, use --force; the current file is kept in the same folder"
    case .occupied(let path, let expected):
      "\(path) exists but is not \(expected); nothing was changed. Move it away first if it is not needed"
    case .isJournal(let path): "\(path) is a journal with weighings; nothing was changed. Specify another file"
    case .noFolder(let path): "\(path): no such folder; create it, or change the path in the configuration"
    case .program(let name, let reason): "\(name): \(reason)"
    }
  }

  private static func holder(_ process: Int32) -> String {
    guard process > 0 else { return "another process" }
    let name = (try? fileBytes("/proc/\(process)/comm", limit: 64)).map { String(decoding: $0, as: UTF8.self) }
    let word = name.map { printable(String($0.prefix { $0 != "\n" })) } ?? "another program"
    return "\(word) (process \(process))"
  }
}
