/// A unit in which masses are displayed. Payloads and records are in grams.
public enum MassUnit: String, Hashable, Sendable, CaseIterable {
  case gram = "g"
  case kilogram = "kg"
  /// The avoirdupois ounce.
  case ounce = "oz"
  /// The avoirdupois pound.
  case pound = "lb"
  /// The metric carat.
  case carat = "ct"
  case grain = "gn"

  /// The mass of one unit; exact by definition.
  ///
  /// Sources: the pound is 453.59237 g (international yard and pound agreement, 1959), an ounce a 16th and a grain a
  /// 7000th of it; the metric carat is 200 mg (4th CGPM, 1907).
  public var mass: Grams {
    switch self {
    case .gram: Grams(1)
    case .kilogram: Grams(1000)
    case .ounce: Grams(28.349523125)
    case .pound: Grams(453.59237)
    case .carat: Grams(0.2)
    case .grain: Grams(0.06479891)
    }
  }
}

/// How masses of a division are displayed in a unit.
public struct DisplayUnit: Hashable, Sendable {
  /// The unit.
  public let unit: MassUnit
  /// The step of the display, in the unit: the smallest of 1, 2 or 5 times a power of ten that is not finer than the
  /// division (OIML R 76-1, 3.2).
  public let step: Double
  /// The number of decimals of the step.
  public let decimals: Int

  /// Chooses the step for a division.
  public init(_ unit: MassUnit, division: Division) {
    let size = division.step.value / unit.mass.value
    self.unit = unit
    (step, decimals) = Self.step(notFinerThan: size) ?? (size, 0)
  }

  /// Describes a display by its step; `nil` for a step that is not 1, 2 or 5 times a power of ten in the range of divisions.
  public init?(_ unit: MassUnit, step: Double) {
    guard step > 0, let found = Self.step(notFinerThan: step), found.step <= step * (1 + 1e-9) else { return nil }
    self.unit = unit
    (self.step, decimals) = found
  }

  private static func step(notFinerThan size: Double) -> (step: Double, decimals: Int)? {
    // From 1 mg in kilograms to 1 kg in grains.
    for exponent in -6...5 {
      let power = (0..<abs(exponent)).reduce(1.0) { power, _ in power * 10 }
      for digit in [1.0, 2, 5] {
        let step = exponent < 0 ? digit / power : digit * power
        if step >= size * (1 - 1e-9) { return (step, max(-exponent, 0)) }
      }
    }
    return nil
  }

  /// A mass with the unit: `2.55 oz`.
  package func text(_ mass: Grams) -> String {
    var bytes: [UInt8] = []
    bytes.append(upTo: Reading.longestPrintable) { put(mass, into: &$0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A mass that a user has given, such as a target, which may be finer than the display.
  package func text(given mass: Grams) -> String {
    DecimalText.trimmed(mass.value / unit.mass.value, decimals: decimals + 2) + " " + unit.rawValue
  }

  /// Writes a mass with the unit, or the capacity with a `+` between them.
  func put(_ mass: Grams, isExceeded: Bool = false, into text: inout ASCIIWriter) {
    let steps = (mass.value / unit.mass.value / step).rounded()
    text.put(steps * step, decimals: decimals)
    if isExceeded { text.put("+") }
    text.put(" ")
    text.put(text: unit.rawValue)
  }
}
