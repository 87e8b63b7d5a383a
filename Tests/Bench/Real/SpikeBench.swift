/// Single wrong samples on a load at rest.
struct SpikeBench {
  let bench: SyntheticBench

  private static let rates = [5.0, 10, 20, 50, 80, 500]

  /// A wrong sample.
  private enum Spike: CaseIterable {
    case small, ten, fifty, light, heavy, bottom, end

    /// Its distance from the load in grams; far beyond the axis for its two ends.
    var grams: Double {
      switch self {
      case .small: 2
      case .ten: 10
      case .fifty: 50
      case .light: -60
      case .heavy: 500
      case .bottom: -1e6
      case .end: 1e6
      }
    }

    var name: String {
      switch self {
      case .small, .ten, .fifty, .light, .heavy: "\(Table.plain(grams)) g"
      case .bottom: "bottom of the axis"
      case .end: "end of the axis"
      }
    }
  }

  /// The share of wrong samples that change the display by more than a division, end a stable reading, or cause a message
  /// or an overload, compared with the same series without them.
  func figures() throws -> [Figure] {
    var figures: [Figure] = []
    for rate in Self.rates {
      var changed: [Spike: Int] = [:]
      var total = 0
      let trials = max(bench.trialCount(at: rate) / 2, 2)
      for number in 0..<trials {
        // Far enough apart that the last one has no effect any more.
        let distance = max(3, 20 / rate)
        let first = SyntheticSeries.rests + 3
        let clean = SyntheticSeries(rate: rate, seed: bench.trialSeed(3, rate, Double(number))).series(
          "step", duration: first + distance * Double(Spike.allCases.count), load: SyntheticSeries.step)
        var wrong = clean
        let times = Spike.allCases.indices.map { first + distance * Double($0) }
        for (spike, time) in zip(Spike.allCases, times) {
          wrong.grams[clean.times.partitioningIndex { $0 >= time }] += spike.grams
        }
        let (reference, run) = (try bench.run(clean), try bench.run(wrong))
        for (spike, time) in zip(Spike.allCases, times) {
          let window = clean.indices(from: time - 0.5 / rate, to: time + distance - 1.5 / rate)
          if Self.differ(run, reference, window, time...time + distance) { changed[spike, default: 0] += 1 }
          total += 1
        }
      }
      let worst = changed.max { ($0.value, $0.key.name) < ($1.value, $1.key.name) }
      let count = changed.values.reduce(0, +)
      figures.append(
        Figure(
          "spikes_that_change", "1", on: SyntheticBench.conditions(rate), of: "grampad", Double(count) / Double(total),
          goal: RealGoals.spikes,
          remark: "\(count) of \(total) at \(Table.plain(rate)) samples/s"
            + (worst.map { "; worst \($0.key.name): \($0.value) of \(trials)" } ?? "")))
    }
    return figures
  }

  private static func differ(
    _ run: CellRun, _ reference: CellRun, _ window: Range<Int>, _ times: ClosedRange<Double>
  ) -> Bool {
    let division = CellSetting.tenths.division.step.value
    let shows = window.contains { index in
      let (reading, expected) = (run.readings[index], reference.readings[index])
      guard let shown = reading.displayed, let wanted = expected.displayed else { return true }
      return (shown - wanted).magnitude > 1.01 * division || (expected.isStable && !reading.isStable)
    }
    let messages = run.settled.count { times.contains($0.time) }
    return shows || messages > reference.settled.count { times.contains($0.time) }
  }
}
