/// The natural logarithm of a positive finite number, without a mathematics library: twice the inverse hyperbolic
/// tangent of (s - 1)/(s + 1) for the significand s in 1..<2, to 1e-13, and the exponent.
func naturalLogarithm(_ x: Double) -> Double {
  let z = (x.significand - 1) / (x.significand + 1)
  var (sum, power) = (0.0, z)
  for odd in stride(from: 1, through: 25, by: 2) {
    sum += power / Double(odd)
    power *= z * z
  }
  return 2 * sum + Double(x.exponent) * ln2
}

/// e to the power of x, to 1e-15 of it; 0 or infinity outside of the range of a `Double`.
///
/// The series of the rest after the nearest power of two, which is at most 0.35.
func exponential(_ x: Double) -> Double {
  guard x > -745 else { return 0 }
  guard x < 709 else { return .infinity }
  let exponent = (x / ln2).rounded()
  let rest = x - exponent * ln2
  var (sum, term) = (1.0, 1.0)
  for n in 1...14 {
    term *= rest / Double(n)
    sum += term
  }
  // In two steps, because 2^-745 alone is 0.
  let half = Int(exponent) / 2
  return sum * Double(sign: .plus, exponent: half, significand: 1)
    * Double(sign: .plus, exponent: Int(exponent) - half, significand: 1)
}

private let ln2 = 0.693_147_180_559_945_3
