import Glibc
import Logging
import Synchronization
import Weighing

/// Says in log and health when the calibration is not, or not quite, that of the pad.
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

  /// Takes the configuration in force.
  func adopt(_ configuration: Configuration, in folder: String) {
    look { ($0.configuration, $0.folder) = (configuration, folder) }
  }

  /// Takes the pad that weighs.
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
    if let warning { logger.warning("calibration", metadata: ["calibration.reason": "\(warning)"]) }
    publisher.updateHealth { $0.calibrationWarning = warning }
  }
}

extension Configuration {
  /// The part of the capacity from which the uncertainty of the curve is an alarm: there one in three readings is off by more
  /// than a hundredth of the capacity.
  private static let largeUncertainty = 0.01

  /// Says that the points of the calibration do not predict each other; `nil` where they do, or are too few to tell.
  package var uncertaintyWarning: String? {
    guard let curve = try? calibration.laid(), curve.residual.value > scale.capacity.value * Self.largeUncertainty
    else {
      return nil
    }
    let residual = DecimalText.fixed(curve.residual.value, decimals: 1)
    return "the curve is uncertain by \(residual) g: its points do not lie on one curve; run `grampad calibrate` again"
  }

  /// What is to be said against the calibration on a pad, in words; `nil` for nothing.
  ///
  /// - Parameter folder: That of the configuration.
  package func calibrationWarning(for pad: PadDescription?, in folder: String) -> String? {
    if let file = calibrationFile(in: folder), calibration.origin == nil, access(file.path, F_OK) != 0 {
      return "\(printable(file.path, limit: 4096)) is not there yet; run `grampad calibrate`"
    }
    guard let made = calibration.origin?.pad, let pad, let axis = try? pad.loadAxis(self.pad.axis) else {
      return uncertaintyWarning
    }
    switch made.match(CalibratedPad(pad, axis: axis)) {
    case .same: return uncertaintyWarning
    case .alike(let difference):
      return
        "made on another pad: \(printable(difference, limit: 400)); run `grampad calibrate verify` with a known mass"
    case .foreign(let difference):
      return "not used, it was made on another pad: \(printable(difference, limit: 400)); run `grampad calibrate`"
    }
  }
}
