/// The part of a reading that target, counting and containers add while they are in use.
public struct InstrumentReading: Hashable, Sendable {
  /// How far the net is from the target; `nil` without one.
  public var target: TargetProgress?
  /// The number of pieces; `nil` while nothing is counted.
  public var count: PieceCount?
  /// The container whose tare is in force; `nil` for another tare.
  public var container: ContainerName?
}

extension InstrumentReading {
  /// The part whose changes are published.
  struct Appearance: Equatable, Sendable {
    private var target: Grams?
    private var tolerance: Grams?
    private var check: TargetProgress.Check?
    private var stopsAhead: Bool?
    private var dose: TargetProgress.DosePhase?
    private var pieceMass: Grams?
    private var pieces: Int?
    private var container: ContainerName?

    init(_ reading: InstrumentReading) {
      target = reading.target?.mass
      tolerance = reading.target?.tolerance
      check = reading.target?.check
      stopsAhead = reading.target?.stopsAhead
      dose = reading.target?.dose
      pieceMass = reading.count?.pieceMass
      pieces = reading.count?.pieces
      container = reading.container
    }
  }
}
