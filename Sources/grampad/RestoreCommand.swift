import ArgumentParser
import Backup
import Commands
import Languages
import Linux
import Weighing

/// `restore`
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore a backup made by `backup`.",
    discussion: """
      Stop the appliance first: systemctl stop grampad. The backup is checked before anything is changed: each file against its \
      checksum, the configuration, the settings and the calibration as `check` does, and the journal as `history verify` does.

      The configuration is restored to --config. The restored configuration determines where the calibration, the journal \
      and the settings next to it go. Each existing file is kept in the same folder as NAME.before-TIME; remove it when it is no longer needed. New files \
      inherit owner and mode from the files they replace, otherwise the owner of the folder. Journal, calibration, \
      settings and configuration are renamed into place in this order. A calibration or settings that the backup does not have \
      are moved away. If a step fails, all changes are undone. After a power failure, run the same restore again to complete it.

      If the current journal has weighings that are not in the backup, nothing is changed unless you use --force. Their sequence \
      numbers are not reused: the journal continues after the highest number, and the next start publishes the missing numbers \
      as the event `journal_loss`. Weighings that were undelivered at the time of the backup are delivered again with the same \
      id. The restore is recorded in the audit trail.

      Passwords, the dashboard token, certificates and keys are not in the backup. Missing files are listed.

      Examples:
        grampad restore /media/stick/grampad-backup-20261121T063000Z.tar
        grampad restore --dry-run scale.tar --config scale.yaml
        zcat scale.tar.gz | grampad restore -

      Exit codes: 1 weighings would be lost, 65 not a backup or damaged, 66 no such file, 69 the appliance is running, 73 a \
      destination is occupied by another kind of file, 74 disk full or other I/O error, 77 permission denied.
      """)

  @Argument(help: "The backup file; - for standard input.", completion: .file(extensions: ["tar"]))
  var file: String
  @Option(
    name: [.customLong("config"), .customShort("c")],
    help: "Where to restore the configuration. Default: \(ConfigurationOptions.standardPath).",
    completion: .configuration)
  var config = ConfigurationOptions.standardPath
  @Flag(
    name: [.customLong("dry-run"), .customShort("n")],
    help: "Check the backup and show what would be restored, without changing anything."
  )
  var isTrial = false
  @Flag(help: "Restore even if the current journal, which is kept, has weighings that are not in the backup.")
  var force = false
  @OptionGroup var log: LogOptions

  func run() throws {
    try failing {
      do throws(BackupError) {
        let now = Instant.wallClock()
        let restoration = try Restoration(
          file, configuration: config, isTrial: isTrial, isForced: force, logger: log.logger(default: .error))
        printSummary(of: restoration)
        let files = isTrial ? restoration.plan : try restoration.restore(at: now, stamp: "\(FileTime(now))")
        for file in files { printResult(for: file) }
        printMessage(isTrial ? Sentence(.restoreTrial) : Sentence(.restoreDone, ["command": "systemctl start grampad"]))
      } catch {
        guard case .refused(let defect) = error else { throw error }
        throw Failure(.badData, .restoreRefused, ["path": file, "defect": defect.sentence])
      }
    }
  }

  private func printSummary(of restoration: Restoration) {
    let manifest = restoration.manifest
    let extent = manifest.extent
    printMessage(
      .restoreFrom,
      ["path": file, "device": manifest.device, "time": manifest.localTime, "count": extent.weighings])
    if let missing = restoration.missing {
      if missing > 0 { printMessage(.restoreMissing, ["count": missing]) }
    } else {
      printMessage(.restoreUnreadable)
    }
    for path in restoration.absent { printMessage(.restoreAbsent, ["path": path]) }
  }

  private func printResult(for file: Restoration.RestoredFile) {
    let key: TextKey =
      switch (file.isRemoved, isTrial) {
      case (false, false): .restoreFile
      case (false, true): .restoreFileTrial
      case (true, false): .restoreRemoved
      case (true, true): .restoreRemovedTrial
      }
    let result = Sentence(key, ["part": Sentence(file.name.word), "path": file.path])
    printMessage(file.kept.map { Sentence(.restoreKept, ["file": result, "path": $0]) } ?? result)
  }
}

extension BackupManifest.Name {
  fileprivate var word: TextKey {
    switch self {
    case .configuration: .partConfiguration
    case .settings: .partSettings
    case .previousSettings: .partPreviousSettings
    case .calibration: .partCalibration
    case .journal: .partJournal
    }
  }
}
