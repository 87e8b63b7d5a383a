import Appliance
import ArgumentParser
import Backup
import EventLoop
import Weighing

/// `restore`
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Brings back what `backup` has saved.",
    discussion: """
      Everything is checked before anything is changed: each file against its hash, the configuration and the calibration as \
      `check` does, the journal as `history verify` does. The appliance must not run: systemctl stop grampad.

      The configuration goes to --config. It names the places of the other two, which may differ from those of the machine that \
      was saved. What is there is kept beside it, as NAME.before-TIME, and can be removed once all is well. New files get the \
      owner and the mode of those they replace, otherwise the owner of their folder. Journal, calibration and configuration are \
      renamed into place in this order; a fault undoes all of it, and after a power cut in between the same restore finishes it.

      Where the journal that is there has weighings that the backup does not have, nothing is done without --force. Their \
      numbers are not given out again: the journal continues above the highest one, and the next start publishes the missing \
      ones as an event `journal_loss`. What had yet to be delivered when the backup was made is delivered again, with the same \
      id. The audit trail says that it was restored.

      Passwords, the token of the dashboard, certificates and keys are in no backup: those that are missing are named.

      Examples:
        grampad restore /media/stick/grampad-backup-20261121T063000Z.tar
        grampad restore --dry-run scale.tar --config scale.yaml
        zcat scale.tar.gz | grampad restore -

      Exit codes: 1 weighings would be lost, 65 not a backup or damaged, 66 no such file, 69 the appliance runs, 73 something \
      else is in a place, 74 no space or another fault of a disk, 77 no permission.
      """)

  @Argument(help: "The backup; - for standard input.", completion: .file(extensions: ["tar"]))
  var file: String
  @Option(
    name: [.customLong("config"), .customShort("c")],
    help: "Where the configuration goes. Default: \(ConfigurationOptions.standardPath).", completion: .configuration)
  var config = ConfigurationOptions.standardPath
  @Flag(
    name: [.customLong("dry-run"), .customShort("n")], help: "Check everything, say what would be done, and do nothing."
  )
  var isTrial = false
  @Flag(help: "Restore also where weighings of the present journal are not in the backup; it is kept beside.")
  var force = false
  @OptionGroup var log: LogOptions

  func run() async throws {
    try await failing {
      do throws(BackupFault) {
        let now = Instant.wallClock()
        let restoration = try Restoration(
          file, configuration: config, isTrial: isTrial, isForced: force, logger: log.logger(default: .error))
        tell(restoration)
        let placed = isTrial ? restoration.plan : try restoration.restore(at: now, stamp: "\(FileTime(now))")
        for file in placed { tell(file) }
        complain(
          isTrial ? "nothing was changed (--dry-run)" : "restored; start the appliance (systemctl start grampad)")
      } catch {
        guard case .refused = error else { throw Failure(error) }
        throw Failure(.badData, "\(file): \(error); nothing was changed")
      }
    }
  }

  private func tell(_ restoration: Restoration) {
    let manifest = restoration.manifest
    let extent = manifest.extent
    complain("\(file): \(manifest.device), \(manifest.time), weighings: \(extent.weighings)")
    if let missing = restoration.missing {
      if missing > 0 { complain("weighings that only the journal has that is kept aside: \(missing)") }
    } else {
      complain("the journal that is there cannot be read; it is kept as it is")
    }
    for path in restoration.absent {
      complain("the configuration names \(path), which is in no backup and cannot be read here")
    }
  }

  private func tell(_ placed: Restoration.Placed) {
    let would = isTrial ? "would go to" : "is now"
    let kept = placed.kept.map { "; the one before is \($0)" } ?? ""
    if placed.isTakenAway {
      complain("the backup has no calibration: \(placed.path) \(isTrial ? "would be" : "was") kept aside" + kept)
    } else {
      complain("\(placed.name.word) \(would) \(placed.path)" + kept)
    }
  }
}

extension BackupManifest.Name {
  fileprivate var word: String {
    switch self {
    case .configuration: "the configuration"
    case .calibration: "the calibration"
    case .journal: "the journal"
    }
  }
}
