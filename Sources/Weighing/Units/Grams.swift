/// A mass in grams.
public struct Grams: Comparable, Hashable, Sendable, AdditiveArithmetic {
  /// The number of grams; any finite value, negative below zero.
  public var value: Double

  /// Makes a mass from a number of grams.
  @inlinable
  public init(_ value: Double) { self.value = value }

  /// No mass.
  public static let zero = Grams(0)

  /// The largest capacity, load and mass that settings accept: one tonne.
  package static let maximum = Grams(1_000_000)

  /// The lighter mass first.
  @inlinable
  public static func < (a: Grams, b: Grams) -> Bool { a.value < b.value }

  /// The sum of two masses.
  @inlinable
  public static func + (a: Grams, b: Grams) -> Grams { Grams(a.value + b.value) }

  /// The difference of two masses.
  @inlinable
  public static func - (a: Grams, b: Grams) -> Grams { Grams(a.value - b.value) }

  /// The mass without its sign.
  @inlinable
  public var magnitude: Grams { Grams(value.magnitude) }
}

extension [Grams] {
  /// The standard deviation of a single result of a series; zero for fewer than two.
  package var standardDeviation: Grams {
    guard count > 1 else { return .zero }
    let mean = reduce(0) { $0 + $1.value } / Double(count)
    let sum = reduce(0) { $0 + ($1.value - mean) * ($1.value - mean) }
    return Grams((sum / Double(count - 1)).squareRoot())
  }
}
