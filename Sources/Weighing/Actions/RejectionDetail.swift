/// What a user can do about a rejection, where its reason does not say it.
public enum RejectionDetail: Hashable, Sendable, CustomStringConvertible {
  /// The sample of a count has too few pieces: the smallest number of the same pieces that is enough.
  case sampleTooSmall(pieces: Int)
  /// No sample of the pieces is enough: the least mass of a piece that can be counted.
  case pieceTooLight(minimum: Grams)
  /// The masses of the pieces differ too much for any sample: the largest spread that can be counted.
  case spreadTooLarge(maximum: Double)
  /// No sample is enough, because the pad is not calibrated.
  case padNotCalibrated
  /// The load cell is not calibrated, so that its counts are no mass.
  case loadCellNotCalibrated
  /// The container is one of the configuration.
  case containerIsConfigured
  /// As many containers are stored as can be.
  case tooManyContainers(maximum: Int)

  /// A sentence without a full stop that says what to do.
  public var description: String {
    switch self {
    case .sampleTooSmall(let pieces): "the sample is too small; use at least \(pieces) pieces"
    case .pieceTooLight(let minimum):
      "the pieces are too light for any sample on this scale; a piece must weigh about "
        + "\(DecimalText.significant(minimum.value, digits: 2)) g or more"
    case .spreadTooLarge(let maximum):
      "the pieces differ too much in mass; piece_spread must be at most \(DecimalText.trimmed(maximum, decimals: 2))"
    case .padNotCalibrated: "the pad is not calibrated; calibrate it to count pieces"
    case .loadCellNotCalibrated: "the load cell is not calibrated; calibrate it first"
    case .containerIsConfigured: "the container is in the configuration file; remove it there"
    case .tooManyContainers(let maximum): "\(maximum) containers are stored already; remove one first"
    }
  }
}
