import Appliance
import ArgumentParser
import Commands
import Configuration
import Languages
import Logging
import MQTTLink
import Messages
import Weighing

/// `simulate`
struct Simulate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run many simulated scales against a broker, to test its load or a dashboard.",
    discussion: """
      The scales are named DEVICE-1, DEVICE-2 and so on under the configured prefix. Journals are kept in memory. Press Ctrl-C \
      to stop; all scales then go offline.

      Each scale is a complete appliance with a simulated pad. Start times are spread over ten seconds. Home \
      Assistant discovery messages are only published with --discovery.

      With --devices, grampad-fleet simulates thousands of scales that consist only of a connection, a journal and an outbox.

      Examples:
        grampad simulate --pads 20 --broker mqtt://127.0.0.1:1883
        grampad simulate --pads 3 --config scale.yaml --discovery
      """)

  @Option(help: "Number of complete simulated appliances, 1 to 500.")
  var pads: Int
  @OptionGroup var common: SimulationOptions
  @Flag(help: "Publish Home Assistant discovery; the devices remain in Home Assistant until you remove them.")
  var discovery = false

  func validate() throws {
    if !(1...500).contains(pads) { throw ValidationError("--pads must be between 1 and 500.") }
  }

  func run() async throws {
    try await failing {
      let base = try configuration()
      let logger = common.log.logger(default: .warning)
      printMessage(
        .simulateStarted, ["count": pads, "first": "\(base.device.id)-1", "last": "\(base.device.id)-\(pads)"])
      do {
        try await withThrowingTaskGroup(of: Swift.Void.self) { group in
          for number in 1...pads {
            let appliance = appliance(number, of: pads, base, logger)
            group.addTask { try await appliance.run() }
          }
          try await group.waitForAll()
        }
      } catch let error as ApplianceError {
        throw Failure(error)
      }
    }
  }

  private func appliance(_ number: Int, of pads: Int, _ base: Configuration, _ logger: Logger) -> Appliance {
    var configuration = base
    configuration.device.id += "-\(number)"
    configuration.device.name += " \(number)"
    var options = Appliance.Options()
    options.keepsJournalInMemory = true
    options.simulation.seed = UInt64(number)
    options.simulation.delay = .seconds(10 * Double(number - 1) / Double(pads))
    return Appliance(configuration, options: options, logger: logger)
  }

  /// The configuration that all scales share.
  private func configuration() throws -> Configuration {
    var configuration = try common.resolved().configuration
    let shown = Configuration.demonstration
    configuration.pad = shown.pad
    configuration.scale = shown.scale
    configuration.calibration = shown.calibration
    configuration.dashboard.isEnabled = false
    configuration.homeAssistant.discovery = discovery
    return configuration
  }
}
