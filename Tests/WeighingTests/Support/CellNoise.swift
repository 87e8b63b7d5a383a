import Recordings

/// The noise of a load cell and its converter, one standard deviation a sample.
struct CellNoise {
  /// The correlation of neighbouring samples.
  enum Kind: String, Sendable, CaseIterable {
    /// None.
    case white
    /// 0.5, and none beyond: the converter averages over two samples, like the HX711 of the real recordings.
    case averaged
    /// 0.5, and half as much with each further sample.
    case persistent
  }

  let kind: Kind
  private var random: SplitMix64
  private var last = 0.0

  init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    random = SplitMix64(seed: seed)
    last = random.gaussian()
  }

  mutating func next() -> Double {
    let fresh = random.gaussian()
    switch kind {
    case .white: return fresh
    case .averaged:
      defer { last = fresh }
      return (fresh + last) / 2.squareRoot()
    case .persistent:
      last = last / 2 + 0.75.squareRoot() * fresh
      return last
    }
  }
}
