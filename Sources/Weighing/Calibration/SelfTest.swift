/// What a pad does with one mass again and again, and for long: repeatability, zero return and creep.
public struct SelfTest: Hashable, Sendable {
  /// The most that is allowed of each, in grams.
  public struct Limits: Hashable, Sendable {
    /// Between the largest and the smallest result of the same load.
    public var repeatability: Grams
    /// Between nothing before and nothing after a load.
    public var zeroReturn: Grams
    /// Of a load that lies still, from when it had come to rest.
    public var creep: Grams

    /// Those of a scale of class III by OIML R 76-1:2006, with the division as verification interval: 1 d for repeatability
    /// (3.6.1, with the maximum permissible error in service up to 500 d, 3.5.2), 0.5 d for the zero return and for creep
    /// (3.9.4, which asks for half an hour).
    public init(division: Division) {
      repeatability = division.step
      zeroReturn = Grams(division.step.value / 2)
      creep = Grams(division.step.value / 2)
    }
  }

  /// The load at a moment since it had come to rest.
  public struct Sample: Hashable, Sendable {
    /// Since it was first at rest.
    public var after: Interval
    /// What it weighed.
    public var mass: Grams

    /// Makes a sample.
    public init(after: Interval, mass: Grams) {
      self.after = after
      self.mass = mass
    }
  }

  /// What is allowed.
  public var limits: Limits
  /// What nothing weighed, before the first load and after each, with zero as the calibration has it.
  public var zeros: [Grams] = []
  /// What the mass weighed each time.
  public var loads: [Grams] = []
  /// What it weighed while it lay there for long.
  public var creep: [Sample] = []

  /// Makes a test of which nothing is known yet.
  public init(limits: Limits) {
    self.limits = limits
  }

  /// The difference between the largest and the smallest result.
  public var repeatability: Grams { Self.range(loads) }

  /// One standard deviation of a single result; zero for fewer than two.
  public var deviation: Grams {
    guard loads.count > 1 else { return .zero }
    let mean = loads.reduce(0) { $0 + $1.value } / Double(loads.count)
    let sum = loads.reduce(0) { $0 + ($1.value - mean) * ($1.value - mean) }
    return Grams((sum / Double(loads.count - 1)).squareRoot())
  }

  /// The farthest that nothing was from what it was at first.
  public var zeroReturn: Grams {
    guard let first = zeros.first else { return .zero }
    return zeros.map { ($0 - first).magnitude }.max() ?? .zero
  }

  /// The farthest that the load moved from where it had come to rest.
  public var creepReach: Grams {
    guard let first = creep.first else { return .zero }
    return creep.map { ($0.mass - first.mass).magnitude }.max() ?? .zero
  }

  /// How far a result may be from a limit and still be taken for it: rounding of the arithmetic.
  private static let slack = Grams(1e-9)

  /// Whether the repeatability keeps its limit.
  public var isRepeatable: Bool { repeatability <= limits.repeatability + Self.slack }
  /// Whether the zero return keeps its limit.
  public var returnsToZero: Bool { zeroReturn <= limits.zeroReturn + Self.slack }
  /// Whether creep keeps its limit.
  public var keepsStill: Bool { creepReach <= limits.creep + Self.slack }
  /// Whether all of it does.
  public var passes: Bool { isRepeatable && returnsToZero && keepsStill }

  private static func range(_ masses: [Grams]) -> Grams {
    guard let lowest = masses.min(), let highest = masses.max() else { return .zero }
    return highest - lowest
  }
}
