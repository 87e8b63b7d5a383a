import ArgumentParser
import Commands
import Configuration
import Fleet
import Glibc
import Languages
import Linux
import Logging
import Messages
import Servers

/// `collect`
struct Collect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Store the weighings of many scales in PostgreSQL.",
    discussion: """
      Subscribes to the weighings of all scales below a prefix, stores each of them once, and asks a scale with \
      command/resend for what is missing. Creates the tables if the role of the database may do so. Several collectors \
      can run side by side. Runs until SIGTERM or SIGINT.

      With --migrate it only creates the tables and grants the roles grampad_collector and grampad_reader their \
      rights, and needs no broker.

      The database is a connection string of libpq; put the password into PGPASSFILE, not on the command line.

      Examples:
        grampad-fleet collect --database postgresql://grampad@localhost/grampad --broker mqtt://127.0.0.1:1883
        grampad-fleet collect --database 'postgresql://grampad@a,b/grampad?target_session_attrs=read-write' -c collector.yaml
      """)

  @Option(help: "The database, postgresql://USER@HOST/DATABASE.")
  var database: String
  @OptionGroup var options: ConfigurationOptions
  @Option(
    help:
      "A broker, mqtt://HOST:PORT or mqtts://HOST:PORT, in order of preference. Can be repeated. Default: mqtt.broker.")
  var broker: [String] = []
  @Option(help: "The common prefix of the scales. Default: mqtt.prefix.")
  var prefix: String?
  @Option(
    parsing: .unconditional,
    help:
      "Drop the weighings of a month DAYS days after its end; 0 keeps all. Stored in the database. Default: the stored value, initially 0."
  )
  var keep: Int?
  @Option(help: "Serve metrics for Prometheus on this port of 127.0.0.1, or on ADDRESS:PORT. Default: off.")
  var metrics: String?
  @Flag(help: "Create the tables, grant the roles their rights, and exit.")
  var migrate = false
  @OptionGroup var log: LogOptions

  func validate() throws {
    if let metrics, MetricsEndpoint(metrics) == nil {
      throw ValidationError("--metrics must be a port, or an IP address and a port: 9385, 0.0.0.0:9385, [::]:9385.")
    }
    if let keep, !(0...36_500).contains(keep) { throw ValidationError("--keep must be between 0 and 36500.") }
    for url in broker { _ = try BrokerArgument.address(url) }
    if let prefix, prefix.isEmpty || prefix.contains(where: { "+#".contains($0) }) || prefix.hasSuffix("/") {
      throw ValidationError("--prefix must be a topic without + and #, and must not end with /.")
    }
  }

  func run() throws {
    try failing {
      let logger = log.logger(default: .info)
      guard !migrate else { return try Collector.migrate(database: database, keepDays: keep) }
      let counters = CollectorMetrics()
      let file = try options.file()
      let folder = file?.folder ?? "."
      let mqtt = (file?.current ?? Configuration()).resolvingPaths(in: folder).mqtt
      let collector = Collector(
        database: database, settings: try settings(mqtt, in: folder), prefix: prefix ?? mqtt.prefix,
        user: mqtt.username, keepDays: keep, metrics: metrics == nil ? nil : counters, logger: logger)
      let signals = SignalHandler([SIGTERM, SIGINT]) { _ in collector.stop() }
      defer { signals.cancel() }
      let server = metrics.flatMap(MetricsEndpoint.init).map { endpoint in
        MetricsServer(
          address: endpoint.address, port: endpoint.port, logger: logger, metrics: { counters.text },
          faults: { counters.faults })
      }
      server?.start()
      defer { server?.stop() }
      try collector.run()
    }
  }

  /// The brokers, and the credentials of a configuration whose passwords are read from a folder.
  private func settings(_ mqtt: Configuration.MQTT, in folder: String) throws -> LinkSettings {
    let brokers = broker.isEmpty ? mqtt.addresses : try broker.map(BrokerArgument.address)
    guard !brokers.isEmpty else { throw Failure(.configuration, .portUnknown) }
    let identifier = String(UInt64.random(in: (1 << 60)...UInt64.max), radix: 16)
    return try LinkSettings(mqtt, brokers: brokers, folder: folder, clientID: "grampad-collect-\(identifier)")
  }
}

/// Where metrics are served: `9385`, `0.0.0.0:9385` or `[::]:9385`.
struct MetricsEndpoint: Hashable, Sendable {
  var address = "127.0.0.1"
  let port: UInt16

  /// Parses the value of `--metrics`; `nil` if it is not valid.
  init?(_ text: String) {
    let colon = text.lastIndex(of: ":")
    guard let port = UInt16(text[(colon.map(text.index(after:)) ?? text.startIndex)...]) else { return nil }
    self.port = port
    guard let colon else { return }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard MetricsServer.isAddress(String(host)) else { return nil }
    address = String(host)
  }
}
