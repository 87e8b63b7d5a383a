/// The division d of a scale: the step of its display, in grams.
public struct Division: Hashable, Sendable {
  /// The size of the step.
  public let step: Grams
  /// The number of decimals of its multiples: 0 for 1 g or 5 g, 1 for 0.1 g or 0.5 g.
  public let decimals: Int

  /// One gram.
  public static let gram = Division(step: Grams(1), decimals: 0)

  private init(step: Grams, decimals: Int) {
    (self.step, self.decimals) = (step, decimals)
  }

  /// Makes a division of 1, 2 or 5 times a power of ten from 0.001 g to 1000 g; `nil` for anything else.
  public init?(_ step: Grams) {
    guard step.value.isFinite else { return nil }
    for exponent in -3...3 {
      let power = exponent < 0 ? 1 / Self.powerOfTen(-exponent) : Self.powerOfTen(exponent)
      for digit in [1.0, 2, 5] where (digit * power - step.value).magnitude <= step.value.magnitude * 1e-9 {
        self.init(step: step, decimals: max(-exponent, 0))
        return
      }
    }
    return nil
  }

  private static func powerOfTen(_ exponent: Int) -> Double { (0..<exponent).reduce(1) { power, _ in power * 10 } }

  /// The number of steps nearest to a mass.
  public func steps(nearest mass: Grams) -> Int {
    let steps = (mass.value / step.value).rounded()
    return steps.magnitude < 1e15 ? Int(steps) : (steps < 0 ? Int(-1e15) : Int(1e15))
  }

  /// The least number of steps that is not below a mass.
  public func steps(atOrPast mass: Grams) -> Int {
    let nearest = steps(nearest: mass)
    return Double(nearest) * step.value < mass.value - step.value * 1e-9 ? nearest + 1 : nearest
  }
}

/// A displayed mass: a whole number of divisions.
public struct DisplayedMass: Hashable, Sendable, CustomStringConvertible {
  /// The number of divisions; negative below zero.
  public var steps: Int
  /// The division.
  public var division: Division

  /// Makes a displayed mass.
  public init(steps: Int, division: Division) {
    (self.steps, self.division) = (steps, division)
  }

  /// The mass.
  public var mass: Grams { Grams(Double(steps) * division.step.value) }

  /// The digits without a unit, `73`, `-0.5`.
  public var description: String { DecimalText.fixed(mass.value, decimals: division.decimals) }
}
