import Foundation

/// A count out of a number of trials.
struct Proportion: Sendable {
  let count: Int
  let trials: Int

  init(_ count: Int, of trials: Int) { (self.count, self.trials) = (count, trials) }

  var share: Double { trials == 0 ? .nan : Double(count) / Double(trials) }

  /// The one-sided 95 % upper bound of the true share (Clopper and Pearson, Biometrika 26, 1934). For 0 of n it is about
  /// 3 / n.
  var upperBound: Double {
    guard count < trials else { return 1 }
    var (low, high) = (share, 1.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if cumulativeProbability(middle) > 0.05 { low = middle } else { high = middle }
    }
    return high
  }

  /// Returns the probability of `count` or fewer if the true share is `share`.
  private func cumulativeProbability(_ share: Double) -> Double {
    let n = Double(trials)
    var total = 0.0
    for k in 0...count {
      let k = Double(k)
      let ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
      total += exp(ways + k * log(share) + (n - k) * log1p(-share))
    }
    return total
  }
}

extension Spread {
  /// Returns the 95 % interval of a quantile: two of the sorted values, from the binomial distribution of the number of
  /// values below the quantile (W. J. Conover, Practical Nonparametric Statistics, chapter 3.2).
  static func quantile(_ share: Double, of sorted: [Double]) -> Spread? {
    let n = Double(sorted.count)
    guard n > 1 else { return nil }
    let reach = 1.96 * (n * share * (1 - share)).squareRoot()
    let low = sorted[max(Int((n * share - reach).rounded(.down)), 0)]
    let high = sorted[min(Int((n * share + reach).rounded(.up)), sorted.count - 1)]
    return Spread(low, high, by: "95 % interval of the quantile, \(sorted.count) trials")
  }
}
