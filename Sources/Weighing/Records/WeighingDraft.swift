/// Something that is to be recorded, before it is on disk.
public struct WeighingDraft: Hashable, Sendable {
  /// What is recorded.
  public enum Kind: Hashable, Sendable {
    /// A confirmed weighing.
    case weighing(Measurement)
    /// That the last weighing is struck.
    case void
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
  /// One standard uncertainty of the net.
  public var uncertainty: Grams?
  /// Where grams come from.
  public var calibration: Calibration.Origin

  /// Makes a measurement.
  public init(
    gross: DisplayedMass, tare: DisplayedMass, net: DisplayedMass, uncertainty: Grams?, calibration: Calibration.Origin
  ) {
    self.gross = gross
    self.tare = tare
    self.net = net
    self.uncertainty = uncertainty
    self.calibration = calibration
  }
}
