import Configuration
import Glibc
import Logging
import Synchronization
import Weighing

/// Checks whether the calibration matches the pad; reports a mismatch in log and health, and in health when it was made.
final class CalibrationMonitor: Sendable {
  private struct Report: Hashable, Sendable {
    var warning: Sentence?
    var time: String?
  }

  private struct State: Sendable {
    var configuration = Configuration()
    var folder = "."
    var pad: PadDescription?
    var reported: Report?
  }

  private let state = Mutex(State())
  private let publisher: Publisher
  private let logger: Logger

  init(publisher: Publisher, logger: Logger) {
    (self.publisher, self.logger) = (publisher, logger)
  }

  /// Sets the current configuration.
  func setConfiguration(_ configuration: Configuration, in folder: String) {
    update { ($0.configuration, $0.folder) = (configuration, folder) }
  }

  /// Sets the current pad.
  func setPad(_ pad: PadDescription) { update { $0.pad = pad } }

  private func update(_ change: (inout State) -> Void) {
    let (former, new) = state.withLock { state in
      change(&state)
      let former = state.reported
      let new = Report(
        warning: state.configuration.calibrationWarning(for: state.pad, in: state.folder),
        time: state.configuration.calibration.origin?.date)
      state.reported = new
      return (former, new)
    }
    guard new != former else { return }
    if let warning = new.warning, warning != former?.warning {
      logger.warning("calibration may be wrong", metadata: ["calibration.reason": "\(warning)"])
    }
    publisher.updateHealth { ($0.calibrationWarning, $0.calibrationTime) = (new.warning, new.time) }
  }
}
