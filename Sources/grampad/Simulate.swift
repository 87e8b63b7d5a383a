import Appliance
import ArgumentParser
import Commands
import Configuration
import Glibc
import Languages
import Linux
import Logging
import Synchronization
import Weighing

/// `simulate`
struct Simulate: ParsableCommand {
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

  @Option(parsing: .unconditional, help: "Number of complete simulated appliances, 1 to 500.")
  var pads: Int
  @OptionGroup var common: SimulationOptions
  @Flag(help: "Publish Home Assistant discovery; the devices remain in Home Assistant until you remove them.")
  var discovery = false

  func validate() throws { if !(1...500).contains(pads) { throw ValidationError("--pads must be between 1 and 500.") } }

  func run() throws {
    try failing {
      let base = try configuration()
      let logger = common.log.logger(default: .warning)
      printMessage(
        .simulateStarted, ["count": pads, "first": "\(base.device.id)-1", "last": "\(base.device.id)-\(pads)"])
      let appliances = (1...pads).map { appliance($0, of: pads, base, logger) }
      let signals = SignalHandler([SIGTERM, SIGINT]) { _ in for appliance in appliances { appliance.stop() } }
      defer { signals.cancel() }
      if let error = Self.run(appliances) { throw error }
    }
  }

  /// Runs appliances until all have ended, which they do when one of them fails; returns its error.
  private static func run(_ appliances: [Appliance]) -> ApplianceError? {
    final class Outcome: Sendable {
      let error = Mutex<ApplianceError?>(nil)
    }
    let outcome = Outcome()
    let workers = appliances.map { appliance in
      let worker = Worker<Never>("appliance")
      worker.start { _ in
        do throws(ApplianceError) {
          try appliance.run()
        } catch {
          outcome.error.withLock { $0 = $0 ?? error }
          for other in appliances { other.stop() }
        }
      }
      return worker
    }
    for worker in workers { worker.stop(within: nil) }
    return outcome.error.withLock { $0 }
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
