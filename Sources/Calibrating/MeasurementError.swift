import Languages
import Weighing

/// Why a calibration or a measurement ended without a result.
package enum MeasurementError: SentenceError, Hashable {
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
  case declined(Sentence)
  /// A running appliance does not respond, or has ended the calibration.
  case appliance(Sentence)
  /// A running appliance needs a token, or another one.
  case forbidden(Sentence)
  /// A running appliance cannot store the calibration.
  case notSaved(Sentence)
  /// The user cancelled.
  case cancelled

  /// What failed and what to do about it.
  package var sentence: Sentence {
    switch self {
    case .noPad(let reason): Sentence(.refusedNoPad, ["reason": reason])
    case .unchanged(let patience): Sentence(.refusedUnchanged, ["seconds": Int(patience.seconds)])
    case .unstable(let patience): Sentence(.refusedUnstable, ["seconds": Int(patience.seconds)])
    case .aboveRange: Sentence(.refusedAboveRange)
    case .refused(let error): Sentence(.refused, ["reason": error.sentence])
    case .tooFewMasses(let count, let capacity):
      Sentence(.refusedFewMasses, ["capacity": numberText(capacity.value), "count": count])
    case .declined(let text), .appliance(let text), .forbidden(let text), .notSaved(let text): text
    case .cancelled: Sentence(.refusedCancelled)
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
