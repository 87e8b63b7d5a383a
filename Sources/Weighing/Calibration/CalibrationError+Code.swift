extension CalibrationError {
  /// The reason for programs.
  package var code: String {
    switch self {
    case .tooFew: "too_few"
    case .invalid: "invalid"
    case .pastTheAxis: "above_range"
    case .unstable: "unstable"
    case .drifted: "drifted"
    case .indistinct: "indistinct"
    case .mistyped: "mistyped"
    case .notEmpty: "not_empty"
    case .scattered: "scattered"
    case .notRising: "not_rising"
    case .tooNarrow: "too_narrow"
    case .unusable: "unusable"
    }
  }
}
