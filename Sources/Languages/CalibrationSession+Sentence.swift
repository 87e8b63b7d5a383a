import Weighing

extension CalibrationStep {
  /// What the user has to do.
  package var instruction: Sentence {
    switch self {
    case .empty(isLast: false): Sentence(.stepEmpty)
    case .empty(isLast: true): Sentence(.stepEmptyLast)
    case .mass(let mass): Sentence(.stepMass, ["mass": DecimalText.trimmed(mass.value, decimals: 6)])
    case .again(let mass): Sentence(.stepMassAgain, ["mass": DecimalText.trimmed(mass.value, decimals: 6)])
    }
  }
}

extension LoadingProcedure.Task {
  /// What the user has to do.
  package var instruction: Sentence {
    switch self {
    case .unload: Sentence(.stepEmpty)
    case .load(let mass): Sentence(.stepLoad, ["mass": DecimalText.fixed(mass.value, decimals: 1)])
    case .observe(let time): Sentence(.stepObserve, ["seconds": DecimalText.fixed(time.seconds, decimals: 0)])
    }
  }
}

extension CalibrationSession.End {
  /// What happened, and what to do.
  package var sentence: Sentence {
    switch self {
    case .closed: Sentence(.endClosed)
    case .abandoned: Sentence(.endAbandoned)
    case .padLost(let reason): Sentence(.endPadLost, ["reason": reason])
    case .noPad: Sentence(.endPadLost, ["reason": Sentence(.reasonPadMissing)])
    case .otherPad: Sentence(.endPadLost, ["reason": Sentence(.padReplaced)])
    case .reloaded: Sentence(.endReloaded)
    }
  }
}

extension CalibrationSession.Note {
  /// What happened, and what to do.
  package var sentence: Sentence {
    switch self {
    case .answer(.kept(let rest)):
      Sentence(
        .noteMeasured, ["counts": Self.counts(rest), "spread": DecimalText.fixed(rest.spread, decimals: 2)])
    case .answer(.doubtful(_, let error)), .answer(.implausible(_, let error)):
      Sentence(.calibrationCheck, ["reason": error.sentence])
    case .answer(.aboveRange): Sentence(.noteAboveRange)
    case .answer(.unstable(let rest, _)):
      Sentence(.noteUnstable, ["counts": Self.counts(rest), "drift": DecimalText.fixed(rest.drift, decimals: 3)])
    case .answer(.unchanged(let rest)): Sentence(.noteUnchanged, ["counts": Self.counts(rest)])
    case .failed(.unchanged): Sentence(.noteNoChange, ["seconds": Self.seconds])
    case .failed(.unstable): Sentence(.noteNoRest, ["seconds": Self.seconds])
    case .failed(.aboveRange): Sentence(.noteTooHeavy)
    case .gap: Sentence(.noteGap)
    case .stopped: Sentence(.noteStopped)
    }
  }

  private static var seconds: String { DecimalText.fixed(LoadingProcedure.patience.seconds, decimals: 0) }

  private static func counts(_ rest: LoadRest) -> String { DecimalText.fixed(rest.counts, decimals: 1) }
}
