import Configuration
import Glibc
import Logging
import Synchronization
import Weighing

/// Checks whether the calibration matches the pad; reports a mismatch in log and health.
final class CalibrationMonitor: Sendable {
  private struct State: Sendable {
    var configuration = Configuration()
    var folder = "."
    var pad: PadDescription?
    var reported: String?
  }

  private let state = Mutex(State())
  private let publisher: Publisher
  private let logger: Logger

  init(publisher: Publisher, logger: Logger) {
    self.publisher = publisher
    self.logger = logger
  }

  /// Sets the current configuration.
  func setConfiguration(_ configuration: Configuration, in folder: String) {
    update { ($0.configuration, $0.folder) = (configuration, folder) }
  }

  /// Sets the current pad.
  func setPad(_ pad: PadDescription) {
    update { $0.pad = pad }
  }

  private func update(_ change: (inout State) -> Void) {
    let newWarning: String?? = state.withLock { state in
      change(&state)
      let warning = state.configuration.calibrationWarning(for: state.pad, in: state.folder)?.description
      guard warning != state.reported else { return nil }
      state.reported = warning
      return .some(warning)
    }
    guard let warning = newWarning else { return }
    if let warning { logger.warning("calibration may be wrong", metadata: ["calibration.reason": "\(warning)"]) }
    publisher.updateHealth { $0.calibrationWarning = warning }
  }
}
