import Configuration
import Languages
import Weighing

/// Why a calibration or a measurement ended without a result.
package enum MeasurementError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The pad is not connected; with the reason.
  case noPad(Sentence)
  /// The load did not change in time.
  case unchanged(within: Interval)
  /// The load did not become stable in time.
  case unstable(within: Interval)
  /// The load is above the range of the pad.
  case aboveRange
  /// The masses do not make a valid calibration.
  case refused(CalibrationError)
  /// A certificate needs at least two masses below the capacity.
  case tooFewMasses(Int, capacity: Grams)
  /// A running appliance refuses the calibration, or could not measure.
  case declined(String)
  /// A running appliance does not respond, or has ended the calibration.
  case appliance(String)
  /// A running appliance needs a token, or another one.
  case forbidden(String)
  /// A running appliance cannot store the calibration.
  case notSaved(String)
  /// The user cancelled.
  case cancelled

  /// What failed and what to do about it.
  package var description: String {
    switch self {
    case .noPad(let reason): "no pad: \(reason)"
    case .unchanged(let patience): "the load did not change within \(Int(patience.seconds)) s; start again"
    case .unstable(let patience):
      "unstable: the load did not come to rest within \(Int(patience.seconds)) s; keep the table still"
    case .aboveRange: "the load is above the range of the pad"
    case .refused(let error): "calibration refused: \(error)"
    case .tooFewMasses(let count, let capacity):
      """
      too few masses: at least two different masses below the capacity of \(numberText(capacity.value)) g are required, \
      \(count) given
      """
    case .declined(let text), .appliance(let text), .forbidden(let text), .notSaved(let text): text
    case .cancelled: "cancelled; nothing written"
    }
  }
}

extension MeasurementError {
  /// Makes the error for a load that could not be measured.
  init(_ failure: LoadingProcedure.Failure) {
    switch failure {
    case .unchanged: self = .unchanged(within: LoadingProcedure.patience)
    case .unstable: self = .unstable(within: LoadingProcedure.patience)
    case .aboveRange: self = .aboveRange
    }
  }
}
