import Recordings

/// The figures of synthetic series.
struct SyntheticBench {
  let delivery: BenchCell.Delivery
  let trials: Int
  let seed: UInt64

  /// Samples per second: the slowest and the fastest converters in use, and those in between.
  private static let rates: [Double] = [5, 10, 11, 16.7, 25, 50, 80, 250, 1000, 2000]
  private static let correlations = [0.0, 0.5]

  /// All figures.
  func figures() throws -> [Figure] {
    try settled() + certainty() + SpikeBench(bench: self).figures() + DisturbanceBench(bench: self).figures()
  }

  /// Returns the number of trials at a rate; a fast converter has more samples in each of them.
  func trialCount(at rate: Double) -> Int { max(min(trials, Int(Double(trials) * 50 / rate)), 2) }

  /// Returns a seed for a trial under conditions.
  func trialSeed(_ parts: Double...) -> UInt64 {
    var seeds = SplitMix64(seed: seed)
    for part in parts { seeds = SplitMix64(seed: seeds.next() ^ part.bitPattern) }
    return seeds.next()
  }

  /// Runs a series on its cell.
  func run(_ series: LoadSeries, _ setting: CellSetting = .tenths, silence: Double = 0) throws -> CellRun {
    try CellRun(series, on: BenchCell(series, delivery: delivery), setting, silence: silence)
  }

  /// Describes conditions: `10 samples/s, correlation 0.5`.
  static func conditions(_ rate: Double, _ rest: String...) -> String {
    (["\(Table.plain((rate * 10).rounded() / 10)) samples/s"] + rest).joined(separator: ", ")
  }

  /// The noise of the reading from 5 to 8 s after rest, relative to that of a sample.
  private func settled() throws -> [Figure] {
    var figures: [Figure] = []
    for correlation in Self.correlations {
      for rate in Self.rates {
        var (squares, raw, count, unstable) = (0.0, 0.0, 0, 0)
        for number in 0..<trialCount(at: rate) {
          let series = SyntheticSeries(
            rate: rate, correlation: correlation, seed: trialSeed(1, rate, correlation, Double(number))
          )
          .series("step", duration: SyntheticSeries.rests + 8, load: SyntheticSeries.step)
          let run = try run(series)
          for index in series.indices(from: SyntheticSeries.rests + 5, to: .infinity) {
            let reading = run.readings[index]
            let error = (reading.level ?? .infinity) - SyntheticSeries.mass
            squares += (error + (reading.zeroError ?? 0)) * (error + (reading.zeroError ?? 0))
            raw += error * error
            count += 1
            unstable += reading.isStable ? 0 : 1
          }
        }
        let on = Self.conditions(rate, "correlation \(Table.plain(correlation))")
        let noise = SyntheticSeries.noise
        let goal = correlation > 0 ? nil : rate == 10 ? RealGoals.slowNoise : rate == 80 ? RealGoals.fastNoise : nil
        figures += [
          Figure(
            "settled_noise_ratio", "1", on: on, of: "grampad", (squares / Double(count)).squareRoot() / noise,
            goal: goal),
          Figure("net_noise_ratio", "1", on: on, of: "grampad", (raw / Double(count)).squareRoot() / noise),
          Figure("unstable_at_rest", "1", on: on, of: "grampad", Double(unstable) / Double(count)),
        ]
      }
    }
    return figures
  }

  /// The share of settled readings within 2u, from 1 to 8 s after rest.
  private func certainty() throws -> [Figure] {
    var figures: [Figure] = []
    for setting in [CellSetting.hundredths, .tenths] {
      for rate in [11.0, 50] {
        for correlation in Self.correlations {
          var entries: [UncertaintyScore.Entry] = []
          // Readings of one trial share most of their error, so that only more trials give a better figure.
          let trials = 3 * trialCount(at: rate)
          for number in 0..<trials {
            // Between two divisions, so that the display is rounded.
            let mass = SyntheticSeries.mass + setting.division.step.value * Double(number) / Double(trials)
            let series = SyntheticSeries(
              rate: rate, correlation: correlation, seed: trialSeed(2, rate, correlation, Double(number))
            )
            .series("step", duration: SyntheticSeries.rests + 8) {
              SyntheticSeries.step(at: $0) * mass / SyntheticSeries.mass
            }
            let run = try run(series, setting)
            for index in series.indices(from: SyntheticSeries.rests + UncertaintyScore.after, to: .infinity) {
              let reading = run.readings[index]
              guard reading.isStable, let net = reading.displayed, let uncertainty = reading.uncertainty else {
                continue
              }
              entries.append(
                UncertaintyScore.Entry(
                  error: net - mass, zeroError: reading.zeroError ?? 0, uncertainty: uncertainty))
            }
          }
          let score = UncertaintyScore(entries)
          let on = Self.conditions(rate, "correlation \(Table.plain(correlation))", setting.name)
          figures += [
            Figure(
              "outside_2u", "1", on: on, of: "grampad", score.outside, goal: RealGoals.outside,
              remark: "without the error of zero \(Table.percent(score.outsideWithoutZero)); \(on)"),
            Figure("uncertainty_to_needed", "1", on: on, of: "grampad", score.toNeeded, goal: RealGoals.needed),
          ]
        }
      }
    }
    return figures
  }
}
