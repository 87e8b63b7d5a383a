/// Several assumptions about a flow, each weighed by how well it has foreseen the samples: a static bank of models.
///
/// Source: D. T. Magill, "Optimal Adaptive Estimation of Sampled Stochastic Processes", 1965.
struct FlowFilters: Sendable {
  private var filters: [(filter: FlowFilter, weight: Double)]
  private var newest: Instant
  private let usualFlow: Double?

  /// A steady flow, one that changes and one with a trend; each without lumps, with small and with large ones. Chosen: the
  /// figures of `grampad-bench dose` hardly depend on the values.
  private static let models = [0, 0.1, 0.3].flatMap { lumps in
    [(0.01, 0), (0.2, 0), (0.01, 0.1)].map { walk, trend in FlowFilter.Model(lumps: lumps, walk: walk, trend: trend) }
  }
  /// After about this many seconds another model may hold. Chosen.
  private static let change = 5.0
  /// The least flow, in grams per second, of which models give shares.
  private static let least = 0.05

  /// Begins with the first sample of a flow.
  ///
  /// - Parameter usualFlow: That of earlier flows, in grams per second.
  init(mass: Double, variance: Double, usualFlow: Double?, at time: Instant) {
    filters = Self.models.map {
      (FlowFilter($0, mass: mass, variance: variance), 1 / Double(Self.models.count))
    }
    (newest, self.usualFlow) = (time, usualFlow)
  }

  /// Observes a sample.
  mutating func observe(_ mass: Double, variance: Double, at time: Instant) {
    let step = max((time - newest).seconds, 0)
    newest = time
    let flow = filters.reduce(0) { $0 + $1.weight * $1.filter.flow }
    let scale = max(flow, (usualFlow ?? 0) / 2, Self.least)
    var total = 0.0
    for index in filters.indices {
      filters[index].filter.advance(step, scale: scale)
      filters[index].weight *= filters[index].filter.observe(mass, variance: variance)
      total += filters[index].weight
    }
    let share = total > 0 ? min(step / Self.change, 1) : 1
    for index in filters.indices {
      let weight = total > 0 ? filters[index].weight / total : 0
      filters[index].weight = (1 - share) * weight + share / Double(filters.count)
    }
  }

  /// What flows from a moment on, as all of them see it; their differences add to the variance.
  func forecast(from time: Instant, during span: Double) -> FlowFilter.Forecast {
    let wait = (time - newest).seconds
    var mean = FlowFilter.Forecast()
    var squares = 0.0
    for (filter, weight) in filters {
      let forecast = filter.forecast(after: wait, during: span)
      mean.mass += weight * forecast.mass
      mean.flow += weight * forecast.flow
      mean.rise += weight * forecast.rise
      mean.variance += weight * forecast.variance
      squares += weight * forecast.rise * forecast.rise
    }
    mean.variance += max(squares - mean.rise * mean.rise, 0)
    return mean
  }
}
