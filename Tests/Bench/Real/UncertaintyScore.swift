/// How the uncertainty of the settled readings compares with their errors.
struct UncertaintyScore {
  /// The number of readings.
  private(set) var count = 0
  /// The share of the readings that differ from the load by more than twice their uncertainty.
  private(set) var outside = Double.nan
  /// The same without the error of the learned plate, which every reading has in common.
  private(set) var outsideWithoutZero = Double.nan
  /// The median uncertainty, divided by the one with which 95 % of the readings lie within 2u.
  private(set) var toNeeded = Double.nan
  /// The median uncertainty in grams.
  private(set) var median = Double.nan

  /// One settled reading.
  struct Entry {
    /// The displayed net minus the load.
    var error: Double
    /// The error of the learned plate, which the net has with the opposite sign.
    var zeroError: Double
    var uncertainty: Double
  }

  /// The time after rest from which readings are scored, in seconds: before, a cup still swings.
  static let after = 1.0

  init(_ entries: [Entry]) {
    count = entries.count
    guard count > 0 else { return }
    func share(_ error: (Entry) -> Double) -> Double {
      Double(entries.count { error($0).magnitude > 2 * $0.uncertainty }) / Double(entries.count)
    }
    outside = share(\.error)
    outsideWithoutZero = share { $0.error + $0.zeroError }
    median = entries.map(\.uncertainty).sorted().quantile(0.5)
    let needed = entries.map(\.error.magnitude).sorted().quantile(0.95) / 2
    toNeeded = median / needed
  }

  /// The settled readings of a run on the plateaus of a recording.
  init(_ run: CellRun, _ truth: PlacementTruth) {
    var entries: [Entry] = []
    for plateau in truth.plateaus {
      for index in plateau.indices where truth.series.times[index] >= plateau.rest + Self.after {
        let reading = run.readings[index]
        guard reading.isStable, let net = reading.displayed, let uncertainty = reading.uncertainty else { continue }
        entries.append(
          Entry(
            error: net - truth.load(at: index, on: plateau), zeroError: (reading.zeroError ?? 0) - truth.zero,
            uncertainty: uncertainty))
      }
    }
    self.init(entries)
  }
}
