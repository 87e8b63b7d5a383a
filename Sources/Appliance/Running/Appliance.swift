import Configuration
import EvdevInput
import EventLoop
import Foundation
import Journal
import Logging
import MQTTLink
import Messages
import Recordings
import ServiceLifecycle
import Synchronization
import UnixSignals
import Weighing

/// The whole scale: pad, broker and configuration, from start to stop.
package final class Appliance: Sendable {
  /// Options and callbacks of the caller.
  package struct Options: Sendable {
    /// The ports that an embedded broker tries in order, 0 for any free one; `nil` for the configured one.
    package var embeddedPorts: [UInt16]?
    /// The behaviour of the simulated pad, if it is used.
    package var simulation = SimulatedPad.Setup.demonstration
    /// The actions to perform at the start, by name, each once.
    package var actions: [String] = []
    /// Whether weighings are kept only in memory, regardless of the configuration.
    package var keepsJournalInMemory = false
    /// Called once, when the broker is available and before the pad is opened, with the address of the embedded broker
    /// if there is one.
    package var onStart: @Sendable (BrokerAddress?) -> Void = { _ in }
    /// The ports that the dashboard tries in order, 0 for any free one; `nil` for the configured one.
    package var dashboardPorts: [UInt16]?
    /// Called with address and port of the dashboard once it listens.
    package var onDashboard: @Sendable (_ address: String, _ port: UInt16) -> Void = { _, _ in }
    /// The service manager that started the program, if any.
    package var serviceManager: NotifySocket?
    /// Called with every effect, on the weighing thread; must not wait.
    package var onEffect: @Sendable (Effect) -> Void = { _ in }

    /// The options of `run`.
    package init() {}
  }

  private let file: ConfigurationFile?
  private let inForce: Mutex<Configuration>
  private let folder: String
  private let options: Options
  private let logger: Logger
  private let publisher: Publisher
  private let connection: BrokerConnection
  private let discovery: HomeAssistantDiscovery
  private let loop: WeighingLoop
  private let keeper: RecordKeeper
  private let web: Web
  private let concern: CalibrationConcern
  private let report: ServiceReport
  private let warnings: ConfigurationWarnings
  private let onOutput: @Sendable (WeighingLoop.Output) -> Void

  /// Makes an appliance from a file, which it then watches.
  package convenience init(file: ConfigurationFile, options: Options, logger: Logger) {
    self.init(file.current, file: file, folder: file.folder, options: options, logger: logger)
  }

  /// Makes an appliance from a configuration that does not change.
  package convenience init(_ configuration: Configuration, options: Options, logger: Logger) {
    self.init(
      configuration, file: nil, folder: FileManager.default.currentDirectoryPath, options: options, logger: logger)
  }

  private init(
    _ configuration: Configuration, file: ConfigurationFile?, folder: String, options: Options, logger: Logger
  ) {
    self.file = file
    self.folder = folder
    self.options = options
    self.logger = logger
    inForce = Mutex(configuration)
    let topics = Topics(prefix: configuration.mqtt.prefix, id: configuration.device.id)
    let web = Web(topics: topics, logger: logger, onListen: options.onDashboard)
    self.web = web
    let report = ServiceReport(to: options.serviceManager)
    self.report = report
    warnings = ConfigurationWarnings(logger: logger)
    // With the dashboard disabled nothing reads this; enabling it requires a restart.
    let hasPage = configuration.dashboard.isEnabled
    let publisher = Publisher(topics: topics, heartbeat: configuration.publish.heartbeat) {
      if hasPage { web.take($0) }
    } onHealth: {
      report.take($0)
    }
    self.publisher = publisher
    let desk = CommandDesk(topics: topics) { publisher.backlog }
    let discovery = HomeAssistantDiscovery(configuration, topics: topics) { publisher.publish($0) }
    self.discovery = discovery
    let loop = WeighingLoop(logger: logger)
    self.loop = loop
    let place = options.keepsJournalInMemory ? JournalLocation.memory : .file(configuration.journalPath(in: folder))
    let keeper = RecordKeeper(place, topics: topics, logger: logger) { message, token in
      publisher.publish(message, token: token)
    } onOutput: { output in
      switch output {
      case .outcome(let outcome): loop.send(.recorded(outcome))
      case .last(let record): publisher.publish(last: record)
      case .clock(let clock): publisher.updateHealth { $0.clock = clock }
      case .memory(let memory): loop.send(.restore(memory))
      case .recent(let entries): web.take(entries)
      case .health(let journal, let outbox, let sequence):
        publisher.updateHealth { ($0.journal, $0.outbox, $0.journalSequence) = (journal, outbox, sequence) }
        report.note(.journal)
      case .loss(let loss): loop.send(.journalLost(from: loss.from, to: loss.to))
      case .sequenceCompared: publisher.releaseHealth()
      }
    }
    self.keeper = keeper
    let concern = CalibrationConcern(publisher: publisher, logger: logger)
    concern.adopt(configuration, in: folder)
    self.concern = concern
    let onEffect = options.onEffect
    onOutput = { output in
      switch output {
      case .effect(let effect):
        if case .result(let result) = effect {
          publisher.publish(result, to: desk.caller(of: result.request))
        } else if effect.isJournalLoss {
          publisher.messages(for: effect).forEach(keeper.announce)
        } else {
          publisher.publish(effect)
        }
        keeper.take(effect)
        if hasPage { web.take(effect) }
        discovery.take(effect)
        onEffect(effect)
      case .padFound(let pad, let path):
        publisher.updateHealth { $0.pad = .present(name: pad.name, path: path) }
        concern.found(pad)
      case .padMissing(let reason):
        publisher.updateHealth { $0.pad = .missing(reason) }
      }
    }
    connection = BrokerConnection(
      publisher: publisher, filters: [desk.filter] + discovery.filters,
      onEvent: { event in
        keeper.take(event)
        switch event {
        case .connected:
          publisher.beginConnection()
          loop.send(.refresh)
        case .message(let message):
          if discovery.take(message) { loop.send(.refresh) }
          switch desk.take(message) {
          case .none: break
          case .input(let input): loop.send(input)
          case .refused(let command, let reason, let allowance):
            publisher.reject(command, reason, within: allowance)
            if hasPage { web.countRefusal(source: command.source, reason: reason) }
          }
        case .disconnected, .refused, .acknowledged, .subscribed, .dropped: break
        }
      },
      onReplace: { keeper.forgetLink() }, logger: logger)
  }

  /// Runs until SIGTERM or SIGINT; on return, `offline` is published and all our threads and processes have ended.
  package func run() async throws(ApplianceError) {
    // Trapped before anything is started: a signal that arrives in the meantime stays pending and does not kill the
    // process.
    let endings = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let hangups = file == nil ? nil : await UnixSignalsSequence(trapping: .sighup)
    let configuration = inForce.withLock { $0 }
    warnings.log(configuration.warnings(in: folder))
    let settings: ScaleSettings
    do {
      settings = try configuration.scaleSettings()
    } catch {
      throw .failed("\(error)")
    }
    if configuration.dashboard.isEnabled {
      do throws(TokenError) {
        try web.start(configuration, folder: folder, ports: options.dashboardPorts) {
          [keeper] sequence, last, count throws(JournalError) in
          try keeper.page(after: sequence, through: last, count: count)
        } send: { [loop] in
          loop.send($0)
        }
      } catch {
        throw .token(error)
      }
    }
    var address: BrokerAddress?
    if configuration.mqtt.broker == .embedded {
      do throws(EmbeddedBrokerError) {
        let ports = options.embeddedPorts ?? [UInt16(configuration.mqtt.embeddedPort)]
        address = try connection.startEmbeddedBroker(ports: ports)
      } catch {
        throw .broker(error)
      }
    }
    // A new embedded broker has no retained messages.
    if configuration.mqtt.broker != .embedded { publisher.holdHealth() }
    do throws(PasswordError) {
      try connection.connect(configuration.resolvingPaths(in: folder), folder: folder)
    } catch {
      throw .password(error)
    }
    // Started this late so that a failed start does not create a journal.
    keeper.start(configuration.recordContext)
    // The last confirmed weighing is on disk before the program ends, unless the disk hangs.
    defer { keeper.stop(within: .seconds(2)) }
    options.onStart(address)
    publisher.publish(settings.quickActions)
    discovery.start(settings.quickActions)
    // Tare and zero of the last run are restored before anything else.
    if !keeper.waitForMemory(within: .seconds(1)) {
      logger.warning("journal is slow to open; restoring tare and plate when it is available")
    }
    for name in options.actions { loop.send(.request(ActionRequest(name: name, source: .start))) }
    loop.start(settings: settings, sources: sources(configuration), report: report, onOutput: onOutput)
    var services: [any Service] = [connection, WeighingService(loop: loop), web]
    if let file, let hangups {
      services.append(
        Reloading(file: file, hangups: hangups, report: report, logger: logger) { [self] in adopt($0, $1) })
    }
    var group = ServiceGroupConfiguration(services: services, logger: quiet)
    group.services.append(
      .init(service: Ending(signals: endings, report: report), successTerminationBehavior: .gracefullyShutdownGroup))
    do {
      try await ServiceGroup(configuration: group).run()
    } catch {
      throw .failed("\(error)")
    }
  }

  private var quiet: Logger {
    var logger = logger
    logger.logLevel = max(logger.logLevel, .warning)
    return logger
  }

  private func sources(_ configuration: Configuration) -> WeighingLoop.Sources {
    let simulation = options.simulation
    let pad = configuration.pad
    let bindings = configuration.buttonBindings
    return WeighingLoop.Sources(
      pad: { [logger] in
        try pad.source(buttons: bindings, simulation: simulation, logger: logger)
      },
      buttons: { [logger] in bindings.isEmpty ? nil : try ButtonInput(bindings, logger: logger) })
  }

  /// Applies a reloaded configuration, restarting only what has changed.
  private func adopt(_ result: Result<Configuration, ConfigurationError>, _ reason: Reloading.Reason) {
    switch result {
    case .failure(let error):
      logger.error(
        "invalid configuration; keeping the previous one", metadata: ["configuration.reason": "\(error)"])
      publisher.updateHealth { $0.configurationError = error.description }
    case .success(let read):
      let old = inForce.withLock { $0 }
      let new = read.keepingKeysThatNeedRestart(of: old)
      let fixed = read.keysNeedingRestart(from: old)
      if !fixed.isEmpty {
        logger.warning(
          "some changes take effect only after a restart",
          metadata: ["configuration.keys": "\(fixed.joined(separator: ", "))"])
      }
      publisher.updateHealth { $0.configurationError = nil }
      // A signal is answered even when nothing has changed: a file with a password in it may have.
      guard new != old || reason == .signal else { return }
      inForce.withLock { $0 = new }
      warnings.log(new.warnings(in: folder))
      publisher.setHeartbeat(new.publish.heartbeat)
      if let settings = try? new.scaleSettings() { loop.send(.settings(settings)) }
      if new.pad.needsAnotherSource(than: old.pad) || new.buttons != old.buttons { loop.replace(sources(new)) }
      keeper.adopt(new.recordContext)
      discovery.adopt(new)
      connection.subscribe(discovery.filters)
      concern.adopt(new, in: folder)
      do throws(PasswordError) {
        try connection.connect(new.resolvingPaths(in: folder), folder: folder)
      } catch {
        logger.error(
          "cannot apply the new broker settings; keeping the current connection",
          metadata: ["mqtt.reason": "\(error)"])
        publisher.updateHealth { $0.configurationError = error.description }
      }
      do throws(TokenError) {
        try web.adopt(new, folder: folder)
      } catch {
        logger.error(
          "cannot read the new dashboard token; keeping the current one",
          metadata: ["dashboard.reason": "\(error)"])
        publisher.updateHealth { $0.configurationError = error.description }
      }
      logger.info("configuration reloaded")
    }
  }
}
