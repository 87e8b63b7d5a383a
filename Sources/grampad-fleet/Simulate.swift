import ArgumentParser
import Commands
import Configuration
import Glibc
import Linux
import Messages
import Simulating

/// `simulate`
struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run thousands of light scales against a broker, to test its load or a collector.",
    discussion: """
      The scales are named DEVICE-1, DEVICE-2 and so on under the configured prefix. Each consists only of a connection, a journal in \
      memory and an outbox, so that one process can simulate 10,000. They publish availability, health and weighings, and answer \
      command/resend. Press Ctrl-C to stop. At the end a summary is printed as JSON. TLS is not supported.

      Examples:
        grampad-fleet simulate --devices 10000 --weighings 1000000 --rate 1000 --lose 0.01
      """)

  @Option(parsing: .unconditional, help: "Number of light devices, 1 to 100000; each needs an open file.")
  var devices: Int
  @Option(
    parsing: .unconditional, help: "End when this many weighings of all devices together are delivered. Default: never."
  )
  var weighings: Int?
  @Option(
    parsing: .unconditional, help: "Weighings per second of all devices together. Default: one per device every 10 s.")
  var rate: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time from the last connection to the first weighing, 0 to 3600 s. Default: 0.", valueName: "seconds"))
  var delay: Double?
  @Option(
    parsing: .unconditional, help: "Share of weighings, 0 to 1, that are not sent until command/resend asks for them.")
  var lose: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Minimum time between two health messages of a connection, 1 to 86400 s. Default: 10.", valueName: "seconds"))
  var healthInterval: Double?
  @Flag(help: "Keep answering command/resend after the last weighing is delivered, until SIGTERM.")
  var stay = false
  @Option(
    help: "Create this CSV file, and write all weighings to it at the end: device, sequence, id, net mass.",
    completion: .file())
  var records: String?
  @Option(parsing: .unconditional, help: "Seed of the masses and losses. Default: random.")
  var seed: UInt64?
  @OptionGroup var common: SimulationOptions

  func validate() throws {
    if !(1...100_000).contains(devices) { throw ValidationError("--devices must be between 1 and 100000.") }
    if let weighings, weighings < 1 { throw ValidationError("--weighings must be at least 1.") }
    if let rate, !(rate > 0 && rate <= 1e6) { throw ValidationError("--rate must be above 0 and at most 1000000.") }
    if let healthInterval, !(1...86_400).contains(healthInterval) {
      throw ValidationError("--health-interval must be between 1 and 86400.")
    }
    if let delay, !(0...3600).contains(delay) { throw ValidationError("--delay must be between 0 and 3600.") }
    if let lose, !(0...1).contains(lose) { throw ValidationError("--lose must be between 0 and 1.") }
  }

  func run() throws { try failing(untilDone) }

  /// Runs the devices until they are done, or until SIGTERM or SIGINT.
  private func untilDone() throws {
    let logger = common.log.logger(default: .notice)
    let settings = try settings()
    printMessage(
      "\(settings.count) devices, \(settings.name)-1 to \(settings.name)-\(settings.count); press Ctrl-C to stop")
    let fleet = LightFleet(settings, logger: logger)
    let summary: LightFleetSummary
    let signals = SignalHandler([SIGTERM, SIGINT]) { _ in fleet.stop() }
    defer { signals.cancel() }
    do throws(LightFleetError) {
      summary = try fleet.run()
    } catch {
      if case .recordsNotWritten(_, _, let summary) = error { try printAll(summary.json + "\n") }
      throw Failure(error)
    }
    try printAll(summary.json + "\n")
  }

  private func settings() throws -> LightFleetSettings {
    let (configuration, folder) = try common.resolved()
    let mqtt = configuration.resolvingPaths(in: folder).mqtt
    let brokers = mqtt.addresses
    guard !brokers.contains(where: \.isSecure) else {
      throw Failure(.configuration, "light devices do not support TLS; specify a broker with mqtt://")
    }
    let link = try LinkSettings(mqtt, folder: folder, clientID: "")
    // Opened now: after the run it is too late for another path.
    let file = try records.map { LightRecordFile(path: $0, try openForWriting($0)) }
    return LightFleetSettings(
      brokers: brokers, version: link.version, credentials: link.credentials, prefix: mqtt.prefix,
      name: configuration.device.id, count: devices,
      weighings: weighings, rate: rate ?? Double(devices) / 10, delay: .seconds(delay ?? 0), lostShare: lose ?? 0,
      healthInterval: .seconds(healthInterval ?? 10),
      seed: seed ?? .random(in: 0 ... .max),
      stays: stay, records: file)
  }
}

extension Failure {
  fileprivate init(_ error: LightFleetError) {
    let code: Sysexit =
      switch error {
      case .unknownHost: .unavailable
      case .tooFewDescriptors, .recordsNotWritten: .inputOutput
      }
    self.init(code, error.description)
  }
}
