/// One measured value with its conditions, spread and goal.
struct Figure: Encodable, Sendable {
  /// What was measured, in snake case: `settling_p95`.
  var what: String
  /// The unit: `ms`, `g`, `MB`; `1` for a plain number.
  var unit: String
  /// The conditions: a pad and a load, or a rate.
  var on: String
  /// The measured filter or program: `grampad`, `c`, `one_euro` ...
  var contender: String
  /// The value; `nil` if there is no value, for example for an event that never occurred.
  var value: Double?
  /// The uncertainty of the value.
  var spread: Spread?
  /// The value divided by that of each peer, by the name of the peer. Peers without a value or with 0 are omitted.
  var ratios: [String: Double] = [:]
  /// The goal for the value.
  var goal: Goal?
  /// A note, for example the worst pad or the number of runs.
  var remark: String?

  /// Makes a figure; a value that is not finite becomes `nil`.
  init(
    _ what: String, _ unit: String, on: String, of contender: String, _ value: Double?, spread: Spread? = nil,
    goal: Goal? = nil, remark: String? = nil
  ) {
    (self.what, self.unit, self.on, self.contender) = (what, unit, on, contender)
    self.value = value.flatMap { $0.isFinite ? $0 : nil }
    (self.spread, self.goal, self.remark) = (spread, goal, remark)
  }

  /// Whether the goal is met; `nil` without a goal. A missing value does not meet a goal.
  var isMet: Bool? { goal.map { $0.isMet(by: value) } }
}

/// A limit for a value.
struct Goal: Encodable, Sendable {
  /// How a value has to relate to the limit.
  enum Relation: String, Encodable, Sendable {
    case below = "<"
    case atMost = "<="
  }

  /// The text in the report.
  var text: String
  var relation: Relation
  /// The limit in the unit of the figure.
  var limit: Double

  init(_ text: String, _ relation: Relation, _ limit: Double) {
    (self.text, self.relation, self.limit) = (text, relation, limit)
  }

  func isMet(by value: Double?) -> Bool {
    guard let value else { return false }
    return switch relation {
    case .below: value < limit
    case .atMost: value <= limit
    }
  }
}

/// The range in which the value of another run is expected.
struct Spread: Encodable, Sendable {
  var low: Double
  var high: Double
  /// The method: `interquartile range of 9 runs`, `95 % interval of the proportion` ...
  var method: String

  init(_ low: Double, _ high: Double, by method: String) { (self.low, self.high, self.method) = (low, high, method) }

  /// Returns the interquartile range of the values of several runs, in any order.
  static func quartiles(of values: [Double]) -> Spread {
    let sorted = values.sorted()
    return Spread(
      sorted.quantile(0.25), sorted.quantile(0.75), by: "interquartile range of \(values.count) runs")
  }
}

extension [Figure] {
  /// Returns the figures with the same key, in the order in which the keys came first.
  func grouped(by key: (Figure) -> [String]) -> [[Figure]] {
    let groups = Dictionary(grouping: self, by: key)
    return map(key).distinct.compactMap { groups[$0] }
  }
}

extension Array where Element: Hashable {
  /// The different elements, in the order in which they came first.
  var distinct: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}

extension [Double] {
  /// Returns a quantile of a sorted list with linear interpolation; NaN for an empty list.
  ///
  /// Hyndman and Fan, "Sample Quantiles in Statistical Packages", American Statistician 50, 1996, type 7.
  func quantile(_ share: Double) -> Double {
    guard let last else { return .nan }
    let position = share * Double(count - 1)
    let index = Int(position)
    guard index + 1 < count else { return last }
    return self[index] + (position - Double(index)) * (self[index + 1] - self[index])
  }
}
