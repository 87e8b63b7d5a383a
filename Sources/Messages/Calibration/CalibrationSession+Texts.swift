import Weighing

extension CalibrationSession.Activity {
  var name: String {
    switch self {
    case .ready: "ready"
    case .measuring: "measuring"
    case .verifying: "verifying"
    case .testing: "testing"
    }
  }
}

extension CalibrationStep {
  var name: String {
    switch self {
    case .empty(isLast: false): "empty"
    case .empty(isLast: true): "empty_again"
    case .mass: "mass"
    case .again: "mass_again"
    }
  }
}

extension CalibrationProcedure.StepState {
  var name: String {
    switch self {
    case .open: "open"
    case .skipped: "skipped"
    case .measured: "measured"
    }
  }
}

extension CalibrationSession.End {
  /// The reason for programs.
  package var code: String {
    switch self {
    case .closed: "closed"
    case .abandoned: "abandoned"
    case .padLost: "pad_lost"
    case .reloaded: "reloaded"
    }
  }

  /// What happened, and what to do.
  package var detail: String {
    switch self {
    case .closed: "The calibration was ended."
    case .abandoned: "The page that was calibrating stopped responding. Start again."
    case .padLost(let reason): "The pad was lost: \(reason). Connect it and start again."
    case .reloaded: "The settings of the scale have changed. Start again."
    }
  }
}

extension CalibrationSession.Note {
  /// The kind for programs.
  package var code: String {
    switch self {
    case .answer(.kept): "kept"
    case .answer(.doubtful): "doubtful"
    case .answer(.implausible): "implausible"
    case .answer(.aboveRange), .failed(.aboveRange): "above_range"
    case .answer(.unstable), .failed(.unstable): "unstable"
    case .answer(.unchanged), .failed(.unchanged): "unchanged"
    case .gap: "gap"
    case .stopped: "stopped"
    }
  }

  /// What happened, and what to do.
  package var detail: String {
    switch self {
    case .answer(.kept(let rest)):
      "Measured: \(Self.counts(rest)), spread \(DecimalText.fixed(rest.spread, decimals: 2))."
    case .answer(.doubtful(_, let error)): "Please check: \(error)."
    case .answer(.implausible(_, let error)): "Please check: \(error)."
    case .answer(.aboveRange): "The load is above the range of the pad. Skip this mass, or use a lighter one."
    case .answer(.unstable(let rest, _)):
      "Unstable: \(Self.counts(rest)), drift \(DecimalText.fixed(rest.drift, decimals: 3)) per second. Keep the table still, make sure that nothing touches the pad, and measure again."
    case .answer(.unchanged(let rest)):
      "The reading has not changed: \(Self.counts(rest)). Change the load and measure again."
    case .failed(.unchanged):
      "The load did not change within \(Self.seconds) s. Start again."
    case .failed(.unstable):
      "Unstable: the load did not come to rest within \(Self.seconds) s. Keep the table still and start again."
    case .failed(.aboveRange): "The load is above the range of the pad. Use a lighter mass."
    case .gap: "Some events of the pad were lost, so the measurement was stopped. Measure again."
    case .stopped: "Stopped."
    }
  }

  private static var seconds: String {
    DecimalText.fixed(LoadingProcedure.patience.seconds, decimals: 0)
  }

  private static func counts(_ rest: LoadRest) -> String { "\(DecimalText.fixed(rest.counts, decimals: 1)) counts" }
}
