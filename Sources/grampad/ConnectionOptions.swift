import ArgumentParser
import Commands
import Configuration
import Messages

/// The appliance that a command talks to, and its broker.
struct ConnectionOptions: ParsableArguments {
  @OptionGroup var options: ConfigurationOptions
  @Option(help: "The broker to connect to, mqtt://HOST:PORT. Default: the configured broker.")
  var broker: String?
  @Option(help: "The device.id of the appliance. Default: the configured device.id.")
  var device: String?

  /// Whether the options name another appliance than the configuration.
  var isGiven: Bool { broker != nil || device != nil }

  func validate() throws {
    if let device, device.isEmpty || device.contains(where: { "/+#".contains($0) }) {
      throw ValidationError("--device must be a single topic level, without /, + and #.")
    }
    if let broker { _ = try BrokerArgument.address(broker) }
  }

  /// The configuration with the given device, the given broker if any, and the folder of the configuration file.
  func resolved() throws -> (configuration: Configuration, brokers: [BrokerAddress]?, folder: String) {
    let file = try options.file()
    var configuration = file?.current ?? Configuration()
    if let device { configuration.device.id = device }
    return (configuration, try broker.map { [try BrokerArgument.address($0)] }, file?.folder ?? ".")
  }
}
