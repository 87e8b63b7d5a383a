import Appliance
import ArgumentParser
import Commands
import Configuration
import Linux
import Logging
import Weighing

/// `run`
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run the scale until SIGTERM or SIGINT.",
    discussion: """
      Reads the pad, weighs, and publishes to the configured broker. Grampad reloads the configuration when the file is saved or \
      on SIGHUP. If the new file is invalid, the errors are logged and the current configuration stays in effect. Without a \
      configuration file it logs that it runs with the defaults, and where its journal is.

      Example:
        grampad run --config scale.yaml
      """)

  @OptionGroup var options: ConfigurationOptions
  @Option(
    help:
      "Perform an action once at startup: \(Action.list) or a quick action. Can be repeated.",
    completion: .action
  )
  var action: [String] = []
  @OptionGroup var log: LogOptions

  func run() throws {
    try failing {
      let logger = log.logger(default: .info)
      var settings = Appliance.Options()
      settings.serviceManager = .inherited()
      settings.sockets = ListeningSocket.inherited()
      settings.machine = .inherited()
      settings.actions = action
      settings.onStart = { address in
        let metadata: Logger.Metadata = address.map { ["broker.address": "\($0)"] } ?? [:]
        logger.info("running", metadata: metadata)
      }
      let appliance: Appliance
      if let file = try options.file() {
        // The service must not weigh without its settings, whereas other commands may.
        if let refusal = file.settingsRefusal { throw Failure(refusal) }
        appliance = Appliance(file: file, options: settings, logger: logger)
      } else {
        Appliance.logDefaults(in: workingFolder(), to: logger)
        appliance = Appliance(Configuration(), options: settings, logger: logger)
      }
      try appliance.runUntilSignal()
    }
  }
}
