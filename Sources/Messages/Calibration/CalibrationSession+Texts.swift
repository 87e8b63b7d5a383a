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
    case .padLost, .noPad, .otherPad: "pad_lost"
    case .reloaded: "reloaded"
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
}
