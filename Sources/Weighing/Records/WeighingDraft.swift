/// Something that is to be recorded, before it is on disk.
public struct WeighingDraft: Hashable, Sendable {
  /// What is recorded.
  public enum Kind: Hashable, Sendable {
    /// A confirmed weighing.
    case weighing(Measurement)
    /// That a weighing is voided.
    case void(WeighingReference)
    /// That a weighing has another label, `label` of the draft.
    case relabel(WeighingReference)
  }

  /// Who asked for it, and how.
  public var request: ActionRequest
  /// What is recorded.
  public var kind: Kind
  /// The label; `nil` for none.
  public var label: String?
  /// When it was confirmed.
  public var time: Instant

  /// Makes a draft.
  public init(request: ActionRequest, kind: Kind, label: String?, time: Instant) {
    self.request = request
    self.kind = kind
    self.label = label
    self.time = time
  }
}

/// What was weighed: a settled reading, as it is recorded.
public struct Measurement: Hashable, Sendable {
  /// Net and tare together.
  public var gross: DisplayedMass
  /// What is taken off the gross.
  public var tare: DisplayedMass
  /// What is left.
  public var net: DisplayedMass
  /// One standard uncertainty of the net; never negative.
  public var uncertainty: Grams?
  /// The number of pieces; `nil` where none were counted.
  public var pieces: Int?
  /// Where grams come from.
  public var calibration: Calibration.Origin

  /// Makes a measurement.
  public init(
    gross: DisplayedMass, tare: DisplayedMass, net: DisplayedMass, uncertainty: Grams?, pieces: Int? = nil,
    calibration: Calibration.Origin
  ) {
    self.gross = gross
    self.tare = tare
    self.net = net
    self.uncertainty = uncertainty
    self.pieces = pieces
    self.calibration = calibration
  }

  /// The measurement of a record that voids this one: masses and pieces with the other sign, the same uncertainty.
  public var reversed: Measurement {
    func reversed(_ mass: DisplayedMass) -> DisplayedMass {
      DisplayedMass(steps: -mass.steps, division: mass.division)
    }
    return Measurement(
      gross: reversed(gross), tare: reversed(tare), net: reversed(net), uncertainty: uncertainty,
      pieces: pieces.map(-), calibration: calibration)
  }

  /// The measurement of a record that relabels this one: masses of 0, nothing counted, no uncertainty.
  public var nothing: Measurement {
    func nothing(_ mass: DisplayedMass) -> DisplayedMass { DisplayedMass(steps: 0, division: mass.division) }
    return Measurement(
      gross: nothing(gross), tare: nothing(tare), net: nothing(net), uncertainty: nil, calibration: calibration)
  }
}
