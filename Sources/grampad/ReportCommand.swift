import ArgumentParser
import Backup
import Commands
import Configuration
import Glibc
import Languages
import Linux
import SystemPackage
import Terminal
import Weighing

/// `report`
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Collect the files for a bug report, without secrets and without weighings.",
    discussion: """
      Creates a gzip-compressed tar archive readable only by its owner, and lists on standard error what it contains, and what \
      was left out and why. Review the archive before you send it: tar xzf FILE.

      Included: the version; operating system, kernel, board and package versions; the configuration with all defaults, or the \
      errors that make it invalid; the input devices with names, types and axes, and \
      those with pressure as entries for the list of known pads; the number of weighings and the result of the \
      journal verification; /healthz and /metrics of the dashboard and the retained health message of the broker, if they \
      respond within seconds; the state of the service; the last 500 lines of its log; what `grampad diagnose` finds in \
      \(Int(Self.diagnosisSeconds)) seconds, unless the appliance uses the pad exclusively. With --recording, a recording of the \
      pad; with --attach, any file.

      Not included: passwords, the dashboard token, certificates and keys; the user name for the broker; user_info of quick \
      actions; serial numbers of devices; the host name of this machine; weighings with their masses and labels. Passwords and \
      tokens are removed from all files, including the log and attachments. If they cannot be read, the log is left out. \
      Included unchanged: the names of the device and of brokers, paths, and the current weight in /metrics.

      Any user can run this command. Run as root, it can include more; with sudo, the file belongs to the invoking user.

      Examples:
        sudo grampad report
        grampad report --config scale.yaml -o report.tar.gz
        grampad report --recording 10 --attach photo.jpg
      """)

  @OptionGroup var options: ConfigurationOptions
  @Option(
    name: [.customShort("o"), .long],
    help: "The file to create, or a folder; - for standard output. Default: grampad-report-TIME.tar.gz in this folder.",
    completion: .file())
  var output = "."
  @Option(
    parsing: .unconditional,
    help: "Record the pad for this many seconds. Stop the appliance first; it uses the pad exclusively.")
  var recording: Double?
  @Option(help: "Include this file, for example a recording; can be repeated.", completion: .file())
  var attach: [String] = []
  @Flag(help: "Overwrite the file if it exists.")
  var force = false
  @OptionGroup var log: LogOptions

  func validate() throws {
    if let recording, !(recording > 0 && recording <= 3600) {
      throw ValidationError("--recording must be greater than 0 and at most 3600.")
    }
    if output == "-" && isatty(STDOUT_FILENO) == 1 {
      throw ValidationError("Refusing to write a report to a terminal. Specify a file.")
    }
  }

  func run() throws {
    try failing {
      for path in attach {
        do throws(Errno) { try FileSystem.checkReadable(path) } catch { throw Failure(opening: path, error) }
      }
      let now = Instant.wallClock()
      var request = ReportRequest()
      request.configuration = ConfigurationOptions.resolved(options.path)
      request.attachments = attach
      let target = try NewFile(output, name: "grampad-report-\(FileTime(now)).tar.gz", replaces: force)
      request.diagnosis = diagnose()
      if let recording { request.recording = record(request.pad, seconds: recording) }
      let report = request.report(logger: log.logger(default: .critical))
      try report.write(to: target, at: now)
      printMessage(target.isStandardOutput ? Texts.ofUser(.reportOutput) : "\(target.path):")
      for line in report.contents.split(separator: "\n") { printMessage("  \(line)") }
    }
  }

  /// How long the pad is observed.
  static let diagnosisSeconds = 5.0

  /// Diagnoses the configured pad; without a diagnosis, the report states the reason. `nil` for the simulated pad.
  private func diagnose() -> Result<String, BackupError>? {
    do {
      let configuration = try options.file()?.current ?? Configuration()
      guard configuration.pad.device != .simulated else { return nil }
      let bar = ProgressBar()
      defer { bar.clear() }
      let outcome = try PadObservation.observe(
        configuration, for: .seconds(Self.diagnosisSeconds), until: Signal(), log
      ) { bar.show($1.seconds / Self.diagnosisSeconds, Texts.ofUser(.reportDiagnosing)) }
      return .success(DiagnosisListing(outcome, texts: .english).text)
    } catch let error as any CommandError {
      let text = error.failure.message.description
      return .failure(.program("pad", text.split(separator: "\n").first.map(String.init) ?? ""))
    } catch {
      return .failure(.program("pad", "\(error)"))
    }
  }

  /// Records the pad; without a recording, the report states the reason.
  private func record(_ pad: Configuration.Pad, seconds: Double) -> Result<[UInt8], BackupError> {
    do throws(BackupError) {
      let recording = try PadRecording(pad, logger: log.logger(default: .error))
      printMessage(.reportRecording, ["name": recording.deviceName, "seconds": seconds])
      let bar = ProgressBar()
      defer { bar.clear() }
      return .success(
        recording.record(for: .seconds(seconds)) { bar.show(events: $0, after: $1, of: seconds) })
    } catch {
      return .failure(error)
    }
  }
}
