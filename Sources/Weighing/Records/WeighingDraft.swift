/// A record that is not on disk yet.
public struct WeighingDraft: Hashable, Sendable {
  /// The content of the record.
  public enum Kind: Hashable, Sendable {
    /// A confirmed weighing.
    case weighing(Measurement)
    /// The voiding of a weighing.
    case void(WeighingReference)
    /// The new label of a weighing: `label` of the draft.
    case relabel(WeighingReference)
  }

  /// The request for the record.
  public var request: ActionRequest
  /// The content of the record.
  public var kind: Kind
  /// The label; `nil` for none.
  public var label: String?
  /// Until when the label waits for another weighing if the journal rejects this one; `nil` unless it was scanned.
  package var labelExpiry: Instant?
  /// The time of the confirmation.
  public var time: Instant

  /// Makes a draft.
  public init(request: ActionRequest, kind: Kind, label: String?, time: Instant) {
    (self.request, self.kind, self.label, self.time) = (request, kind, label, time)
  }
}

/// The values of a settled reading that are recorded.
public struct Measurement: Hashable, Sendable {
  /// The sum of net and tare.
  public var gross: DisplayedMass
  /// The tare, which is subtracted from the gross.
  public var tare: DisplayedMass
  /// The net.
  public var net: DisplayedMass
  /// One standard uncertainty of the net; never negative.
  public var uncertainty: Grams?
  /// The number of pieces; `nil` if pieces were not counted.
  public var pieces: Int?
  /// The origin of the calibration.
  public var calibration: Calibration.Origin

  /// Makes a measurement.
  public init(
    gross: DisplayedMass, tare: DisplayedMass, net: DisplayedMass, uncertainty: Grams?, pieces: Int? = nil,
    calibration: Calibration.Origin
  ) {
    (self.gross, self.tare, self.net) = (gross, tare, net)
    (self.uncertainty, self.pieces, self.calibration) = (uncertainty, pieces, calibration)
  }

  /// The measurement of a record that voids this one: masses and pieces negated, with the same uncertainty.
  public var reversed: Measurement {
    func reversed(_ mass: DisplayedMass) -> DisplayedMass { DisplayedMass(steps: -mass.steps, division: mass.division) }
    return Measurement(
      gross: reversed(gross), tare: reversed(tare), net: reversed(net), uncertainty: uncertainty,
      pieces: pieces.map(-), calibration: calibration)
  }

  /// The measurement of a record that relabels this one: masses of 0, without pieces and uncertainty.
  public var nothing: Measurement {
    func nothing(_ mass: DisplayedMass) -> DisplayedMass { DisplayedMass(steps: 0, division: mass.division) }
    return Measurement(
      gross: nothing(gross), tare: nothing(tare), net: nothing(net), uncertainty: nil, calibration: calibration)
  }
}
