import Appliance
import ArgumentParser
import Backup
import EventLoop
import Glibc
import Weighing

/// `report`
struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Collects what goes with a bug report, without secrets and without weighings.",
    discussion: """
      Writes a tar archive packed by gzip, readable by its owner only, and lists on standard error what is in it and what is \
      not, with the reason. Look through it before you send it: tar xzf FILE.

      In it: the version; system, kernel, board and versions of the packages; the configuration with all defaults, or why it \
      cannot be used; the input devices with names, kinds and axes; how many weighings there are and whether the journal is in \
      order; /healthz and /metrics of the dashboard and the health that the broker keeps, where they answer within seconds; the \
      state of the service; the last 500 lines of its log. With --recording what the pad does for so long, with --attach any \
      file.

      Not in it: passwords, the token of the dashboard, certificates and keys; the user of the broker; what quick actions carry \
      in user_info; serial numbers of devices; the name of this machine; weighings with their masses and labels. Passwords and \
      tokens are taken out of all files that are put in, the log and attached ones too; where they cannot be read, the log stays \
      out. In it as they are: the names of the device and of brokers, paths, and in /metrics what the scale shows now.

      Works for any user; as root there is more to be had, and with sudo the file belongs to its caller.

      Examples:
        sudo grampad report
        grampad report --config scale.yaml -o report.tar.gz
        grampad report --recording 10 --attach photo.jpg
      """)

  @OptionGroup var options: ConfigurationOptions
  @Option(
    name: [.customShort("o"), .long],
    help: "The file to make, or a folder; - for standard output. Default: grampad-report-TIME.tar.gz in this folder.",
    completion: .file())
  var output = "."
  @Option(help: "Record the pad for so many seconds. The appliance must not run: it has the pad for itself.")
  var recording: Double?
  @Option(help: "Put this file in as well, a recording for instance; may be repeated.", completion: .file())
  var attach: [String] = []
  @Flag(help: "Replace the file where it exists.")
  var force = false
  @OptionGroup var log: LogOptions

  func validate() throws {
    if let recording, !(recording > 0 && recording <= 3600) {
      throw ValidationError("--recording has to be more than 0 and 3600 at most.")
    }
    if output == "-" && isatty(STDOUT_FILENO) == 1 {
      throw ValidationError("A report is not written to a terminal: name a file.")
    }
  }

  func run() async throws {
    try await failing {
      for path in attach where access(path, R_OK) != 0 { throw Failure(opening: path) }
      let now = Instant.wallClock()
      var request = ReportRequest()
      request.configuration = ConfigurationOptions.resolved(options.path)
      request.attachments = attach
      do throws(BackupFault) {
        let target = try NewFile(output, name: "grampad-report-\(FileTime(now)).tar.gz", replaces: force)
        if let recording { request.recording = PadRecording.take(seconds: recording, request.pad) }
        let report = request.report(logger: log.logger(default: .critical))
        try report.write(to: target, at: now)
        complain(target.isStandardOutput ? "in the report:" : "\(target.path):")
        for line in report.contents.split(separator: "\n") { complain("  \(line)") }
      } catch {
        throw Failure(error)
      }
    }
  }
}
