/// Something about the pad that makes its readings doubtful, for `health`.
public enum PadWarning: String, Hashable, Sendable, CaseIterable {
  /// What was learned as the plate was more than the plate: a finger or a load was on it, or the plate was taken off.
  case plateTooHeavy = "plate_too_heavy"
  /// The pad's firmware has taken two successive loads for its own zero.
  case padSuspect = "pad_suspect"
}

extension ScaleMachine {
  /// Reports a pad that re-baselines, and an empty plate that rests below zero although only learning has set that zero.
  mutating func checkPad(_ effects: inout [Effect]) {
    var warning = padWarning
    if rebaselining.isSuspect {
      warning = .padSuspect
    } else if settings.surface != .platter || pad == nil || !plate.isAssumed {
      warning = nil
    } else if stability.isStable(at: now, patience: StabilityDetector.maximumPatience) {
      warning = reading.isUnderloaded ? .plateTooHeavy : nil
    } else if warning == .padSuspect {
      warning = nil
    }
    guard warning != padWarning else { return }
    padWarning = warning
    if warning == .padSuspect { effects.append(.event(event(.padSuspect))) }
    effects.append(.padWarning(warning, at: now))
  }
}
