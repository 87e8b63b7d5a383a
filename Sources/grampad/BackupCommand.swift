import Appliance
import ArgumentParser
import Backup
import EventLoop
import Glibc
import Weighing

/// `backup`
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Saves the configuration, the calibration and the journal in one file.",
    discussion: """
      Also while the appliance runs and records: the journal is saved as of one moment, with what has yet to be delivered, and \
      is verified. The file is a tar archive that only its owner can read, with grampad.yaml, calibration.yaml (where the \
      configuration names one that is there), grampad.db (a SQLite file) and manifest.json, which says what they are: version, \
      time, device, the SHA-256 of each, and how far the journal goes. `tar tvf FILE` lists it, `grampad restore FILE` brings \
      it back.

      Not in it: passwords, the token of the dashboard, certificates and keys, whether in files or in the environment. Keep \
      copies of those elsewhere.

      FILE may be a folder, and then is named by the time in it. It is not packed: pipe it through a program that does.

      Examples:
        grampad backup /media/stick
        grampad backup scale.tar --config scale.yaml
        grampad backup - | gzip > scale.tar.gz

      Exit codes: 66 no configuration or journal, 65 the journal is damaged and nothing was saved, 73 FILE exists or cannot be \
      made, 74 no space or another fault of a disk, 77 no permission, 78 configuration.
      """)

  @Argument(help: "The file to make, or a folder to make it in; - for standard output.", completion: .file())
  var file: String
  @OptionGroup var options: ConfigurationOptions
  @Flag(help: "Replace FILE where it exists.")
  var force = false
  @OptionGroup var log: LogOptions

  func validate() throws {
    if file == "-" && isatty(STDOUT_FILENO) == 1 {
      throw ValidationError("A backup is not written to a terminal: name a file.")
    }
  }

  func run() async throws {
    try await failing {
      guard let configuration = try options.file() else {
        throw Failure(
          .noInput, "no configuration: name it with --config; \(ConfigurationOptions.standardPath) is not there")
      }
      let now = Instant.wallClock()
      do throws(BackupFault) {
        let target = try NewFile(file, name: "grampad-backup-\(FileTime(now)).tar", replaces: force)
        let manifest = try BackupSource(configuration, logger: log.logger(default: .error)).save(to: target, at: now)
        tell(manifest, target)
      } catch {
        throw Failure(error)
      }
    }
  }

  private func tell(_ manifest: BackupManifest, _ target: NewFile) {
    let name = target.isStandardOutput ? "saved" : target.path
    let extent = manifest.extent
    let weighings = extent.weighings == 0 ? "none" : "\(extent.weighings), the last one #\(extent.lastSequence)"
    complain("\(name): \(manifest.device), \(manifest.time)")
    for (_, part) in manifest.parts { complain("  \(part.path), \(part.size) bytes") }
    let outbox = extent.outbox
    complain("  weighings: \(weighings); still to be delivered: \(outbox.waiting), refused: \(outbox.parked)")
  }
}
