/// One measured value: what it is, of whom, on what, how sure, and what was asked for.
struct Figure: Encodable, Sendable {
  /// What was measured, in snake case: `settling_p95`.
  var what: String
  /// Its unit, `1` for a plain number: `ms`, `g`, `MB`.
  var unit: String
  /// On what: a pad and a load, or a rate.
  var on: String
  /// Whose it is: `grampad`, `c`, `one_euro` ...
  var contender: String
  /// The value; `nil` where there is none, as for something that never happened.
  var value: Double?
  /// How far to trust it.
  var spread: Spread?
  /// The value divided by that of each peer, by the peer's name; a peer whose value is missing or 0 is left out.
  var ratios: [String: Double] = [:]
  /// What the project asks of it.
  var goal: Goal?
  /// What else a reader should know: the worst pad, the number of runs.
  var remark: String?

  /// Makes Grampad's figure or a peer's.
  init(
    _ what: String, _ unit: String, on: String, of contender: String, _ value: Double?, spread: Spread? = nil,
    goal: Goal? = nil, remark: String? = nil
  ) {
    self.what = what
    self.unit = unit
    self.on = on
    self.contender = contender
    self.value = value.flatMap { $0.isFinite ? $0 : nil }
    self.spread = spread
    self.goal = goal
    self.remark = remark
  }

  /// Whether the goal is met; `nil` without one. A value that is missing meets none.
  var isMet: Bool? { goal.map { $0.isMet(by: value) } }
}

/// What is asked of a value.
struct Goal: Encodable, Sendable {
  /// Which values meet it.
  enum Relation: String, Encodable, Sendable {
    case below = "<"
    case atMost = "<="
  }

  /// In the words of the issue, shortened.
  var text: String
  var relation: Relation
  /// In the unit of the figure.
  var limit: Double

  init(_ text: String, _ relation: Relation, _ limit: Double) {
    self.text = text
    self.relation = relation
    self.limit = limit
  }

  func isMet(by value: Double?) -> Bool {
    guard let value else { return false }
    return switch relation {
    case .below: value < limit
    case .atMost: value <= limit
    }
  }
}

/// How far a value may be from what another run finds.
struct Spread: Encodable, Sendable {
  var low: Double
  var high: Double
  /// How it was got: `interquartile range of 9 runs`, `95 % interval of the proportion` ...
  var method: String

  init(_ low: Double, _ high: Double, by method: String) {
    (self.low, self.high, self.method) = (low, high, method)
  }

  /// The interquartile range of the values of several runs, in any order.
  static func quartiles(of values: [Double]) -> Spread {
    let sorted = values.sorted()
    return Spread(
      sorted.quantile(0.25), sorted.quantile(0.75), by: "interquartile range of \(values.count) runs")
  }
}

extension [Double] {
  /// The value under which `share` of a sorted list lies, between two of them in proportion; NaN for an empty list.
  ///
  /// Hyndman and Fan, "Sample Quantiles in Statistical Packages", American Statistician 50, 1996, type 7.
  func quantile(_ share: Double) -> Double {
    guard let last else { return .nan }
    let place = share * Double(count - 1)
    let index = Int(place)
    guard index + 1 < count else { return last }
    return self[index] + (place - Double(index)) * (self[index + 1] - self[index])
  }
}
