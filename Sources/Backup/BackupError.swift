import Configuration
import Journal
import Languages
import Linux
import Weighing

/// Why a backup, a restore or a report failed; each description says what to do about it.
package enum BackupError: SentenceError {
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
  case occupied(path: String, expected: TextKey)
  /// A journal would be overwritten by another kind of file.
  case isJournal(String)
  /// The folder of a destination is missing.
  case noFolder(String)
  /// A required program or service failed; with its name and the reason.
  case program(String, String)

  /// What failed, on what, and what to do about it.
  package var sentence: Sentence {
    switch self {
    case .configuration(let error): error.sentence
    case .journal(let error): error.sentence
    case .journalAltered(let path, let faults): Sentence(.backupAltered, ["path": path, "count": faults])
    case .file(let failure): failure.sentence
    case .refused(let defect): defect.sentence
    case .inUse(let path, let process):
      Sentence(
        .backupInUse, ["process": Self.holder(process), "path": path, "command": "systemctl stop grampad"])
    case .wouldLose(let path, let weighings?): Sentence(.backupWouldLose, count: weighings, ["path": path])
    case .wouldLose(let path, nil): Sentence(.backupMightLose, ["path": path])
    case .occupied(let path, let expected):
      Sentence(.backupOccupied, ["path": path, "expected": Sentence(expected)])
    case .isJournal(let path): Sentence(.backupIsJournal, ["path": path])
    case .noFolder(let path): Sentence(.backupNoFolder, ["path": path])
    case .program(let name, let reason): .verbatim("\(name): \(reason)")
    }
  }

  private static func holder(_ process: Int32) -> Sentence {
    guard process > 0 else { return Sentence(.backupAnotherProcess) }
    let name = (try? fileBytes("/proc/\(process)/comm", limit: 64)).map { String(decoding: $0, as: UTF8.self) }
    let word = name.map { printable(String($0.prefix { $0 != "\n" })) }
    return Sentence(
      .processName,
      ["name": word.map { .verbatim($0) } ?? Sentence(.backupAnotherProgram), "number": process])
  }
}
