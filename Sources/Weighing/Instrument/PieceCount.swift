/// The number of pieces of a reading.
public struct PieceCount: Hashable, Sendable {
  /// The mass of a piece.
  public var pieceMass: Grams
  /// The number of pieces, negative for what was taken out of a tared container; `nil` while nothing has settled,
  /// beyond `maximum`, and if not even one piece can be counted.
  public var pieces: Int?
  /// One standard uncertainty of the number; `nil` while nothing has settled.
  public var uncertainty: Double?
  /// The number up to which the count is certain; `nil` before the first load has settled.
  public var maximum: Int?
}

extension Grams {
  /// A standard uncertainty without one of the parts of which it is the sum of squares.
  func without(_ part: Grams) -> Grams { Grams(max(value * value - part.value * part.value, 0).squareRoot()) }
}

/// Counts the pieces of a load.
///
/// The number n = net / piece mass is uncertain by the piece mass, whose relative uncertainty all pieces share, by the
/// spread of the pieces on the pad, which averages out, and by the reading. Added as squares (JCGM 100:2008, 5.1.2):
///
///     u(n)² = n² · (u(sample)² / sample² + spread² / pieces in the sample) + n · spread² + (u(net) / piece mass)²
struct PieceCounter: Sendable {
  /// The mass of a piece.
  let pieceMass: Grams
  /// The relative variance of the piece mass.
  private let massVariance: Double
  /// One standard deviation of the mass of a piece as a fraction of it.
  private let spread: Double
  /// Whether the piece mass was weighed on this scale, so that a common factor of all masses does not matter.
  private let isRelative: Bool
  /// The uncertainty of the last settled reading; `nil` before.
  private var uncertainty: Grams?

  /// The spread as a fraction of the mass if none is given: that of parts made to a size. Source: the specification.
  static let usualSpread = 0.02
  /// The largest number of pieces of a sample and of a count.
  static let maximumPieces = 1_000_000
  /// A number is certain while this many standard uncertainties are less than half a piece: one count in a thousand of a
  /// normal distribution is further off.
  private static let coverage = 3.3
  private static let largestVariance = (0.5 / coverage) * (0.5 / coverage)

  /// Counts with a piece mass that is known.
  init(pieceMass: Grams, spread: Double) {
    (self.pieceMass, self.spread) = (pieceMass, spread)
    massVariance = 0
    isRelative = false
  }

  /// Counts with the mean piece mass of a settled load.
  ///
  /// - Parameter uncertainty: That of the load without the part that is common to all masses.
  /// - Throws: `Rejection.belowMinimum` if the load is too light to tell one piece from two.
  init(sample net: Grams, uncertainty: Grams, pieces: Int, spread: Double) throws(Rejection) {
    guard net > .zero else { throw .empty }
    pieceMass = Grams(net.value / Double(pieces))
    let relative = uncertainty.value / net.value
    massVariance = relative * relative + spread * spread / Double(pieces)
    self.spread = spread
    isRelative = true
    self.uncertainty = uncertainty
    guard maximum(at: uncertainty) >= 1 else { throw .belowMinimum }
  }

  /// The smallest number of pieces that is a sample for a count of one; `nil` if no number is.
  static func smallestSample(pieceMass: Grams, uncertainty: Grams, spread: Double) -> Int? {
    let relative = uncertainty.value / pieceMass.value
    let (square, single) = (relative * relative, spread * spread)
    let rest = largestVariance - single - square
    guard rest > 0 else { return nil }
    // With x = 1 / number, the limit is square x² + single x = rest; its positive root as in `maximum`.
    let number = (single + (single * single + 4 * square * rest).squareRoot()) / (2 * rest)
    guard number <= Double(maximumPieces) else { return nil }
    return max(Int(number.rounded(.up)), 1)
  }

  /// Counts the pieces of a reading.
  ///
  /// - Parameter common: The part of its uncertainty that is common to all masses.
  @inline(__always)
  mutating func count(_ reading: Reading, common: Grams) -> PieceCount {
    var result = PieceCount(pieceMass: pieceMass)
    if let settled = reading.uncertainty { uncertainty = isRelative ? settled.without(common) : settled }
    guard let uncertainty else { return result }
    let maximum = maximum(at: uncertainty)
    result.maximum = maximum
    let isSettled = reading.isStable || reading.state == .empty
    guard isSettled, let net = reading.highResolution else { return result }
    let number = (net.value / pieceMass.value).rounded()
    result.uncertainty = variance(of: number.magnitude, at: uncertainty).squareRoot()
    // If one piece is not certain, an empty pad is not certain either.
    if maximum > 0, number.magnitude <= Double(maximum) { result.pieces = Int(number) }
    return result
  }

  private func variance(of number: Double, at uncertainty: Grams) -> Double {
    let reading = uncertainty.value / pieceMass.value
    return number * number * massVariance + number * spread * spread + reading * reading
  }

  /// The largest number whose variance is not above the limit; 0 if the reading alone exceeds it.
  private func maximum(at uncertainty: Grams) -> Int {
    let rest = Self.largestVariance - variance(of: 0, at: uncertainty)
    guard rest > 0 else { return 0 }
    let single = spread * spread
    // The positive root of massVariance n² + single n = rest, in the form that needs no division by a small number.
    let divisor = single + (single * single + 4 * massVariance * rest).squareRoot()
    let root = divisor > 0 ? 2 * rest / divisor : .infinity
    return Int(min(root, Double(Self.maximumPieces)))
  }
}
