import Configuration
import EventLoop
import Foundation
import Glibc
import Journal
import Logging
import Messages
import Weighing

/// Brings a backup back: all of it, or nothing.
///
/// Everything is read, checked and laid ready on its disk before anything is touched. Then there are renames alone, in this order:
/// journal, calibration, configuration. The configuration comes last because it names the other two: until it is there, an
/// appliance that starts works with what was in force before. A fault undoes what was done. Power that fails in between leaves the
/// journal of the backup and the settings of before, all of them whole; restoring once more finishes it.
package struct Restoration {
  /// What is in a place now.
  package struct Placed: Hashable, Sendable {
    /// Which of the files; for the calibration, also where there is none any more.
    package var name: BackupManifest.Name
    /// Where it is.
    package var path: String
    /// Where what was there before is kept; `nil` where there was nothing.
    package var kept: String?
    /// Whether the backup has none, so that what was there is kept aside only.
    package var isTakenAway = false
  }

  /// The backup.
  package let manifest: BackupManifest
  /// How many weighings of the journal that is replaced are not in the backup; `nil` where nobody can tell.
  package let missing: Int?
  /// The files that the configuration names and that no backup has; those that are not there or cannot be read.
  package let absent: [String]
  private let backup: UnpackedBackup
  private let head: String?
  /// The highest number that the journal that is replaced has given out.
  private let highest: Int
  private let logger: Logger

  /// Reads a backup, checks it and looks at what it would replace. Changes nothing.
  ///
  /// - Parameters:
  ///   - path: The file; `-` for standard input.
  ///   - place: Where the configuration goes.
  ///   - isTrial: Whether nothing will be restored.
  ///   - isForced: Whether weighings may go out of use.
  package init(
    _ path: String, configuration place: String, isTrial: Bool, isForced: Bool, logger: Logger
  ) throws(BackupError) {
    self.logger = logger
    let archive =
      path == "-"
      ? OpenFile(lending: STDIN_FILENO, name: "standard input") : try OpenFile(reading: path)
    let place = absolutePath(place, in: FileManager.default.currentDirectoryPath)
    backup = try UnpackedBackup(archive, to: place, isTrial: isTrial, logger: logger)
    manifest = backup.manifest
    absent = backup.configuration.secretFiles(in: parentFolder(of: place)).filter { access($0, R_OK) != 0 }.map {
      printable($0, limit: 8192)
    }
    let present = backup.targets.journal.path
    // An appliance that runs with the configuration that is there may have another journal.
    if let other = Self.journalInForce(at: place), case .open(let process) = JournalUse(of: other) {
      throw .inUse(path: other, process: process)
    }
    let last: Int
    (missing, head, last) = try Self.compare(present, with: backup.journal, logger)
    highest = max(last, JournalMark.highest(of: present))
    if missing != 0, !isForced { throw .wouldLose(path: present, weighings: missing) }
  }

  /// The journal of the configuration that is there, as far as that can be read.
  private static func journalInForce(at place: String) -> String? {
    guard let bytes = try? configurationFileBytes(place, name: place) else { return nil }
    return (try? Configuration.parse(bytes: bytes, file: place))?.journalPath(in: parentFolder(of: place))
  }

  /// What the journal that is there has beyond the backup, its last hash and its last number; `nil` for what cannot be
  /// told.
  private static func compare(
    _ present: String, with backup: String, _ logger: Logger
  ) throws(BackupError) -> (missing: Int?, head: String?, last: Int) {
    guard FileKind(of: present) == .journal else { return (0, nil, 0) }
    if case .open(let process) = JournalUse(of: present) { throw .inUse(path: present, process: process) }
    do throws(JournalError) {
      let journal = Journal.reader(path: present, logger: logger)
      let missing = try journal.weighings(missingFrom: .reader(path: backup, logger: logger))
      let extent = try journal.extent()
      return (missing, extent.head, extent.lastSequence)
    } catch {
      switch error {
      case .notPermitted, .readOnly: throw .journal(error)
      default: return (nil, nil, 0)  // damaged in one way or another: kept aside if that is wanted
      }
    }
  }

  /// What is where once it has been restored, without the names of what is kept.
  package var plan: [Placed] {
    let targets = backup.targets
    var plan = [Placed(name: .journal, path: targets.journal.path)]
    if let calibration = targets.calibration, backup.calibrationBytes != nil || calibration.status != nil {
      plan.append(
        Placed(name: .calibration, path: calibration.path, isTakenAway: backup.calibrationBytes == nil))
    }
    return plan + [Placed(name: .configuration, path: targets.configuration.path)]
  }

  /// Does it.
  ///
  /// - Parameters:
  ///   - time: The time of day.
  ///   - stamp: That time, for the names of what is kept.
  package func restore(at time: Instant, stamp: String) throws(BackupError) -> [Placed] {
    var drafts: [StagingFolder] = []
    // They are gone with their values, and must not be before they are in their places.
    defer { withExtendedLifetime(drafts) {} }
    var replacements: [Replacement] = []
    let (targets, plan) = (backup.targets, plan)
    for placed in plan {
      switch placed.name {
      case .journal:
        let kept = try Replacement(targets.journal, with: nil, mode: 0, stamp: stamp).kept
        try note(kept, at: time)
        replacements.append(
          try Replacement(targets.journal, with: backup.journal, mode: 0o640, stamp: stamp))
      case .calibration:
        guard let target = targets.calibration else { continue }
        let draft = try backup.calibrationBytes.map { (bytes) throws(BackupError) in
          try Self.lay(bytes, for: target, &drafts)
        }
        replacements.append(try Replacement(target, with: draft, mode: 0o644, stamp: stamp))
      case .configuration:
        let draft = try Self.lay(backup.configurationBytes, for: targets.configuration, &drafts)
        replacements.append(try Replacement(targets.configuration, with: draft, mode: 0o644, stamp: stamp))
      }
    }
    try install(&replacements)
    do throws(JournalError) {
      try JournalMark.carry(from: backup.journal, to: targets.journal.path)
    } catch {
      throw .journal(error)
    }
    return zip(plan, replacements).map { placed, replacement in
      var placed = placed
      placed.kept = replacement.kept
      return placed
    }
  }

  /// Writes a draft on the disk of its target.
  private static func lay(
    _ bytes: [UInt8], for target: RestoreTargets.Target, _ drafts: inout [StagingFolder]
  ) throws(BackupError) -> String {
    let staging = try StagingFolder(in: target.draftFolder)
    drafts.append(staging)
    try OpenFile(making: staging.file("draft"), name: target.path).write(bytes)
    return staging.file("draft")
  }

  /// Has the audit trail of the restored journal say what was done, and leaves it closed and in one file.
  private func note(_ kept: String?, at time: Instant) throws(BackupError) {
    do throws(JournalError) {
      let journal = Journal(.file(backup.journal), logger: logger)
      try journal.note(.restored(backupTime: manifest.time, keptAside: kept, missing: missing), at: time)
      try journal.skip(
        to: highest, reason: "a backup was restored that ends before", keptAside: kept, at: time)
      journal.close()
      _ = try RetiringJournal(backup.journal).head()
    } catch {
      throw .journal(error)
    }
  }

  private func install(_ replacements: inout [Replacement]) throws(BackupError) {
    let retiring = try retire()
    // Nobody gets at the journal before all is done.
    defer { withExtendedLifetime(retiring) {} }
    for index in replacements.indices {
      do throws(BackupError) {
        // What a journal that cannot be opened has beside it goes with it.
        try replacements[index].install(companions: index == 0 && retiring == nil ? Replacement.companionEnds : [])
      } catch {
        for replacement in replacements[...index].reversed() { replacement.undo() }
        throw error
      }
    }
  }

  /// Takes the journal that is there out of use until all is done; `nil` where there is none that could be opened.
  private func retire() throws(BackupError) -> RetiringJournal? {
    let path = backup.targets.journal.path
    guard FileKind(of: path) == .journal else { return nil }
    do throws(JournalError) {
      let retiring = try RetiringJournal(path)
      // Somebody has written since it was looked at, and has gone again.
      let now = try retiring.head()
      guard head == nil || head == now else { throw .busy(path: path) }
      return retiring
    } catch {
      switch error {
      case .busy: throw .inUse(path: path, process: 0)
      default:  // it is damaged, which has been said already
        if missing == nil { return nil }
        throw .journal(error)
      }
    }
  }
}

extension Configuration {
  /// The files with secrets or certificates that it names, absolute.
  func secretFiles(in folder: String) -> [String] {
    let mqtt = MQTT.files.compactMap { self.mqtt[keyPath: $0.path] }
    return (mqtt + (dashboard.tokenFile.map { [$0] } ?? [])).map { absolutePath($0, in: folder) }
  }
}
