/// Tests a pad with a single mass, measured repeatedly and for a long time: repeatability, zero return and creep.
public struct SelfTest: Hashable, Sendable {
  /// The limits in grams.
  public struct Limits: Hashable, Sendable {
    /// The difference between the largest and the smallest result of the same load.
    public var repeatability: Grams
    /// The difference between the empty pad before and after a load.
    public var zeroReturn: Grams
    /// The change of a load from the moment at which it came to rest.
    public var creep: Grams

    /// The limits of a scale of class III by OIML R 76-1:2006, with the division as verification interval: 1 d for
    /// repeatability (3.6.1, with the maximum permissible error in service up to 500 d, 3.5.2), 0.5 d for the zero
    /// return and for creep (3.9.4, which requires half an hour).
    public init(division: Division) {
      repeatability = division.step
      zeroReturn = Grams(division.step.value / 2)
      creep = Grams(division.step.value / 2)
    }
  }

  /// A measurement of the load after it came to rest.
  public struct Sample: Hashable, Sendable {
    /// The time since it came to rest.
    public var after: Interval
    /// The measured mass.
    public var mass: Grams

    /// Makes a sample.
    public init(after: Interval, mass: Grams) {
      (self.after, self.mass) = (after, mass)
    }
  }

  /// The limits.
  public var limits: Limits
  /// The results of the empty pad, before the first load and after each, with the zero of the calibration.
  public var zeros: [Grams] = []
  /// The results of the mass.
  public var loads: [Grams] = []
  /// The results of the mass during the long measurement.
  public var creep: [Sample] = []

  /// The difference between the largest and the smallest result.
  public var repeatability: Grams { Self.range(loads) }

  /// One standard deviation of a single result; zero for fewer than two.
  public var deviation: Grams { loads.standardDeviation }

  /// The largest difference of the empty pad from its first result.
  public var zeroReturn: Grams {
    guard let first = zeros.first else { return .zero }
    return zeros.map { ($0 - first).magnitude }.max() ?? .zero
  }

  /// The largest change of the load from the moment at which it came to rest.
  public var creepReach: Grams {
    guard let first = creep.first else { return .zero }
    return creep.map { ($0.mass - first.mass).magnitude }.max() ?? .zero
  }

  /// The tolerance of a comparison with a limit: rounding errors.
  private static let slack = Grams(1e-9)

  /// Whether the repeatability is within its limit.
  public var isRepeatable: Bool { repeatability <= limits.repeatability + Self.slack }
  /// Whether the zero return is within its limit.
  public var returnsToZero: Bool { zeroReturn <= limits.zeroReturn + Self.slack }
  /// Whether the creep is within its limit.
  public var keepsStill: Bool { creepReach <= limits.creep + Self.slack }
  /// Whether all results are within their limits.
  public var passes: Bool { isRepeatable && returnsToZero && keepsStill }

  private static func range(_ masses: [Grams]) -> Grams {
    guard let lowest = masses.min(), let highest = masses.max() else { return .zero }
    return highest - lowest
  }
}
