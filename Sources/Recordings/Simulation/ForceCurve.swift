import Glibc

/// The response of the counts of a pad to the force, both as fractions of their full scale.
///
/// Every curve goes from 0 to 1, is strictly monotone and has an exact inverse, so that a test can compute the true
/// calibration points.
public enum ForceCurve: Hashable, Sendable {
  /// Proportional to the force, like a load cell.
  case linear
  /// A power of the force: with an exponent below 1 it rises steeply at first. A force-sensing resistor follows an
  /// inverse power law (Interlink Electronics, "FSR Integration Guide", glossary: response characteristic).
  case power(Double)
  /// The voltage of a divider of a force-sensing resistor, whose conductance is about proportional to the force, and a
  /// fixed one: (1 + k) x / (1 + k x) with k the ratio of the two at full force; it rises k + 1 times as steeply at
  /// first as on average. Source: Interlink Electronics, "FSR 400 Series Data Sheet", application information, the
  /// family of curves of force against output voltage.
  case divider(Double)

  /// The fraction of the counts at a fraction of the force; continues above 1, and is 0 below 0.
  public func counts(at force: Double) -> Double {
    guard force > 0 else { return 0 }
    switch self {
    case .linear: return force
    case .power(let exponent): return pow(force, exponent)
    case .divider(let ratio): return (1 + ratio) * force / (1 + ratio * force)
    }
  }

  /// The fraction of the force at a fraction of the counts; the inverse of `counts(at:)`.
  ///
  /// The divider never reaches counts of (1 + k) / k and above: infinity.
  public func force(at counts: Double) -> Double {
    guard counts > 0 else { return 0 }
    switch self {
    case .linear: return counts
    case .power(let exponent): return pow(counts, 1 / exponent)
    case .divider(let ratio):
      let rest = 1 + ratio - ratio * counts
      return rest > 0 ? counts / rest : .infinity
    }
  }
}
