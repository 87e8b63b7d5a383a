/// The contributions to an uncertainty, line by line.
package struct UncertaintyBudget: Hashable, Sendable {
  /// One contribution.
  package struct Line: Hashable, Sendable {
    /// Its cause.
    package enum Source: String, Hashable, Sendable, CaseIterable {
      case zeroResolution = "resolution at zero"
      case loadResolution = "resolution at load"
      case repeatability = "repeatability"
      case eccentricity = "eccentricity"
      case masses = "reference masses"
      case massDrift = "drift of the masses"
      case buoyancy = "air buoyancy"
      case convection = "convection"
      case creep = "creep"
      case hysteresis = "hysteresis"
      case error = "error of indication"
    }

    /// Its cause.
    package let source: Source
    /// The standard uncertainty.
    package let uncertainty: Grams
    /// Its degrees of freedom; `nil` if there are infinitely many.
    package let degreesOfFreedom: Int?

    init(_ source: Source, _ uncertainty: Grams, degreesOfFreedom: Int? = nil) {
      (self.source, self.uncertainty, self.degreesOfFreedom) = (source, uncertainty, degreesOfFreedom)
    }
  }

  /// The contributions.
  package let lines: [Line]

  /// The combined standard uncertainty: the root of the sum of squares.
  package var combined: Grams {
    Grams(lines.reduce(0) { $0 + $1.uncertainty.value * $1.uncertainty.value }.squareRoot())
  }

  /// The effective degrees of freedom by the formula of Welch and Satterthwaite (JCGM 100:2008, G.4).
  package var degreesOfFreedom: Double {
    func fourth(_ x: Double) -> Double { x * x * x * x }
    let sum = lines.reduce(0) { sum, line in
      sum + (line.degreesOfFreedom.map { fourth(line.uncertainty.value) / Double(max($0, 1)) } ?? 0)
    }
    return sum > 0 ? fourth(combined.value) / sum : .infinity
  }

  /// The coverage factor k for 95.45 %.
  package var coverage: Double { CoverageFactor.value(degreesOfFreedom: degreesOfFreedom) }

  /// The expanded uncertainty U = k u.
  package var expanded: Grams { Grams(coverage * combined.value) }
}
