/// The goals for doses.
enum DoseGoals {
  /// Against the best of the peers.
  static func peers(_ what: String, _ best: Double) -> Goal {
    Goal("\(what): below that of the best peer", .below, best)
  }
  /// With a good cell and a usual flow: 0.1 g, or the multiple of the bound where lumps and pulses allow no less.
  static func usual(bound: Double) -> Goal {
    Goal("2 g/s, 0.03 g of noise: median error after five doses", .atMost, max(0.1, multiple * bound))
  }
  /// Against the bound.
  static func bound(_ what: String) -> Goal { Goal("\(what): to the bound", .atMost, multiple) }
  static let multiple = 2.5
}

/// The errors of a group of series.
struct DoseScore {
  /// The magnitudes of the errors in grams, sorted: of the doses in which everything is learned, and of those after.
  let first: [Double]
  let later: [Double]
  let durations: [Double]
  let missed: Int

  init(_ series: [DoseSeries], _ name: DoserName) {
    let runs = series.compactMap { $0.runs[name] }
    first = runs.flatMap { $0.errors.prefix(DoseCondition.learning).compactMap(\.self) }.sorted()
    later = runs.flatMap { $0.errors.dropFirst(DoseCondition.learning).compactMap(\.self) }.sorted()
    durations = runs.flatMap(\.durations).sorted()
    missed = runs.reduce(0) { $0 + $1.missed }
  }
}

/// The figures of all series.
struct DoseFigures {
  let series: [DoseSeries]
  let contenders: [DoserName]

  /// The quantiles of the errors.
  static let quantiles = [("median", 0.5), ("p95", 0.95)]

  var all: [Figure] {
    var figures = DoseCondition.Kind.allCases.flatMap { kind in
      self.figures(kind.rawValue, series.filter { $0.condition.kind == kind }, isGoal: true)
    }
    figures += usual
    for kind in DoseCondition.Kind.allCases where kind != .recording {
      let series = series.filter { $0.condition.kind == kind }
      for (unit, value) in Self.groups {
        for group in series.map({ value($0.condition) }).distinct.sorted() {
          let on = "\(kind.rawValue), \(Table.plain(group)) \(unit)"
          figures += self.figures(on, series.filter { value($0.condition) == group }, isGoal: false)
        }
      }
    }
    for recording in series.compactMap({ $0.condition.recording?.name }).distinct {
      figures += self.figures(recording, series.filter { $0.condition.recording?.name == recording }, isGoal: false)
    }
    return figures
  }

  /// What is shown by itself for each kind.
  private static var groups: [(unit: String, value: (DoseCondition) -> Double)] {
    [("g/s", \.flow), ("s of dead time", \.deadTime), ("g of noise", \.noise), ("samples/s", \.rate)]
  }

  private func figures(_ on: String, _ series: [DoseSeries], isGoal: Bool) -> [Figure] {
    guard !series.isEmpty else { return [] }
    let scores = contenders.map { ($0, DoseScore(series, $0)) }
    var figures: [Figure] = []
    for (quantile, share) in Self.quantiles {
      let later = Dictionary(uniqueKeysWithValues: scores.map { ($0, $1.later.quantile(share)) })
      let what = "\(on): error after five doses, \(quantile)"
      let best = DoserName.peers.compactMap { later[$0] }.min()
      for (name, score) in scores {
        let goal = name == .grampad && isGoal ? best.map { DoseGoals.peers(what, $0) } : nil
        figures.append(
          Figure("error_\(quantile)_first", "g", on: on, of: name.rawValue, score.first.quantile(share)))
        figures.append(Figure("error_\(quantile)", "g", on: on, of: name.rawValue, later[name], goal: goal))
      }
      if isGoal, let error = later[.grampad], let bound = later[.bound] {
        figures.append(
          Figure("error_\(quantile)_to_bound", "1", on: on, of: "grampad", error / bound, goal: DoseGoals.bound(what)))
      }
    }
    return figures
      + scores.flatMap { name, score in
        [
          Figure("duration_median", "s", on: on, of: name.rawValue, score.durations.quantile(0.5)),
          Figure("missed", "1", on: on, of: name.rawValue, Double(score.missed)),
        ]
      }
  }

  /// The usual case: 2 g/s with a good cell.
  private var usual: [Figure] {
    DoseCondition.Kind.allCases.compactMap { kind in
      let series = series.filter { $0.condition.kind == kind && $0.condition.flow == 2 && $0.condition.noise == 0.03 }
      guard contenders.contains(.grampad), !series.isEmpty else { return nil }
      let bound = contenders.contains(.bound) ? DoseScore(series, .bound).later.quantile(0.5) : 0
      return Figure(
        "error_median", "g", on: "\(kind.rawValue), 2 g/s and 0.03 g", of: "grampad",
        DoseScore(series, .grampad).later.quantile(0.5), goal: DoseGoals.usual(bound: bound))
    }
  }

  /// The printed tables: median and 95 % of each contender.
  static func tables(_ figures: [Figure], _ contenders: [DoserName]) -> [Table] {
    [("Doses 1 to 5: |error| in grams, median / 95 %", "_first"), ("Doses 6 to 8", "")].map { title, suffix in
      var table = Table(title, columns: ["on"] + contenders.map(\.rawValue))
      let shown = figures.filter { figure in quantiles.contains { figure.what == "error_\($0.0)\(suffix)" } }
      for row in shown.grouped(by: { [$0.on] }) where row.count == 2 * contenders.count {
        let cells = contenders.map { name in
          row.filter { $0.contender == name.rawValue }.map { Table.number($0.value) }.joined(separator: " / ")
        }
        table.append([row[0].on] + cells)
      }
      return table
    }
  }
}
