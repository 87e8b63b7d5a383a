/// Detects a load that swings: the user stirs, or a pan sways.
///
/// The turning points of a swing look like rest, and so does its end while it fades. A turn counts once the load
/// differs from the extreme by four limits of motion and by five of its own standard deviations, far more than noise or
/// a hand that releases a cup. Two turns 80 ms to a second apart are a swing. (A plate that rings on its
/// sensor turns faster.) While a swing fades, less than that is a turn.
struct Swing: Sendable {
  private var furthest: Double?
  private var isRising = true
  /// The extreme before `furthest`.
  private var opposite: Double?
  private var lastTurn: Instant?
  private var turnBefore: Instant?
  private var wasNarrow = false
  private var seen: Instant?
  /// The time from one turn to the next but one of a swing of a few limits; zero for a wider one, whose turning points
  /// do not look like rest, and which may be two presses.
  private(set) var period = Interval.zero

  /// The least distance of a turn in limits of motion and in standard deviations, at first and while a swing fades.
  private static let first = (limits: 4.0, deviations: 5.0)
  private static let fading = (limits: 1.0, deviations: 3.0)
  private static let shortest = Interval.milliseconds(80)  // Between two turns.
  private static let longest = Interval.seconds(1)  // Between two turns, and since the last one.
  /// The widest swing whose period counts, in limits of motion: a press of added force is wider.
  private static let widest = 16.0

  /// Evaluates a load and its standard deviation in grams.
  mutating func follow(_ mass: Double, deviation: Double, limit: Double, at instant: Instant) {
    guard let furthest else {
      furthest = mass
      return
    }
    let away = mass - furthest
    let least = isRecent(at: instant) ? Self.fading : Self.first
    if isRising == (away > 0) {
      self.furthest = mass
    } else if away.magnitude > least.limits * limit + least.deviations * deviation {
      isRising.toggle()
      let isNarrow = (furthest - (opposite ?? mass)).magnitude <= Self.widest * limit
      if let lastTurn, instant - lastTurn >= Self.shortest, instant - lastTurn <= Self.longest {
        seen = instant
        period = isNarrow && wasNarrow ? lastPeriod(to: instant, since: lastTurn) : .zero
      }
      wasNarrow = isNarrow
      turnBefore = lastTurn
      opposite = furthest
      self.furthest = mass
      lastTurn = instant
    }
  }

  /// From the last turn but one; the two halves of a swing are not seen equally soon.
  private func lastPeriod(to instant: Instant, since lastTurn: Instant) -> Interval {
    let half = (instant - lastTurn) * 2
    guard let turnBefore, instant - turnBefore <= Self.longest * 2 else { return half }
    return instant - turnBefore
  }

  /// Whether the load swung within the second before a moment, or after it.
  func isRecent(at instant: Instant) -> Bool { seen.map { instant < $0 + Self.longest } ?? false }
}
