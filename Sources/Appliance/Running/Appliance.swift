import Configuration
import Foundation
import Glibc
import Linux
import Logging
import MQTTLink
import Messages
import Servers
import Weighing

/// The whole scale: pad, broker and configuration, from start to stop.
///
/// ```
///   pad ─► WeighingLoop ──► EffectRouter ──► Publisher, JournalLoop, DashboardService, SICSService, KeyboardService, ...
///               ▲ ▲ ▲
///               │ │ └─ inputs ── LinkEventRouter ◄── BrokerConnection
///               │ └─ outcomes ── JournalOutputRouter ◄── JournalLoop
///               └─── settings ── ConfigurationUpdate ◄── Reloading
/// ```
/// `ApplianceParts` makes and connects the parts.
package final class Appliance: Sendable {
  private let configuration: Configuration
  private let file: ConfigurationFile?
  private let folder: String
  private let options: Options
  private let logger: Logger
  private let parts: ApplianceParts
  private let reloads = ReloadRequests()
  /// `nil` without a configuration file: there is nothing that they would override.
  private let settings: SettingsService?
  private let update: ConfigurationUpdate

  /// Makes an appliance from a file, which it then watches.
  package convenience init(file: ConfigurationFile, options: Options, logger: Logger) {
    self.init(file.current, file: file, folder: file.folder, options: options, logger: logger)
  }

  /// Makes an appliance from a configuration that does not change.
  package convenience init(_ configuration: Configuration, options: Options, logger: Logger) {
    self.init(
      configuration, file: nil, folder: FileManager.default.currentDirectoryPath, options: options, logger: logger)
  }

  /// Logs that there is no configuration file, and where the journal is then.
  ///
  /// - Parameter folder: The working directory.
  package static func logDefaults(in folder: String, to logger: Logger) {
    logger.notice(
      "no configuration file; running with the defaults",
      metadata: ["journal.path": "\(Configuration().journalPath(in: folder))"])
  }

  private init(
    _ configuration: Configuration, file: ConfigurationFile?, folder: String, options: Options, logger: Logger
  ) {
    self.configuration = configuration
    self.file = file
    self.folder = folder
    self.options = options
    self.logger = logger
    settings = file.map { [reloads] file in SettingsService(file: file, reloads: reloads) }
    let parts = ApplianceParts(configuration, in: folder, options: options, logger: logger)
    let update = ConfigurationUpdate(from: configuration, in: folder, options: options, parts: parts, logger: logger)
    parts.calibration.setStore(settings?.calibrationStore)
    (self.parts, self.update) = (parts, update)
  }

  /// Ends the appliance; may be called on any thread, and before `run`.
  package func stop() { reloads.addEnd() }

  /// Runs until SIGTERM or SIGINT; SIGHUP reloads the configuration, if there is a file.
  package func runUntilSignal() throws(ApplianceError) {
    let signals = SignalHandler([SIGTERM, SIGINT] + (file == nil ? [] : [SIGHUP])) { [self] number in
      if number == SIGHUP { reloads.addSignal() } else { stop() }
    }
    defer { signals.cancel() }
    try run()
  }

  /// Runs until `stop`; on return, `offline` is published and all our threads and processes have ended.
  package func run() throws(ApplianceError) {
    defer { parts.servers?.stop() }
    parts.calibrationMonitor.setConfiguration(configuration, in: folder)
    parts.warnings.log(configuration.warnings(in: folder))
    parts.publisher.updateHealth { $0.unknownSettings = configuration.unknownSettingsWarning(in: folder) }
    let settings: ScaleSettings
    do {
      settings = try configuration.scaleSettings()
    } catch {
      throw .failed("\(error)")
    }
    try prepareDashboard()
    let address = try startEmbeddedBroker()
    do throws(ApplianceError) {
      try connect()
    } catch {
      parts.connection.stop()
      throw error
    }
    // Started this late so that a failed start does not create a journal.
    parts.journal.start(configuration.recordContext)
    // The last confirmed weighing is on disk before the program ends, unless the disk hangs.
    defer { parts.journal.stop(within: .seconds(2)) }
    options.onStart(address)
    startWeighing(settings)
    serve()
  }

  private func prepareDashboard() throws(ApplianceError) {
    let sockets = usableSockets()
    guard let servers = parts.servers else { return }
    do throws(TokenError) {
      try parts.web?.prepare(
        configuration, folder: folder, on: servers, ports: options.dashboardPorts, sockets: sockets,
        journal: { [parts] in parts.journal.reader },
        calibrating: parts.calibration, changing: settings,
        clients: options.keepsJournalInMemory ? nil : configuration.journalPath(in: folder) + "-clients.json",
        machine: options.machine, pad: parts.interactivePad,
        onListen: { [parts, options, url = configuration.dashboard.url] address, port in
          options.onDashboard(address, port)
          let (remote, local) = parts.network.add(.init(address: address, port: port))
          parts.publisher.updateHealth { $0.page = local.url }
          parts.discovery.describe(page: url ?? remote.remoteURL)
        }, onClose: { [parts] in parts.network.remove(.init(address: $0, port: $1)) }, send: parts.loop.send)
    } catch {
      throw .token(error)
    }
  }

  /// The sockets of the service manager; logs why others are not served.
  private func usableSockets() -> [ListeningSocket] {
    let sockets = options.sockets.compactMap { socket in
      switch socket {
      case .success(let socket): return Optional(socket)
      case .failure(let error):
        logger.error(
          "cannot use a socket of the service manager; continuing without it", metadata: ["socket.reason": "\(error)"])
        return nil
      }
    }
    if parts.web == nil, !sockets.isEmpty {
      logger.warning("dashboard.enabled is false: not serving the sockets of the service manager")
    }
    return sockets
  }

  /// Starts the embedded broker if it is configured; returns its address.
  private func startEmbeddedBroker() throws(ApplianceError) -> BrokerAddress? {
    // An embedded broker starts without retained messages.
    guard configuration.mqtt.broker == .embedded else {
      parts.publisher.holdHealth()
      return nil
    }
    do throws(EmbeddedBrokerError) {
      let ports = options.embeddedPorts ?? [UInt16(configuration.mqtt.embeddedPort)]
      return try parts.connection.startEmbeddedBroker(ports: ports)
    } catch {
      throw .broker(error)
    }
  }

  private func connect() throws(ApplianceError) {
    do throws(PasswordError) {
      try parts.connection.connect(configuration.resolvingPaths(in: folder), folder: folder)
    } catch {
      throw .password(error)
    }
  }

  private func startWeighing(_ settings: ScaleSettings) {
    parts.calibration.configure(configuration, settings)
    parts.publisher.publish(settings.quickActions, settings.containers)
    // What an earlier journal has learned may still be retained.
    parts.publisher.publish(.learnedStops([], at: .now()))
    parts.publisher.updateHealth { $0.setDisplay(settings) }
    parts.discovery.start(settings.quickActions)
    // Tare and zero of the last run are restored before anything else.
    if !parts.journal.waitForMemory(within: .seconds(1)) {
      logger.warning("journal is slow to open; restoring tare and plate when it is available")
    }
    for name in options.actions { parts.loop.send(.request(ActionRequest(name: name, source: .start))) }
    let sources = WeighingLoop.Sources(
      configuration, simulation: options.simulation, hands: parts.interactivePad, logger: logger)
    parts.loop.start(
      settings: settings, sources: sources, report: parts.report, onOutput: parts.effects.route,
      onEffect: parts.effects.route)
  }

  /// Serves until the appliance is to end, and then stops the parts in the reverse order of their start.
  private func serve() {
    parts.web?.start()
    parts.sics?.start()
    parts.keyboard?.start()
    var reloading = Reloading(file, requests: reloads, report: parts.report, logger: logger, onReload: update.apply)
    reloading.run()
    // Before the other parts, which take seconds to stop if they hang.
    parts.publisher.switchOutputsOff()
    parts.report.end()
    parts.keyboard?.stop()
    parts.sics?.stop()
    parts.network.stop()
    parts.web?.stop()
    parts.loop.stop()
    parts.connection.stop()
  }
}
