import Configuration
import Languages
import Logging
import Synchronization
import Weighing

/// Applies reloaded configurations to a running appliance, restarting only what has changed.
final class ConfigurationUpdate: Sendable {
  private let current: Mutex<Configuration>
  private let folder: String
  private let options: Appliance.Options
  private let parts: ApplianceParts
  private let logger: Logger

  /// - Parameter initial: The configuration that the appliance started with.
  init(
    from initial: Configuration, in folder: String, options: Appliance.Options, parts: ApplianceParts, logger: Logger
  ) {
    current = Mutex(initial)
    (self.folder, self.options, self.parts, self.logger) = (folder, options, parts, logger)
  }

  /// Applies a configuration, or reports why it cannot be read.
  func apply(_ result: Result<Configuration, ConfigurationError>, _ reason: Reloading.Reason) {
    switch result {
    case .failure(let error):
      reject("invalid configuration; keeping the previous one", "configuration.reason", error.sentence)
    case .success(let read):
      let old = current.withLock { $0 }
      report(keysNeedingRestart: read.keysNeedingRestart(from: old).joined(separator: ", "))
      let new = read.keepingKeysThatNeedRestart(of: old)
      parts.publisher.updateHealth { $0.unknownSettings = new.unknownSettingsWarning(in: folder) }
      // A signal is answered even if nothing has changed: a file with a password in it may have.
      guard new != old || reason == .signal else { return }
      current.withLock { $0 = new }
      apply(new, insteadOf: old)
      logger.info("configuration reloaded")
    }
  }

  private func apply(_ new: Configuration, insteadOf old: Configuration) {
    parts.warnings.log(new.warnings(in: folder))
    parts.publisher.setHeartbeat(new.publish.heartbeat)
    // Before the scale knows, so that a dose that it ends is stopped under the topic of now.
    parts.publisher.setOutputs(new.outputs)
    if let settings = try? new.scaleSettings() {
      parts.loop.send(.settings(settings))
      parts.calibration.configure(new, settings)
      parts.publisher.updateHealth { $0.setDisplay(settings) }
    }
    let hasOtherKeys = new.buttons != old.buttons || new.scanners != old.scanners
    if new.pad.needsAnotherSource(than: old.pad) || hasOtherKeys {
      parts.loop.replace(
        WeighingLoop.Sources(new, simulation: options.simulation, hands: parts.interactivePad, logger: logger))
    }
    parts.journal.setContext(new.recordContext)
    parts.discovery.apply(new)
    parts.network.apply(new)
    parts.sics?.apply(new)
    parts.keyboard?.apply(new)
    parts.connection.subscribe(parts.discovery.filters)
    parts.calibrationMonitor.setConfiguration(new, in: folder)
    do throws(PasswordError) {
      try parts.connection.connect(new.resolvingPaths(in: folder), folder: folder)
    } catch {
      reject("cannot apply the new broker settings; keeping the current connection", "mqtt.reason", error.sentence)
    }
    do throws(TokenError) {
      try parts.web?.apply(new, folder: folder)
    } catch {
      reject("cannot read the new dashboard token; keeping the current one", "dashboard.reason", error.sentence)
    }
  }

  private func report(keysNeedingRestart keys: String) {
    let advice = keys.isEmpty ? nil : Sentence(.settingsNeedRestart, ["keys": keys])
    parts.publisher.updateHealth { ($0.configurationError, $0.restartAdvice) = (nil, advice) }
    if keys.isEmpty { return }
    logger.warning(
      "some changes take effect only after a restart", metadata: ["configuration.keys": "\(keys)"])
  }

  private func reject(_ message: Logger.Message, _ key: String, _ reason: Sentence) {
    logger.error(message, metadata: [key: "\(reason)"])
    parts.publisher.updateHealth { $0.configurationError = reason }
  }
}
