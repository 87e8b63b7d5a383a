/// The response grams = a * raw^b, which force-sensing resistors follow.
///
/// The raw value counts from the point of 0 g: raw above the value of the empty pad. Without such a point it counts from 0.
public struct PowerLaw: Hashable, Sendable, CustomStringConvertible {
  /// The raw value at 0 g.
  public let origin: Double
  /// The exponent b.
  public let exponent: Double
  /// The distance of the last point from the origin, in counts.
  private let span: Double
  /// The mass at the last point, in grams.
  private let massAtSpan: Double

  /// The exponents that are accepted. Chosen: force-sensing resistors have 0.7 to 2; the tabulation is accurate within
  /// these limits.
  public static let exponents = 0.2...5.0

  /// Fits the law to points that are sorted by raw value.
  ///
  /// Least squares of the masses, weighted with 1/mass: between equal errors in grams, which let the heaviest points
  /// decide, and equal relative errors, which let the lightest ones decide.
  ///
  /// - Throws: `.notAPowerLaw` with fewer than two points above 0 g or a point below it, and if the exponent is out of
  ///   range.
  init(fitting points: [CalibrationPoint]) throws(UnusableCalibrationError) {
    let origin = points.first { $0.mass == .zero }?.counts ?? 0
    let loads = points.filter { $0.mass > .zero && $0.counts > origin }
    guard loads.count >= 2, loads.count == points.filter({ $0.mass != .zero }).count else { throw .notAPowerLaw }
    let span = loads[loads.count - 1].counts - origin
    let heaviest = loads[loads.count - 1].mass.value
    let samples = loads.map { point in
      let mass = point.mass.value / heaviest
      return Sample(
        logarithm: naturalLogarithm((point.counts - origin) / span), mass: mass, weight: 1 / max(mass, Self.lightest))
    }
    let fit = Self.leastSquares(samples)
    guard Self.exponents.contains(fit.exponent), fit.factor > 0, fit.factor.isFinite else { throw .notAPowerLaw }
    (self.origin, self.span) = (origin, span)
    (exponent, massAtSpan) = (fit.exponent, fit.factor * heaviest)
  }

  /// The factor a, in grams.
  public var factor: Double { massAtSpan * exponential(-exponent * naturalLogarithm(span)) }

  /// The formula as text.
  public var description: String { "grams = \(formula)" }

  /// What the grams are equal to: `0.12 * raw^0.9`.
  package var formula: String {
    let raw = origin == 0 ? "raw" : "(raw - \(DecimalText.trimmed(origin, decimals: 2)))"
    return "\(DecimalText.significant(factor, digits: 5)) * \(raw)^\(DecimalText.fixed(exponent, decimals: 4))"
  }
}

// MARK: Fit

extension PowerLaw {
  /// A point: the logarithm of its raw value, its mass and its weight, each in units of the last point.
  private struct Sample {
    var logarithm: Double
    var mass: Double
    var weight: Double
  }

  /// Lighter points weigh no more than a point of this fraction of the heaviest.
  private static let lightest = 0.01

  /// The factor and the exponent with the least weighted squares: a straight line through the logarithms, then the
  /// method of Gauss and Newton with steps that are halved until they reduce the squares.
  private static func leastSquares(_ samples: [Sample]) -> (factor: Double, exponent: Double) {
    var (factor, exponent) = logarithmicLine(samples)
    func squares(_ factor: Double, _ exponent: Double) -> Double {
      samples.reduce(0) { sum, sample in
        let error = factor * exponential(exponent * sample.logarithm) - sample.mass
        return sum + sample.weight * error * error
      }
    }
    var least = squares(factor, exponent)
    for _ in 0..<50 {
      var (aa, ab, bb, ra, rb) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for sample in samples {
        let power = exponential(exponent * sample.logarithm)
        let byExponent = factor * power * sample.logarithm
        let error = sample.mass - factor * power
        aa += sample.weight * power * power
        ab += sample.weight * power * byExponent
        bb += sample.weight * byExponent * byExponent
        ra += sample.weight * power * error
        rb += sample.weight * byExponent * error
      }
      let determinant = aa * bb - ab * ab
      guard determinant > 1e-12 * aa * bb else { break }
      var step = (factor: (bb * ra - ab * rb) / determinant, exponent: (aa * rb - ab * ra) / determinant)
      var isBetter = false
      for _ in 0..<20 {
        let next = squares(factor + step.factor, exponent + step.exponent)
        isBetter = next < least
        if isBetter {
          least = next
          break
        }
        step = (step.factor / 2, step.exponent / 2)
      }
      guard isBetter else { break }
      (factor, exponent) = (factor + step.factor, exponent + step.exponent)
    }
    return (factor, exponent)
  }

  /// The straight line through the logarithms; an error of a mass m is an error of 1/m of its logarithm.
  private static func logarithmicLine(_ samples: [Sample]) -> (factor: Double, exponent: Double) {
    var (w, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for sample in samples {
      let weight = sample.weight * sample.mass * sample.mass
      let mass = naturalLogarithm(sample.mass)
      w += weight
      x += weight * sample.logarithm
      y += weight * mass
      xx += weight * sample.logarithm * sample.logarithm
      xy += weight * sample.logarithm * mass
    }
    let exponent = (w * xy - x * y) / (w * xx - x * x)
    return (exponential((y - exponent * x) / w), exponent)
  }
}

// MARK: Tabulation

extension PowerLaw {
  /// Pieces for each factor of two of the raw value. A cubic with the values and slopes of x^b at both ends of
  /// x...x(1 + h) is off by b(b - 1)(b - 2)(b - 3)h^4/384 of the value: at eight pieces 1e-7 for b = 1.5, and 2.1e-5 for
  /// b = 5.
  private static let piecesPerOctave = 8.0
  /// The fraction of the heaviest mass up to which the curve is straight. x^b has the slope 0 or infinity at 0, which
  /// the filter cannot use. With the straight piece, which is at least a count long, the slope at zero is at least this
  /// fraction of the mean slope. Above the first count the error is below 6e-5 of the heaviest mass for all exponents.
  private static let straightFraction = 1e-4

  /// The law as a table of cubic pieces, so that a conversion requires no power: a straight one from zero, then pieces of
  /// equal ratio up to twice the last point.
  var segments: [CubicSegment] {
    let aCount = min(1 / span, 1.0 / 16)
    let straight = exponential(naturalLogarithm(Self.straightFraction) / exponent)
    let first = max(straight, aCount)
    let length = naturalLogarithm(2 / first)
    let count = Int((length / naturalLogarithm(2) * Self.piecesPerOctave).rounded(.up))
    let ends = (0...count).map { first * exponential(length * Double($0) / Double(count)) }
    var segments = [
      CubicSegment(
        start: origin, end: origin + first * span, coefficients: [0, mass(at: first) / (first * span)])
    ]
    for (start, end) in zip(ends, ends.dropFirst()) {
      segments.append(
        CubicSegment(
          start: origin + start * span, end: origin + end * span, from: mass(at: start), to: mass(at: end),
          slopes: (slope(at: start), slope(at: end))))
    }
    return segments
  }

  /// The mass at a fraction of the range.
  private func mass(at part: Double) -> Double { massAtSpan * exponential(exponent * naturalLogarithm(part)) }

  /// Grams per count at a fraction of the range.
  private func slope(at part: Double) -> Double { exponent * mass(at: part) / (part * span) }
}
