import ArgumentParser
import Commands
import Enrolling
import Glibc
import Linux
import Logging
import Messages

/// `enroll --serve`
struct Enroll: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Issue client certificates for scales.",
    discussion: """
      Answers the requests of devices, next to the certificate authority, until SIGTERM or SIGINT. The service grampad-enroll runs it. \
      A device gets its certificate with grampad enroll.

      Example:
        sudo grampad-fleet enroll --serve -c /etc/mosquitto/grampad/clients/ca/grampad.yaml
      """)

  @Flag(help: "Issue certificates; required.")
  var serve = false
  @Option(help: "The program that signs.", completion: .file())
  var tool = "/usr/share/grampad/broker/grampad-broker"
  @Option(help: "The folder of grampad-broker. Default: its own.", completion: .directory)
  var authority: String?
  @Option(help: "The pid_file of the broker to reload. Default: the service mosquitto.", completion: .file())
  var pid: String?
  @OptionGroup var options: ConfigurationOptions
  @OptionGroup var log: LogOptions

  func validate() throws {
    if !serve {
      throw ValidationError("A device gets its certificate with grampad enroll; --serve issues certificates.")
    }
  }

  func run() throws {
    try failing {
      guard let file = try options.file() else { throw Failure(.configuration, .enrollNoConfiguration) }
      let logger = log.logger(default: .info)
      let server = EnrollmentServer(
        settings: try LinkSettings(
          file.current.resolvingPaths(in: file.folder).mqtt, folder: file.folder, clientID: "grampad-enroll-serve"),
        signer: SigningTool(program: tool, folder: authority, pidFile: pid, logger: logger), logger: logger)
      let signals = SignalHandler([SIGTERM, SIGINT]) { _ in server.stop() }
      defer { signals.cancel() }
      server.run()
    }
  }
}
