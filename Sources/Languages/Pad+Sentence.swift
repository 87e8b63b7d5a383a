import Weighing

extension UnsuitablePadError: SentenceError {
  /// The reason in English.
  public var description: String { sentence.description }

  /// The reason, with what to do about it.
  package var sentence: Sentence {
    func text(_ range: AxisRange) -> String { "\(range.minimum)...\(range.maximum)" }
    return switch self {
    case .noPressureAxis: Sentence(.padNoAxis)
    case .noSuchAxis(let code, []): Sentence(.padNoSuchAxisAtAll, ["axis": code.name])
    case .noSuchAxis(let code, let axes):
      Sentence(.padNoSuchAxis, ["axis": code.name, "axes": axes.map(\.name).joined(separator: ", ")])
    case .emptyRange(let code, let range): Sentence(.padEmptyRange, ["axis": code.name, "range": text(range)])
    case .noSlots(let range): Sentence(.padNoSlots, ["range": text(range)])
    case .pen: Sentence(.padPen)
    case .fingerWidth: Sentence(.padFingerWidth)
    }
  }
}

extension PadWarning {
  /// What is wrong, and what to check.
  package var advice: Sentence {
    switch self {
    case .plateTooHeavy: Sentence(.advicePlateTooHeavy)
    case .padSuspect: Sentence(.advicePadSuspect)
    case .noSamples: Sentence(.adviceNoSamples)
    case .noSignal: Sentence(.adviceNoSignal)
    case .notCalibrated: Sentence(.adviceNotCalibrated)
    case .tooNoisy: Sentence(.adviceTooNoisy)
    case .rangeExceeded: Sentence(.adviceRangeExceeded)
    case .contactArea: Sentence(.adviceContactArea)
    }
  }
}

extension PadMeasurement {
  /// Why it is known what is measured; `nil` if it is not.
  package var reason: Sentence? {
    switch self {
    case .resolution: Sentence(.measureResolution)
    case .balanceBoard: Sentence(.measureBoard)
    case .pressurePad: Sentence(.measurePressurePad)
    case .known(let pad): Sentence(.measureKnown, ["source": pad.source])
    case .severalAxes: Sentence(.measureSeveral)
    case .touchpad: Sentence(.measureTouchpad)
    case .unknown: nil
    }
  }
}

extension PadMeasurement.Quantity {
  /// What is measured; `nil` if it is not known.
  package var text: TextKey? {
    switch self {
    case .force: .measureForce
    case .area: .measureArea
    case .unknown: nil
    }
  }
}

extension CalibratedPad.Difference {
  /// What the connected pad has instead.
  package var sentence: Sentence {
    switch self {
    case .range(let found, let expected): Sentence(.padHasRange, ["found": found, "expected": expected])
    case .title(let found, let expected): Sentence(.padIsModel, ["found": found, "expected": expected])
    case .unique(let found, let expected): Sentence(.padHasSerial, ["found": found, "expected": expected])
    case .name(let found, let expected): Sentence(.padIsCalled, ["found": found, "expected": expected])
    }
  }
}

extension PadLoss {
  /// The reason.
  package var sentence: Sentence {
    switch self {
    case .reported(let reason): reason
    case .unsuitable(let error): error.sentence
    }
  }
}
