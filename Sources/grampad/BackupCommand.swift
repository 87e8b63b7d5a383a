import ArgumentParser
import Backup
import Commands
import Glibc
import Languages
import Linux
import Weighing

/// `backup`
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Back up the configuration, the settings, the calibration and the journal to one file.",
    discussion: """
      The appliance can keep running. The journal is saved as a consistent snapshot, including weighings still to be \
      delivered, and verified. The backup is a tar archive readable only by its owner. It contains grampad.yaml, \
      grampad.settings.yaml and grampad.settings.yaml.previous (the settings of the page, if present), calibration.yaml (if \
      configured and present), grampad.db (a SQLite database) and manifest.json with version, time, device, SHA-256 checksums \
      and the extent of the journal. List it with `tar tvf FILE`; restore it with `grampad restore FILE`.

      Passwords, the dashboard token, certificates and keys are not included, whether they are in files or in the environment. \
      Keep copies of them elsewhere.

      If FILE is a folder, the backup is created there and its name contains the time. The archive is not compressed; pipe it \
      through gzip if required.

      Examples:
        grampad backup /media/stick
        grampad backup scale.tar --config scale.yaml
        grampad backup - | gzip > scale.tar.gz

      Exit codes: 65 the journal is damaged and nothing was saved, 66 no configuration or journal, 73 FILE exists or cannot be \
      created, 74 disk full or other I/O error, 77 permission denied, 78 configuration error.
      """)

  @Argument(help: "The file to create, or a folder to create it in; - for standard output.", completion: .file())
  var file: String
  @OptionGroup var options: ConfigurationOptions
  @Flag(help: "Overwrite FILE if it exists.")
  var force = false
  @OptionGroup var log: LogOptions

  func validate() throws {
    if file == "-" && isatty(STDOUT_FILENO) == 1 {
      throw ValidationError("Refusing to write a backup to a terminal. Specify a file.")
    }
  }

  func run() throws {
    try failing {
      guard let configuration = try options.file() else {
        throw Failure(.noInput, .backupNoConfiguration, ["path": ConfigurationOptions.standardPath])
      }
      let now = Instant.wallClock()
      let target = try NewFile(file, name: "grampad-backup-\(FileTime(now)).tar", replaces: force)
      let manifest = try BackupWriter(configuration, logger: log.logger(default: .error)).save(to: target, at: now)
      printSummary(of: manifest, target)
    }
  }

  private func printSummary(of manifest: BackupManifest, _ target: NewFile) {
    let name = target.isStandardOutput ? Sentence(.backupOutput) : .verbatim(target.path)
    printMessage(.backupSaved, ["path": name, "device": manifest.device, "time": manifest.localTime])
    for (_, part) in manifest.parts {
      printMessage(.verbatim("  " + Texts.ofUser(Sentence(.backupPart, ["name": part.path, "size": part.size]))))
    }
    let (extent, outbox) = (manifest.extent, manifest.extent.outbox)
    let weighings =
      extent.weighings == 0
      ? Sentence(.backupNoWeighings, ["waiting": outbox.waiting, "parked": outbox.parked])
      : Sentence(
        .backupWeighings,
        ["count": extent.weighings, "last": extent.lastSequence, "waiting": outbox.waiting, "parked": outbox.parked])
    printMessage(.verbatim("  " + Texts.ofUser(weighings)))
  }
}
