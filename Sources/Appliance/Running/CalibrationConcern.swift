import Configuration
import Glibc
import Logging
import Synchronization
import Weighing

/// Reports in log and health when the calibration does not, or not exactly, match the pad.
final class CalibrationConcern: Sendable {
  private struct State: Sendable {
    var configuration = Configuration()
    var folder = "."
    var pad: PadDescription?
    var told: String?
  }

  private let state = Mutex(State())
  private let publisher: Publisher
  private let logger: Logger

  init(publisher: Publisher, logger: Logger) {
    self.publisher = publisher
    self.logger = logger
  }

  /// Sets the current configuration.
  func adopt(_ configuration: Configuration, in folder: String) {
    look { ($0.configuration, $0.folder) = (configuration, folder) }
  }

  /// Sets the current pad.
  func found(_ pad: PadDescription) {
    look { $0.pad = pad }
  }

  private func look(after change: (inout State) -> Void) {
    let news: String?? = state.withLock { state in
      change(&state)
      let warning = state.configuration.calibrationWarning(for: state.pad, in: state.folder)
      guard warning != state.told else { return nil }
      state.told = warning
      return .some(warning)
    }
    guard let warning = news else { return }
    if let warning { logger.warning("calibration may be wrong", metadata: ["calibration.reason": "\(warning)"]) }
    publisher.updateHealth { $0.calibrationWarning = warning }
  }
}
