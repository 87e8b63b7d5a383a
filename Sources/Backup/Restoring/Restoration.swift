import Configuration
import Foundation
import Glibc
import Journal
import Linux
import Logging
import Weighing

/// Restores a backup completely or not at all.
///
/// All files are read, checked and written next to their destinations before anything is changed. Then they are renamed into
/// place: journal, calibration, settings, configuration. The configuration is last because it refers to the others: until then, an
/// appliance that starts uses the previous configuration. An error undoes all changes. After a power failure in between, all files
/// are complete, but some are those of the backup and some the previous ones; restoring again completes it.
package struct Restoration {
  /// A restored file.
  package struct RestoredFile: Hashable, Sendable {
    /// Which of the files.
    package var name: BackupManifest.Name
    /// Its path.
    package var path: String
    /// The path of the previous file; `nil` if there was none.
    package var kept: String?
    /// Whether the backup does not have this file, so that the previous file is only moved away.
    package var isRemoved = false
  }

  /// The backup.
  package let manifest: BackupManifest
  /// The number of weighings in the current journal that are not in the backup; `nil` if it is unknown.
  package let missing: Int?
  /// The secret files that the configuration refers to and that are missing or cannot be read; no backup contains them.
  package let absent: [String]
  private let backup: UnpackedBackup
  private let head: String?
  /// The highest sequence number of the current journal.
  private let highest: Int
  private let logger: Logger

  /// Reads and checks a backup and the files that it would replace. Changes nothing.
  ///
  /// - Parameters:
  ///   - path: The file; `-` for standard input.
  ///   - destination: The path of the configuration.
  ///   - isTrial: Whether nothing will be restored.
  ///   - isForced: Whether to replace a journal with weighings that are not in the backup.
  package init(
    _ path: String, configuration destination: String, isTrial: Bool, isForced: Bool, logger: Logger
  ) throws(BackupError) {
    self.logger = logger
    let archive =
      path == "-"
      ? OpenFile(lending: .standardInput, name: "standard input") : try OpenFile(reading: path)
    let destination = absolutePath(destination, in: FileManager.default.currentDirectoryPath)
    backup = try UnpackedBackup(archive, to: destination, isTrial: isTrial, logger: logger)
    manifest = backup.manifest
    absent = backup.configuration.requiredFiles(in: parentFolder(of: destination)).filter { access($0, R_OK) != 0 }.map
    {
      printable($0, limit: 8192)
    }
    let current = backup.targets.journal.path
    // An appliance that uses the current configuration may have another journal.
    if let other = Self.currentJournal(at: destination), case .open(let process) = JournalUse(of: other) {
      throw .inUse(path: other, process: process)
    }
    let last: Int
    (missing, head, last) = try Self.compare(current, with: backup.journal, logger)
    highest = max(last, JournalMark.highest(of: current))
    if missing != 0, !isForced { throw .wouldLose(path: current, weighings: missing) }
  }

  /// The journal of the current configuration, if that can be read.
  private static func currentJournal(at destination: String) -> String? {
    guard let bytes = try? configurationFileBytes(destination, name: destination) else { return nil }
    return (try? Configuration.parse(bytes: bytes, file: destination))?.journalPath(
      in: parentFolder(of: destination))
  }

  /// The number of weighings in the current journal that are not in the backup, its last hash and its last sequence number.
  private static func compare(
    _ current: String, with backup: String, _ logger: Logger
  ) throws(BackupError) -> (missing: Int?, head: String?, last: Int) {
    guard FileKind(of: current) == .journal else { return (0, nil, 0) }
    if case .open(let process) = JournalUse(of: current) { throw .inUse(path: current, process: process) }
    do throws(JournalError) {
      let journal = Journal.reader(path: current, logger: logger)
      let missing = try journal.weighings(missingFrom: .reader(path: backup, logger: logger))
      let extent = try journal.extent()
      return (missing, extent.head, extent.lastSequence)
    } catch {
      switch error {
      case .notPermitted, .readOnly: throw .journal(error)
      default: return (nil, nil, 0)  // damaged; it is only replaced with --force, and kept
      }
    }
  }

  /// The files that would be restored, without the paths of previous files.
  package var plan: [RestoredFile] {
    // The reverse of the order in the backup: the configuration is last.
    BackupManifest.Name.allCases.reversed().compactMap { name in
      guard let target = backup.targets[name] else { return nil }
      let isRemoved = name != .journal && backup.texts[name] == nil
      if isRemoved && target.status == nil { return nil }
      return RestoredFile(name: name, path: target.path, isRemoved: isRemoved)
    }
  }

  /// Restores the files.
  ///
  /// - Parameters:
  ///   - time: The time of day.
  ///   - stamp: The time in the names of the previous files.
  package func restore(at time: Instant, stamp: String) throws(BackupError) -> [RestoredFile] {
    var drafts: [StagingFolder] = []
    // The folders are removed with their values, which must not happen before their files are installed.
    defer { withExtendedLifetime(drafts) {} }
    var replacements: [Replacement] = []
    let (targets, plan) = (backup.targets, plan)
    for file in plan {
      guard let target = targets[file.name] else { continue }
      if file.name == .journal {
        let kept = try Replacement(target, with: nil, mode: 0, stamp: stamp).kept
        try recordInAuditTrail(keptAs: kept, at: time)
        replacements.append(
          try Replacement(target, with: backup.journal, mode: file.name.mode, stamp: stamp))
      } else {
        let draft = try backup.texts[file.name].map { (bytes) throws(BackupError) in
          try Self.writeDraft(bytes, for: target, &drafts)
        }
        replacements.append(try Replacement(target, with: draft, mode: file.name.mode, stamp: stamp))
      }
    }
    try install(&replacements)
    do throws(JournalError) {
      try JournalMark.carry(from: backup.journal, to: targets.journal.path)
    } catch {
      throw .journal(error)
    }
    return zip(plan, replacements).map { file, replacement in
      var file = file
      file.kept = replacement.kept
      return file
    }
  }

  /// Writes a draft to the file system of its target.
  private static func writeDraft(
    _ bytes: [UInt8], for target: RestoreTargets.Target, _ drafts: inout [StagingFolder]
  ) throws(BackupError) -> String {
    let staging = try StagingFolder(in: target.draftFolder)
    drafts.append(staging)
    try OpenFile(creating: staging.file("draft"), name: target.path).write(bytes)
    return staging.file("draft")
  }

  /// Records the restore in the audit trail of the restored journal, and closes the journal in a single file.
  private func recordInAuditTrail(keptAs kept: String?, at time: Instant) throws(BackupError) {
    do throws(JournalError) {
      let journal = Journal(.file(backup.journal), logger: logger)
      try journal.append(.restored(backupTime: manifest.time, keptAside: kept, missing: missing), at: time)
      try journal.skip(
        to: highest, reason: "a backup without them was restored", keptAside: kept, at: time)
      journal.close()
      _ = try RetiringJournal(backup.journal).head()
    } catch {
      throw .journal(error)
    }
  }

  private func install(_ replacements: inout [Replacement]) throws(BackupError) {
    let retiring = try retire()
    // Locks the journal until all files are replaced.
    defer { withExtendedLifetime(retiring) {} }
    for index in replacements.indices {
      do throws(BackupError) {
        // The companions of a journal that cannot be opened move with it.
        try replacements[index].install(companions: index == 0 && retiring == nil ? Replacement.companionSuffixes : [])
      } catch {
        for replacement in replacements[...index].reversed() { replacement.undo() }
        throw error
      }
    }
  }

  /// Locks the current journal; `nil` if there is none that can be opened.
  private func retire() throws(BackupError) -> RetiringJournal? {
    let path = backup.targets.journal.path
    guard FileKind(of: path) == .journal else { return nil }
    do throws(JournalError) {
      let retiring = try RetiringJournal(path)
      // Another process has written to the journal since it was compared.
      let now = try retiring.head()
      guard head == nil || head == now else { throw .busy(path: path) }
      return retiring
    } catch {
      switch error {
      case .busy: throw .inUse(path: path, process: 0)
      default:  // it is damaged, which was reported before
        if missing == nil { return nil }
        throw .journal(error)
      }
    }
  }
}

extension BackupManifest.Name {
  /// The mode of a restored file that replaces none.
  fileprivate var mode: mode_t {
    switch self {
    case .configuration, .calibration: 0o644
    case .settings, .previousSettings, .journal: 0o640
    }
  }
}

extension Configuration {
  /// The files with secrets or certificates that the configuration refers to, absolute.
  func requiredFiles(in folder: String) -> [String] { requiredFiles.map { absolutePath($0, in: folder) } }
}
