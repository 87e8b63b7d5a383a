import EvdevInput
import EventLoop
import Foundation
import Logging
import MQTTLink
import Messages
import Recordings
import ServiceLifecycle
import Synchronization
import UnixSignals
import Weighing

/// The whole scale: pad, broker and configuration, from start to end.
package final class Appliance: Sendable {
  /// What a caller may want to choose or to know.
  package struct Options: Sendable {
    /// The ports an embedded broker tries in order, 0 for any free one; the configured one when `nil`.
    package var embeddedPorts: [UInt16]?
    /// What the simulated pad does, where that is the pad.
    package var simulation = SimulatedPad.Setup.demonstration
    /// Called once, when the broker is there and before the pad is looked for, with the embedded broker's address if there is one.
    package var onStart: @Sendable (BrokerAddress?) -> Void = { _ in }
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
  private let loop: WeighingLoop

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
    let publisher = Publisher(topics: topics, heartbeat: configuration.publish.heartbeat)
    self.publisher = publisher
    let desk = CommandDesk(topics: topics)
    let onEffect = options.onEffect
    let loop = WeighingLoop(logger: logger) { output in
      switch output {
      case .effect(.result(let result)):
        publisher.publish(result, to: desk.caller(of: result.request))
        onEffect(.result(result))
      case .effect(let effect):
        publisher.publish(effect)
        onEffect(effect)
      case .padFound(let name, let path):
        publisher.updateHealth { $0.pad = .present(name: name, path: path) }
      case .padMissing(let reason):
        publisher.updateHealth { $0.pad = .missing(reason) }
      }
    }
    self.loop = loop
    // What was read while nobody listened is dropped; who listens from now on gets the reading of now.
    connection = BrokerConnection(
      publisher: publisher, filters: [desk.filter], onConnect: { loop.send(.refresh) },
      onMessage: { message in
        switch desk.take(message) {
        case .none: break
        case .request(let request): loop.send(.request(request))
        case .refused(let command, let reason): publisher.refuse(command, reason)
        }
      }, logger: logger)
  }

  /// Runs until SIGTERM or SIGINT; `offline` has then been published and every thread and process of ours has ended.
  package func run() async throws(ApplianceError) {
    // Trapped before anything is started: a signal that comes meanwhile waits, and does not kill.
    let endings = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let hangups = file == nil ? nil : await UnixSignalsSequence(trapping: .sighup)
    let configuration = inForce.withLock { $0 }
    var address: BrokerAddress?
    if configuration.mqtt.broker == .embedded {
      do throws(EmbeddedBrokerError) {
        let ports = options.embeddedPorts ?? [UInt16(configuration.mqtt.embeddedPort)]
        address = try connection.startEmbeddedBroker(ports: ports)
      } catch {
        throw .broker(error)
      }
    }
    do throws(PasswordFault) {
      try connection.connect(configuration.resolvingPaths(in: folder), folder: folder)
    } catch {
      throw .password(error)
    }
    options.onStart(address)
    do {
      loop.start(settings: try configuration.scaleSettings(), source: padSource(configuration.pad))
    } catch {
      throw .failed("\(error)")
    }
    var services: [any Service] = [connection, WeighingService(loop: loop)]
    if let file, let hangups {
      services.append(Reloading(file: file, hangups: hangups, logger: logger) { [self] in adopt($0, $1) })
    }
    var group = ServiceGroupConfiguration(services: services, logger: quiet)
    group.services.append(
      .init(service: Ending(signals: endings), successTerminationBehavior: .gracefullyShutdownGroup))
    do {
      try await ServiceGroup(configuration: group).run()
    } catch {
      throw .failed("\(error)")
    }
  }

  /// The lifecycle's own chatter is of no use to a user.
  private var quiet: Logger {
    var logger = logger
    logger.logLevel = max(logger.logLevel, .warning)
    return logger
  }

  private func padSource(_ pad: Configuration.Pad) -> @Sendable () throws -> any PadSource {
    let simulation = options.simulation
    return { [logger] in
      guard pad.device == .simulated else { return try EvdevPadSource(pad, logger: logger) }
      return try SimulatedPadSource(simulation.pad(startingAt: .now()), pad)
    }
  }

  /// Brings what a reload changed into force, restarting no more than that.
  private func adopt(_ result: Result<Configuration, ConfigurationError>, _ reason: Reloading.Reason) {
    switch result {
    case .failure(let error):
      logger.error("configuration refused, the old one stays in force", metadata: ["reason": "\(error)"])
      publisher.updateHealth { $0.configurationFault = error.description }
    case .success(let read):
      let old = inForce.withLock { $0 }
      let new = read.keepingWhatNeedsRestart(of: old)
      let fixed = read.keysNeedingRestart(from: old)
      if !fixed.isEmpty {
        logger.warning(
          "these keys take effect at the next start", metadata: ["keys": "\(fixed.joined(separator: ", "))"])
      }
      publisher.updateHealth { $0.configurationFault = nil }
      // A signal is answered even when nothing has changed: a file with a password in it may have.
      guard new != old || reason == .signal else { return }
      inForce.withLock { $0 = new }
      publisher.setHeartbeat(new.publish.heartbeat)
      if let settings = try? new.scaleSettings() { loop.send(.settings(settings)) }
      if new.pad.needsAnotherSource(than: old.pad) { loop.replaceSource(padSource(new.pad)) }
      do throws(PasswordFault) {
        try connection.connect(new.resolvingPaths(in: folder), folder: folder)
      } catch {
        logger.error("old connection kept", metadata: ["reason": "\(error)"])
        publisher.updateHealth { $0.configurationFault = error.description }
      }
      logger.info("configuration reloaded")
    }
  }
}

extension Configuration {
  /// This configuration, with the values of an older one for keys that only a restart can change.
  func keepingWhatNeedsRestart(of old: Configuration) -> Configuration {
    var new = self
    new.device.id = old.device.id
    new.mqtt.prefix = old.mqtt.prefix
    new.mqtt.embeddedPort = old.mqtt.embeddedPort
    if (new.mqtt.broker == .embedded) != (old.mqtt.broker == .embedded) { new.mqtt.broker = old.mqtt.broker }
    new.journal.path = old.journal.path
    return new
  }
}

extension Configuration.Pad {
  /// Whether the device has to be opened anew.
  func needsAnotherSource(than old: Configuration.Pad) -> Bool {
    device != old.device || axis != old.axis || grab != old.grab || rotation != old.rotation
  }
}

/// Ends the appliance at the first signal.
private struct Ending: Service {
  let signals: UnixSignalsSequence

  func run() async throws {
    for await _ in signals.cancelOnGracefulShutdown() { return }
  }
}

/// Ends the weighing loop with the appliance.
private struct WeighingService: Service {
  let loop: WeighingLoop

  func run() async throws {
    try? await gracefulShutdown()
    loop.stop()
  }
}
