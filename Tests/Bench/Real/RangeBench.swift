/// How soon the plate is learned on converters of any range, and with which mass.
struct RangeBench {
  let series: LoadSeries
  let setting: CellSetting
  let delivery: BenchCell.Delivery

  /// The range is 2 to the power of these.
  static let bits = 10...31
  /// How much of a recording is used, in seconds.
  private static let watched = 30.0

  /// Runs the beginning of the series on each range, twice: with the counts of a converter of that range, and from the
  /// recorded range upwards with the recorded counts on an axis that declares more.
  func figures() throws -> [Figure] {
    var beginning = series
    let end = series.indices(from: 0, to: Self.watched).upperBound
    beginning.times.removeSubrange(end...)
    beginning.grams.removeSubrange(end...)
    beginning.own = []
    var figures: [Figure] = []
    var worst: (after: Double, error: Double, on: String) = (0, 0, "")
    for bits in Self.bits {
      let cells = [("", BenchCell(beginning, delivery: delivery, bits: bits))]
      let declared = bits > series.bits ? [("declared ", BenchCell(beginning, delivery: delivery, declared: bits))] : []
      for (kind, cell) in cells + declared {
        let run = try CellRun(beginning, on: cell, setting)
        let on = "\(series.name), \(setting.name), \(kind)2^\(bits)"
        let after = run.zeroed.first?.time ?? .infinity
        // Neither the display nor the converter shows the mass better than to a step.
        let step = max(setting.division.step.value, 1 / cell.countsPerGram)
        let error = ((run.zeroed.first?.mass ?? .infinity) - BenchCell.plate).magnitude / step
        figures.append(Figure("range_zeroed_after", "s", on: on, of: "grampad", after))
        if after > worst.after { (worst.after, worst.on) = (after, on) }
        worst.error = max(worst.error, error)
      }
    }
    let on = "\(series.name), \(setting.name), 2^\(Self.bits.lowerBound) to 2^\(Self.bits.upperBound)"
    return figures + [
      Figure(
        "zeroed_after_worst", "s", on: on, of: "grampad", worst.after, goal: RealGoals.zeroed,
        remark: "worst \(worst.on)"),
      Figure("zeroed_mass_error_worst", "steps", on: on, of: "grampad", worst.error, goal: RealGoals.zeroedMass),
    ]
  }
}
