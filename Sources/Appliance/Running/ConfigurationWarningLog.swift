import Logging
import Synchronization
import Weighing

/// Logs the warnings of a configuration: all at the start, new ones after a reload.
final class ConfigurationWarningLog: Sendable {
  private let logged = Mutex<Set<Sentence>>([])
  private let logger: Logger

  init(logger: Logger) { self.logger = logger }

  /// Logs the warnings that did not apply before.
  func log(_ warnings: [Sentence]) {
    let fresh = logged.withLock { logged in
      defer { logged = Set(warnings) }
      return warnings.filter { !logged.contains($0) }
    }
    for warning in fresh { logger.warning("configuration warning", metadata: ["configuration.warning": "\(warning)"]) }
  }
}
