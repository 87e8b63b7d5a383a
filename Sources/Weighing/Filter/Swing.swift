/// Detects a load that swings: the user stirs, or a pan sways.
///
/// The turning points of a swing look like rest, and so does its end while it fades. A turn counts once the load
/// differs from the extreme by four limits of motion and by five of its own standard deviations, far more than noise or
/// a hand that releases a cup. Two turns a tenth of a second to a second apart are a swing. (A plate that rings on its
/// sensor turns faster.)
struct Swing: Sendable {
  private var furthest: Double?
  private var isRising = true
  private var lastTurn: Instant?
  private var seen: Instant?

  private static let limits = 4.0
  private static let deviations = 5.0
  private static let shortest = Interval.milliseconds(80)
  private static let longest = Interval.seconds(1)

  /// Evaluates a load and its standard deviation in grams.
  mutating func follow(_ mass: Double, deviation: Double, limit: Double, at instant: Instant) {
    guard let furthest else {
      furthest = mass
      return
    }
    let away = mass - furthest
    if isRising == (away > 0) {
      self.furthest = mass
    } else if away.magnitude > Self.limits * limit + Self.deviations * deviation {
      isRising.toggle()
      self.furthest = mass
      if let lastTurn, instant - lastTurn >= Self.shortest, instant - lastTurn <= Self.longest { seen = instant }
      lastTurn = instant
    }
  }

  /// Whether the load swung within the second before a moment, or after it.
  func isRecent(at instant: Instant) -> Bool {
    seen.map { instant < $0 + Self.longest } ?? false
  }
}
