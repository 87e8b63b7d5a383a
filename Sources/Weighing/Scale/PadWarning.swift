/// Something about the pad that makes its readings doubtful, for `health`.
public enum PadWarning: String, Hashable, Sendable, CaseIterable {
  /// What was learned as the plate was more than the plate: a finger or a load was on it, or the plate was taken off.
  case plateTooHeavy = "plate_too_heavy"
}

extension ScaleMachine {
  /// Notices an empty plate that rests under zero although nothing but learning has set that zero.
  mutating func checkPlate(_ effects: inout [Effect]) {
    var warning = padWarning
    if settings.surface != .platter || pad == nil || !plate.isAssumed {
      warning = nil
    } else if stability.isStable(at: now, patience: StabilityDetector.mostPatience) {
      warning = reading.isUnderloaded ? .plateTooHeavy : nil
    }
    guard warning != padWarning else { return }
    padWarning = warning
    effects.append(.padWarning(warning, at: now))
  }
}
