/// Gaps, jitter, repeated samples, changes of rate, silence and drips.
struct DisturbanceBench {
  let bench: SyntheticBench

  /// Seconds after a change of the load from which a stable reading has to be right.
  private static let late = 1.0

  /// All figures.
  func figures() throws -> [Figure] { try gaps() + arrivals() + silences() + drips() }

  /// Counts the readings at rest, stable ones and those of a load that has not changed for a second, that
  /// differ from the load by more than a division and by more than three standard deviations of a sample.
  private func wrong(_ series: LoadSeries, _ run: CellRun) -> Int {
    guard let truth = series.truth else { return 0 }
    let limit = max(CellSetting.tenths.division.step.value, 3 * SyntheticSeries.noise)
    var changed = 0.0
    var count = 0
    for index in series.times.indices {
      if index > 0, truth[index] != truth[index - 1] { changed = series.times[index] }
      let reading = run.readings[index]
      let isLate = series.times[index] - changed > Self.late && changed > 0
      guard isLate || (reading.isStable && series.times[index] > changed + 0.5) else { continue }
      if !((reading.displayed ?? .infinity) - truth[index]).magnitude.isLessThanOrEqualTo(limit) { count += 1 }
    }
    return count
  }

  /// Gaps of 0.5 to 9 s in which the load stays the same or is replaced by a larger one.
  private func gaps() throws -> [Figure] {
    try [10.0, 80].map { rate in
      var (count, total) = (0, 0)
      for length in [0.5, 1, 2, 5, 9] {
        for change in [0.0, 50] {
          for number in 0..<max(bench.trialCount(at: rate) / 4, 1) {
            let begin = SyntheticSeries.rests + 3
            let series = SyntheticSeries(rate: rate, seed: bench.trialSeed(4, rate, length, change, Double(number)))
              .series("gap", duration: begin + length + 5) { time in
                SyntheticSeries.step(at: time) + (time > begin + length / 2 ? change : 0)
              }
              .removing(from: begin, to: begin + length)
            count += wrong(series, try bench.run(series)) > 0 ? 1 : 0
            total += 1
          }
        }
      }
      return wrongFigure("gaps_with_wrong_values", rate, "gaps of 0.5 to 9 s", count, total)
    }
  }

  private func wrongFigure(_ what: String, _ rate: Double, _ kind: String, _ count: Int, _ total: Int) -> Figure {
    let on = SyntheticBench.conditions(rate, kind)
    return Figure(
      what, "1", on: on, of: "grampad", Double(count) / Double(total), goal: RealGoals.wrong,
      remark: "\(count) of \(total) series, \(on)")
  }

  /// Jitter, repeated samples and changes of rate.
  private func arrivals() throws -> [Figure] {
    var figures: [Figure] = []
    for rate in [10.0, 80] {
      var counts = (jitter: 0, repeats: 0, rates: 0)
      let trials = bench.trialCount(at: rate)
      for number in 0..<trials {
        var synthetic = SyntheticSeries(rate: rate, seed: bench.trialSeed(5, rate, Double(number)))
        func isWrong(_ rateAt: ((Double) -> Double)? = nil) throws -> Int {
          let series = synthetic.series(
            "step", duration: SyntheticSeries.rests + 8, rateAt: rateAt, load: SyntheticSeries.step)
          return wrong(series, try bench.run(series)) > 0 ? 1 : 0
        }
        counts.rates += try isWrong { $0 < 2 ? rate : $0 < 7 ? 90 - rate : rate }
        synthetic.jitter = 0.4
        counts.jitter += try isWrong()
        synthetic.jitter = 0
        synthetic.repeats = 2
        counts.repeats += try isWrong()
      }
      figures += [
        wrongFigure("jitter_with_wrong_values", rate, "jitter of 40 %", counts.jitter, trials),
        wrongFigure("repeats_with_wrong_values", rate, "each sample twice", counts.repeats, trials),
        wrongFigure(
          "rates_with_wrong_values", rate, "changing to \(Table.plain(90 - rate)) and back", counts.rates, trials),
      ]
    }
    return figures
  }

  /// How long a reading remains stable after the last sample.
  private func silences() throws -> [Figure] {
    try [5.0, 10, 80].map { rate in
      let series = SyntheticSeries(rate: rate, seed: bench.trialSeed(6, rate))
        .series("step", duration: SyntheticSeries.rests + 5, load: SyntheticSeries.step)
      let silence = 60.0
      let run = try bench.run(series, silence: silence)
      let end = series.times.last ?? 0
      // A reading that was not stable before shows nothing.
      let until = run.stableTimes.last.flatMap {
        $0.lowerBound < end && $0.upperBound > end ? $0.upperBound - end : nil
      }
      return Figure(
        "stable_in_silence", "s", on: SyntheticBench.conditions(rate), of: "grampad", until,
        goal: RealGoals.silence(period: 1 / rate), remark: "at \(Table.plain(rate)) samples/s, silent for 60 s")
    }
  }

  /// Drips of 10 g onto an empty plate: what the reading has lost 6 s after their end.
  private func drips() throws -> [Figure] {
    var figures: [Figure] = []
    for (rate, setting) in [(10.0, CellSetting.tenths), (10, .half), (10, .standard), (80, .tenths)] {
      var worst = (lost: 0.0, flow: 0.0)
      for flow in [0.02, 0.05, 0.1, 0.2, 0.5] {
        let total = rate > 10 ? 2.0 : 10.0
        let series = SyntheticSeries(rate: rate, seed: bench.trialSeed(7, rate, flow))
          .series("drip", duration: SyntheticSeries.placed + total / flow + 6) { time in
            min(max(time - SyntheticSeries.placed, 0) * flow, total)
          }
        let run = try bench.run(series, setting)
        let lost = total - (run.readings.last?.level ?? -.infinity)
        if lost > worst.lost { worst = (lost, flow) }
      }
      let goal = setting == .standard ? Goal("mass lost from a drip", .atMost, 1) : RealGoals.drip
      figures.append(
        Figure(
          "drip_lost", "g", on: SyntheticBench.conditions(rate, setting.name), of: "grampad", worst.lost, goal: goal,
          remark: "\(SyntheticBench.conditions(rate, setting.name)); worst at \(Table.plain(worst.flow)) g/s"))
    }
    return figures
  }
}
