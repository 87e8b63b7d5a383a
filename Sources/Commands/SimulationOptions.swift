import ArgumentParser
import Configuration

/// The options of both kinds of `simulate`.
package struct SimulationOptions: ParsableArguments {
  @OptionGroup package var options: ConfigurationOptions
  @Option(help: "The broker to connect to, mqtt://HOST:PORT. Default: the configured broker.")
  package var broker: String?
  @Option(help: "The prefix of each device.id. Default: the configured device.id.")
  package var device: String?
  @OptionGroup package var log: LogOptions

  package init() {}

  package func validate() throws {
    if let device, device.isEmpty || device.utf8.count > 60 || device.contains(where: { "/+#$".contains($0) }) {
      throw ValidationError("--device must be a single topic level of at most 60 bytes, without /, +, # and $.")
    }
    if let broker { _ = try BrokerArgument.address(broker) }
  }

  /// The configuration with the given device and broker, and the folder of the configuration file.
  package func resolved() throws -> (configuration: Configuration, folder: String) {
    let file = try options.file()
    var configuration = file?.current ?? Configuration()
    if let device { configuration.device.id = device }
    if let broker {
      configuration.mqtt.broker = .external([try BrokerArgument.address(broker)])
    } else if configuration.mqtt.broker == .embedded {
      // That of an appliance on this machine.
      let addresses = configuration.mqtt.addresses
      if addresses.isEmpty { throw Failure(.configuration, .portUnknown) }
      configuration.mqtt.broker = .external(addresses)
    }
    return (configuration, file?.folder ?? ".")
  }
}
