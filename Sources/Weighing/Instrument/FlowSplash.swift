/// A stream that splashes: it arrives in lumps, the larger the faster it is.
struct FlowSplash: Sendable {
  /// Whether the flow has been certain since it began.
  private var isKnown = false
  /// Whether the flow is too young to be shown.
  private(set) var hidesFlow = false

  /// How far it is from a steady stream, in seconds of flow: recorded pours scatter by 0.03 to 0.1 s.
  private static let lump = 0.1
  /// The blocks from which on a flow shows that it is steady, and the newest ones, which may be another movement.
  private static let fewestForUnevenness = 15
  private static let newest = 6
  /// The slope of a line through a flow that splashes is as certain as this, in grams per second, if that can be.
  static let accuracy = 0.08
  /// The scatter up to which it is steady, and the one that it is then allowed, as multiples of the variance of the
  /// noise.
  private static let steadiness = 2.0
  private static let unevenness = 4.0
  /// A young flow that splashes is shown once its slope is as certain as this, in grams per second, or it is older than
  /// this, in seconds.
  private static let clarity = 0.8
  private static let patience = 3.0

  /// The variance of one sample of a stream: it arrives in lumps, unless the last seconds show that it is steadier.
  ///
  /// - Parameters:
  ///   - rate: In grams per second.
  ///   - line: The line through its window.
  ///   - window: The first block of that.
  ///   - variance: The variance of one sample, as the blocks scatter.
  static func variance(
    _ rate: Double, _ line: FlowLine, _ history: FlowHistory, from window: Int, _ variance: Double
  ) -> Double {
    let lumps = lump * lump * rate * rate * line.weight / Double(max(line.blocks, 1))
    guard lumps > variance, line.blocks >= fewestForUnevenness else { return max(lumps, variance) }
    let old = history.line(from: window, to: history.count - newest)
    let isSteady = old.residual < steadiness * variance * Double(old.blocks - 2)
    return isSteady ? min(lumps, unevenness * variance) : lumps
  }

  /// Hides a young flow while it scatters more than the noise and its slope is uncertain.
  ///
  /// - Parameters:
  ///   - line: The line that shows how fast the load flows; `nil` if it does not.
  ///   - age: Of the flow, in seconds.
  ///   - variance: The variance of one sample, as the blocks scatter.
  ///   - noise: That of the noise.
  mutating func follow(_ line: FlowLine?, age: Double, _ variance: Double, noise: Double) {
    hidesFlow = false
    isKnown = isKnown && line != nil
    guard let line, !isKnown else { return }
    let spread = max(variance, line.residual / Double(max(line.blocks - 2, 1)))
    hidesFlow =
      age < Self.patience && spread > Self.steadiness * noise
      && line.slopeDeviation(variance: spread) > Self.clarity
    isKnown = !hidesFlow
  }
}
