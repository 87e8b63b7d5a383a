import Weighing

extension JSONWriter {
  /// Writes the fields of target, pieces and container, each only while it is in use.
  mutating func fields(of instruments: InstrumentReading) {
    if let target = instruments.target {
      field("target")
      object { json in json.fields(of: target) }
    }
    if let count = instruments.count { fields(of: count) }
    if let container = instruments.container { field("container", container.description) }
  }

  /// Writes the fields of a target and of the distance to it.
  mutating func fields(of progress: TargetProgress) {
    field("target_g")
    grams(progress.mass)
    field("tolerance_g")
    grams(progress.tolerance)
    field("remaining_g")
    grams(progress.remaining)
    field("check")
    string(progress.check?.rawValue)
    if progress.stopsAhead { field("stop_ahead", true) }
    if let dose = progress.dose { fields(("dose", dose.rawValue)) }
  }

  private mutating func fields(of count: PieceCount) {
    field("piece_g")
    // A piece can be far lighter than the resolution of the scale.
    number(count.pieceMass.value, decimals: 6)
    field("pieces")
    integer(count.pieces)
    field("pieces_uncertainty")
    if let uncertainty = count.uncertainty { number(uncertainty, decimals: 3) } else { null() }
    field("pieces_max")
    integer(count.maximum)
  }

  /// Writes an integer, or `null`.
  mutating func integer(_ value: Int?) { if let value { integer(value) } else { null() } }
}
