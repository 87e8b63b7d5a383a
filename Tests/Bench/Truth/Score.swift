/// The results of one filter in many trials; times in milliseconds, masses in grams.
struct Score: Sendable {
  let results: [TrialResult]
  /// Times from rest until the reading stays within a division, sorted.
  let settling: [Double]
  /// Delays of the final stable reading, sorted.
  let lateness: [Double]

  init(_ results: [TrialResult]) {
    self.results = results
    settling = results.map { $0.settling * 1000 }.sorted()
    lateness = results.compactMap { ($0.stable?.lateness).map { $0 * 1000 } }.sorted()
  }

  var trials: Int { results.count }

  /// The root mean square error from 2 s after rest.
  var steadyNoise: Double { Self.root(results, \.steadySquares, \.steadyCount) }

  /// The 95 % interval of `steadyNoise`, for independent trials.
  var steadySpread: Spread? {
    let squares = results.map { $0.steadySquares / Double(max($0.steadyCount, 1)) }
    let n = Double(squares.count)
    guard n > 1 else { return nil }
    let mean = squares.reduce(0, +) / n
    let variance = squares.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)
    let reach = 1.96 * (variance / n).squareRoot()
    return Spread(
      max(mean - reach, 0).squareRoot(), (mean + reach).squareRoot(), by: "95 % interval, \(squares.count) trials")
  }

  /// The root mean square error while the load is stirred or shaken.
  var disturbedNoise: Double { Self.root(results, \.disturbedSquares, \.disturbedCount) }

  /// The mean of truth minus reading during a drip.
  var lag: Double { sum(\.disturbedSum) / Double(max(sum(\.disturbedCount), 1)) }

  /// The proportion of stable readings while the load is stirred or shaken.
  var disturbedStable: Double { Double(sum(\.disturbedStable)) / Double(max(sum(\.disturbedCount), 1)) }

  /// Number of trials that do not end with a stable reading.
  var neverStable: Int { results.count { $0.stable == nil } }

  /// Placements with a false stable reading.
  var falseStables: Proportion { Proportion(results.count { $0.falseStables > 0 }, of: trials) }
  /// Placements with a stable reading that is false by more than 50 ms.
  var hastyStables: Proportion { Proportion(results.count { $0.hastyStables > 0 }, of: trials) }
  /// Placements with an early stable reading.
  var earlyStables: Proportion { Proportion(results.count { $0.earlyStables > 0 }, of: trials) }
  /// Placements in which a stable reading was withdrawn.
  var lostStables: Proportion { Proportion(results.count { $0.lostStables > 0 }, of: trials) }
  var corrections: Int { sum(\.corrections) }
  var flickers: Int { sum(\.flickers) }
  var worstMotion: Double { results.map(\.worstMotion).max() ?? 0 }

  /// The root mean square error of the final stable readings, and that of their bounds.
  var errorAtStable: (error: Double, bound: Double) {
    let stables = results.compactMap(\.stable)
    func root(_ value: (TrialResult.Stable) -> Double) -> Double {
      (stables.reduce(0) { $0 + value($1) * value($1) } / Double(max(stables.count, 1))).squareRoot()
    }
    return (root(\.error), root(\.bound))
  }

  /// The magnitudes of the errors of the final stable readings, sorted.
  var errorsAtStable: [Double] { results.compactMap { $0.stable?.error.magnitude }.sorted() }

  /// Returns the proportion of errors above 1.96 times `allowance` times the bound and above half a division.
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
  /// Returns the score of a filter over all cells.
  func score(_ name: BenchFilterName) -> Score {
    guard let index = BenchFilterName.allCases.firstIndex(of: name) else { return Score([]) }
    return Score(flatMap { $0.results[index] })
  }
}
