/// What one contender did in many trials; times in milliseconds, masses in grams.
struct Score: Sendable {
  let results: [TrialResult]
  /// From rest until within a division for good, in order.
  let settling: [Double]
  /// How late it called the load stable for good, in order.
  let lateness: [Double]

  init(_ results: [TrialResult]) {
    self.results = results
    settling = results.map { $0.settling * 1000 }.sorted()
    lateness = results.compactMap { ($0.stable?.lateness).map { $0 * 1000 } }.sorted()
  }

  var trials: Int { results.count }

  /// The root of the mean square of the difference to the truth from 2 s after rest on.
  var steadyNoise: Double { Self.root(results, \.steadySquares, \.steadyCount) }

  /// The same while the load is stirred or shaken.
  var disturbedNoise: Double { Self.root(results, \.disturbedSquares, \.disturbedCount) }

  /// How far the level is behind a drip.
  var lag: Double { sum(\.disturbedSum) / Double(max(sum(\.disturbedCount), 1)) }

  /// The share of the time called stable while stirred or shaken.
  var disturbedStable: Double { Double(sum(\.disturbedStable)) / Double(max(sum(\.disturbedCount), 1)) }

  /// Trials in which the load was never called stable for good.
  var neverStable: Int { results.count { $0.stable == nil } }

  /// Placements with a false announcement.
  var falseStables: Proportion { Proportion(results.count { $0.falseStables > 0 }, of: trials) }
  /// Placements with one that was false by more than 50 ms.
  var hastyStables: Proportion { Proportion(results.count { $0.hastyStables > 0 }, of: trials) }
  /// Placements with an early one.
  var earlyStables: Proportion { Proportion(results.count { $0.earlyStables > 0 }, of: trials) }
  /// Placements in which the announcement was taken back.
  var lostStables: Proportion { Proportion(results.count { $0.lostStables > 0 }, of: trials) }
  var corrections: Int { sum(\.corrections) }
  var flickers: Int { sum(\.flickers) }
  var worstMotion: Double { results.map(\.worstMotion).max() ?? 0 }

  /// The root of the mean square of the error when called stable for good, and that of its bound.
  var errorAtStable: (error: Double, bound: Double) {
    let stables = results.compactMap(\.stable)
    func root(_ value: (TrialResult.Stable) -> Double) -> Double {
      (stables.reduce(0) { $0 + value($1) * value($1) } / Double(max(stables.count, 1))).squareRoot()
    }
    return (root(\.error), root(\.bound))
  }

  /// How often the error is larger than the 95 % of a normal distribution at `allowance` times the bound, and than half a
  /// division.
  func errorsBeyond(_ allowance: Double) -> Proportion {
    let stables = results.compactMap(\.stable)
    return Proportion(
      stables.count { $0.error.magnitude > max(1.96 * allowance * $0.bound, Trial.division / 2) }, of: stables.count)
  }

  private func sum<Value: AdditiveArithmetic>(_ part: (TrialResult) -> Value) -> Value {
    results.reduce(.zero) { $0 + part($1) }
  }

  private static func root(
    _ results: [TrialResult], _ squares: (TrialResult) -> Double, _ count: (TrialResult) -> Int
  ) -> Double {
    let count = results.reduce(0) { $0 + count($1) }
    return count == 0 ? .nan : (results.reduce(0) { $0 + squares($1) } / Double(count)).squareRoot()
  }
}

extension [TruthCell] {
  /// What a contender did in all the cells together.
  func score(_ name: ContenderName) -> Score {
    guard let index = ContenderName.allCases.firstIndex(of: name) else { return Score([]) }
    return Score(flatMap { $0.results[index] })
  }
}
