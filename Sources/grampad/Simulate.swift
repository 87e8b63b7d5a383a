import Appliance
import ArgumentParser
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

      With --pads each scale is a complete appliance with a simulated pad. Start times are spread over ten seconds. Home \
      Assistant discovery messages are only published with --discovery.

      With --devices each scale consists only of a connection, a journal and an outbox, so that one process can simulate \
      10,000. Use it to test a broker and grampad collect. The scales publish availability, health and weighings, and answer \
      command/resend. At the end a summary is printed as JSON. TLS is not supported.

      Examples:
        grampad simulate --pads 20 --broker mqtt://127.0.0.1:1883
        grampad simulate --pads 3 --config scale.yaml --discovery
        grampad simulate --devices 10000 --weighings 1000000 --rate 1000 --lose 0.01
      """)

  @Option(help: "Number of complete simulated appliances, 1 to 500.")
  var pads: Int?
  @OptionGroup(title: "Light devices") var light: LightDeviceOptions
  @OptionGroup var options: ConfigurationOptions
  @Option(help: "The broker to connect to, mqtt://HOST:PORT. Default: the configured broker.")
  var broker: String?
  @Option(help: "The prefix of each device.id. Default: the configured device.id.")
  var device: String?
  @Flag(help: "Publish Home Assistant discovery; the devices remain in Home Assistant until you remove them.")
  var discovery = false
  @OptionGroup var log: LogOptions

  func validate() throws {
    if (pads == nil) == (light.devices == nil) { throw ValidationError("Specify either --pads or --devices.") }
    if let pads, !(1...500).contains(pads) { throw ValidationError("--pads must be between 1 and 500.") }
    try light.validate(discovery: discovery)
    if let device, device.isEmpty || device.utf8.count > 60 || device.contains(where: { "/+#$".contains($0) }) {
      throw ValidationError("--device must be a single topic level of at most 60 bytes, without /, +, # and $.")
    }
    if let broker { _ = try BrokerArgument.address(broker) }
  }

  func run() async throws {
    try await failing {
      let file = try options.file()
      let base = try configuration(file?.current ?? Configuration())
      guard let pads else {
        return try await light.run(base, folder: file?.folder ?? ".", logger: log.logger(default: .notice))
      }
      let logger = log.logger(default: .warning)
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
  private func configuration(_ given: Configuration) throws -> Configuration {
    var configuration = given
    let shown = Configuration.demonstration
    configuration.pad = shown.pad
    configuration.scale = shown.scale
    configuration.calibration = shown.calibration
    configuration.dashboard.isEnabled = false
    configuration.homeAssistant.discovery = discovery
    if let device { configuration.device.id = device }
    if let broker {
      configuration.mqtt.broker = .external([try BrokerArgument.address(broker)])
    } else if configuration.mqtt.broker == .embedded {
      // The embedded broker of an appliance on this machine.
      guard let port = UInt16(exactly: configuration.mqtt.embeddedPort), port > 0 else {
        throw Failure(.configuration, .portUnknown)
      }
      configuration.mqtt.broker = .external([BrokerAddress(host: "127.0.0.1", port: port)])
    }
    return configuration
  }
}
