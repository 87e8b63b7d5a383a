/// Judges how well measured masses lie on any smooth response of a pad.
///
/// Six models are laid through the masses by least squares: grams per count and counts per gram as a line or a parabola over
/// the counts (straight and divider-like pads), and the power laws log(mass) = a + b log(counts) + c log(counts)^2 (force
/// sensing resistors). The best of them decides. Misfits are counted in expected misfits: 1.5 % of the mass, which a resistive
/// pad repeats to, and two standard deviations of the noise seen.
///
/// Tried on sets of three to seven masses on straight, divider-like and power-law pads with up to a count of noise
/// (`SmoothResponseTests`): sound sets stay below 0.5. Of sets of four and more, one mass wrong by 18 % exceeds 1 in at least 85 of
/// 100, by 10 % in 75. Of three masses some smooth response explains nearly anything.
struct SmoothResponse {
  /// A mass other than nothing, with its counts above those of nothing.
  struct Entry {
    var counts: Double
    var mass: Double
    /// One standard deviation of a single sample, in counts.
    var spread: Double
  }

  private enum Model: CaseIterable {
    case gramsPerCount, countsPerGram, powerLaw
  }

  private let entries: [Entry]

  /// Makes a judge of masses with different counts.
  init(_ entries: [Entry]) { self.entries = entries.sorted { $0.counts < $1.counts } }

  /// The misfit that a mass may have: a share of it.
  private static let repeatability = 0.015

  /// The root mean square misfit of the best model, in expected misfits; 0 where there are too few masses to judge.
  var misfit: Double { Self.fit(entries)?.misfit ?? 0 }

  /// The mass without which the others fit best, and what they say it is; `nil` where leaving one out leaves too few.
  var suspect: (index: Int, mass: Double, predicted: Double)? {
    var best: (index: Int, misfit: Double, predicted: Double)?
    for index in entries.indices {
      var others = entries
      let entry = others.remove(at: index)
      guard let fit = Self.fit(others), let predicted = fit.predict(entry.counts) else { continue }
      if fit.misfit < best?.misfit ?? .infinity { best = (index, fit.misfit, predicted) }
    }
    return best.map { ($0.index, entries[$0.index].mass, $0.predicted) }
  }

  private static func fit(_ entries: [Entry]) -> (misfit: Double, predict: (Double) -> Double?)? {
    var best: (misfit: Double, predict: (Double) -> Double?)?
    for model in Model.allCases {
      for degree in (model == .powerLaw ? 1 : 0)...2 {
        guard let fit = fit(entries, model, degree), fit.misfit < best?.misfit ?? .infinity else { continue }
        best = fit
      }
    }
    return best
  }

  private static func fit(
    _ entries: [Entry], _ model: Model, _ degree: Int
  ) -> (misfit: Double, predict: (Double) -> Double?)? {
    let freedom = entries.count - degree - 1
    guard freedom > 0, entries.allSatisfy({ $0.counts > 0 && $0.mass > 0 }) else { return nil }
    let x = entries.map { model == .powerLaw ? naturalLogarithm($0.counts) : $0.counts }
    let y = entries.map { entry in
      switch model {
      case .gramsPerCount: entry.mass / entry.counts
      case .countsPerGram: entry.counts / entry.mass
      case .powerLaw: naturalLogarithm(entry.mass)
      }
    }
    guard let segment = PolynomialFit.fit(x: x, y: y, degree: degree) else { return nil }
    // The logarithm of what the model says of a mass; a difference of logarithms is a share.
    func logarithm(at counts: Double) -> Double? {
      let at = model == .powerLaw ? naturalLogarithm(counts) : counts
      let value = segment.value(at: at - segment.start)
      switch model {
      case .powerLaw: return value
      case .gramsPerCount: return value > 0 ? naturalLogarithm(counts * value) : nil
      case .countsPerGram: return value > 0 ? naturalLogarithm(counts / value) : nil
      }
    }
    var sum = 0.0
    for entry in entries {
      guard let logarithm = logarithm(at: entry.counts) else { return nil }
      let share = naturalLogarithm(entry.mass) - logarithm
      let noise = 2 * entry.spread / entry.counts
      sum += share * share / (repeatability * repeatability + noise * noise)
    }
    return ((sum / Double(freedom)).squareRoot(), { logarithm(at: $0).map(exponential) })
  }
}

/// The natural logarithm of a positive finite number, which the core has to compute by itself: twice the area tangent of
/// (s - 1)/(s + 1) for the significand s in 1..<2, to 1e-13, and the exponent.
private func naturalLogarithm(_ x: Double) -> Double {
  let ln2 = 0.693_147_180_559_945_3
  let z = (x.significand - 1) / (x.significand + 1)
  var (sum, power) = (0.0, z)
  for odd in stride(from: 1, through: 25, by: 2) {
    sum += power / Double(odd)
    power *= z * z
  }
  return 2 * sum + Double(x.exponent) * ln2
}

/// e to the power of x, for |x| up to 100: the series of x/64, to the 64th power.
private func exponential(_ x: Double) -> Double {
  var (sum, term) = (1.0, 1.0)
  for n in 1...20 {
    term *= x / 64 / Double(n)
    sum += term
  }
  for _ in 0..<6 { sum *= sum }
  return sum
}
