import Appliance
import ArgumentParser
import Commands
import Glibc
import Logging
import Terminal

/// `demo`
struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run the whole scale on loopback with a simulated pad, its own broker and the dashboard.",
    discussion: """
      No configuration is needed. Loads are placed on a simulated pad and removed, coffee drips into a cup, and one load is too \
      heavy. The broker is mosquitto, running as a child process on 127.0.0.1, port 1883, or on a free port if 1883 is in use. \
      Press Ctrl-C to stop.

      Examples:
        grampad demo
        grampad demo --port 0
      """)

  @Option(
    parsing: .unconditional,
    help: "The port of the broker; 0 for any free port. Default: 1883, or a free port if 1883 is in use.")
  var port: UInt16?
  @OptionGroup var log: LogOptions

  func run() throws {
    try failing {
      // If the reader of the output exits (`demo | head`) or the terminal is closed, stop as on Ctrl-C.
      let screen = DemoScreen(program: CommandLine.arguments[0], texts: .ofUser) { kill(getpid(), SIGINT) }
      var options = Appliance.Options()
      options.keepsJournalInMemory = true
      options.embeddedPorts = port.map { [$0] } ?? [1883, 0]
      options.onStart = { address in
        if let address { screen.setBrokerPort(address.port) }
      }
      options.dashboardPorts = [8385, 0]
      options.isPadInteractive = true
      options.onDashboard = { screen.setPagePort($1) }
      options.onEffect = { screen.show($0) }
      let logger = log.logger(default: .warning) { screen.pausingStatus($0) }
      let files = try DemoFiles()
      defer { withExtendedLifetime(files) {} }
      try Appliance(file: files.configuration, options: options, logger: logger).runUntilSignal()
      screen.end()
    }
  }
}
