/// The sample of a count that was too small: what would be enough.
///
/// The uncertainty of a larger sample is taken to be that of the small one, which is right for noise and division.
struct PieceSample {
  /// The mass of a piece.
  private let pieceMass: Grams
  /// One standard uncertainty of the net.
  private let uncertainty: Grams
  /// One standard deviation of the mass of a piece as a fraction of it.
  private let spread: Double

  /// At this spread a sample of 50 pieces carries a count of one if the reading is certain; at 0.1515 none does.
  private static let largestSpread = 0.15
  /// The interval of possible masses is halved this often: its end is known far better than its uncertainty.
  private static let bisections = 40

  /// Describes a sample.
  init(net: Grams, uncertainty: Grams, pieces: Int, spread: Double) {
    pieceMass = Grams(net.value / Double(pieces))
    (self.uncertainty, self.spread) = (uncertainty, spread)
  }

  /// What would be enough.
  ///
  /// - Parameters:
  ///   - limit: The largest net that the scale can weigh.
  ///   - isCalibrated: Whether the masses are more than nominal.
  func advice(limit: Grams, isCalibrated: Bool) -> RejectionDetail {
    if let number = smallestNumber(of: pieceMass), pieceMass.value * Double(number) <= limit.value {
      return .sampleTooSmall(pieces: number)
    }
    if spread > Self.largestSpread { return .spreadTooLarge(maximum: Self.largestSpread) }
    guard isCalibrated else { return .padNotCalibrated }
    return .pieceTooLight(minimum: leastMass(limit: limit))
  }

  /// The smallest number of pieces of a mass that is enough; `nil` if none is.
  private func smallestNumber(of mass: Grams) -> Int? {
    guard let number = PieceCounter.smallestSample(pieceMass: mass, uncertainty: uncertainty, spread: spread) else {
      return nil
    }
    // A square root is rounded: the number is tried.
    return (number...(number + 1)).first { isEnough($0, of: mass) }
  }

  private func isEnough(_ number: Int, of mass: Grams) -> Bool {
    let net = Grams(mass.value * Double(number))
    return (try? PieceCounter(sample: net, uncertainty: uncertainty, pieces: number, spread: spread)) != nil
  }

  /// The least mass of a piece of which enough pieces can be weighed.
  private func leastMass(limit: Grams) -> Grams {
    var (tooLight, enough) = (pieceMass.value, limit.value)
    for _ in 0..<Self.bisections {
      let middle = (tooLight + enough) / 2
      let number = smallestNumber(of: Grams(middle))
      let isEnough = number.map { middle * Double($0) <= limit.value } ?? false
      if isEnough { enough = middle } else { tooLight = middle }
    }
    return Grams(enough)
  }
}
