import Languages
import Weighing

/// What the procedures of the core say in English, in the language of the user.
extension Texts {
  /// What the user has to do: `Take everything off the pad.`
  func instruction(_ english: String) -> String {
    translation(
      of: english, among: [.stepEmpty, .stepEmptyLast, .stepMass, .stepMassAgain, .stepLoad, .stepObserve])
  }

  /// Why a calibration is refused or in doubt.
  package func fault(_ error: CalibrationError) -> String { fault(error.description) }

  /// The same for what a running appliance says.
  package func fault(_ english: String) -> String {
    translation(
      of: english,
      among: [
        .faultPastRange, .faultUnstable, .faultDriftEmpty, .faultDrift, .faultSame, .faultMistyped, .faultNotEmpty,
        .faultScattered,
        .faultNotRising, .faultNarrow,
      ])
  }
}

extension MeasurementError {
  /// What failed and what to do about it.
  package func text(_ texts: Texts) -> String {
    if case .refused(let error) = self { return texts(.refused, ["reason": texts.fault(error)]) }
    if case .noPad(let reason) = self { return texts(Sentence(.refusedNoPad, ["reason": reason])) }
    return texts.translation(
      of: description,
      among: [
        .refusedUnchanged, .refusedUnstable, .refusedAboveRange, .refusedCancelled, .refusedFewMasses,
      ])
  }
}
