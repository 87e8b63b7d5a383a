/// Recognises each load that is put on an empty scale, once, when it comes to rest.
///
/// ```
///              empty                       at rest
///   unknown ──────────► waiting for a load ────────► arrived
///                                ▲                      │
///                                └─────── empty ────────┘
/// ```
///
/// A load that is on the pad at the start is unknown: it may have been handled in an earlier run. A recording that begins
/// with a touch-down shows that the pad was empty before.
///
/// The load has rested for the time of stability since the pad was left empty: a reading may still be that of the rest
/// before while the first gram of the load is put down.
struct LoadArrival: Sendable {
  /// What tells a load at rest from none.
  struct Limits: Sendable {
    /// How long a load at rest has not moved.
    var rest = Interval.zero
    /// What noise can show on an empty pad.
    var noise = Grams.zero
  }

  private var isWaiting = false
  /// When the pad was left empty; `nil` while it is.
  private var leftEmpty: Instant?

  /// Observes a reading; returns whether its load has arrived.
  ///
  /// - Parameter isLoad: Whether a load at rest counts as one. One that does not leaves the scale waiting.
  @inline(__always)
  mutating func observe(_ reading: Reading, _ limits: Limits, isLoad: Bool) -> Bool {
    guard isAwaited(reading, limits), isLoad else { return false }
    arrive()
    return true
  }

  /// Observes a reading; returns whether its load is at rest and has not arrived.
  @inline(__always)
  mutating func isAwaited(_ reading: Reading, _ limits: Limits) -> Bool {
    if reading.state == .empty || isBackAtZero(reading) {
      isWaiting = true
      leftEmpty = nil
      return false
    }
    guard isWaiting, reading.state != .offline else { return false }
    let begin = leftEmpty ?? reading.time
    leftEmpty = begin
    return reading.state == .stable && begin + limits.rest <= reading.time
      && reading.gross.mass.magnitude > limits.noise
  }

  /// Whether the load has been on the pad for so long that its reading will not become more certain.
  func hasRested(_ reading: Reading, _ limits: Limits) -> Bool {
    leftEmpty.map { $0 + limits.rest * Self.certainRest <= reading.time } ?? true
  }

  /// In multiples of the time of stability. Chosen: the standard deviation of a mean has halved then.
  private static let certainRest = 4

  /// When a load that is at rest by then has arrived; `nil` if none is awaited.
  func deadline(_ limits: Limits) -> Instant? { isWaiting ? leftEmpty.map { $0 + limits.rest } : nil }

  /// The pad was empty until now.
  mutating func expectLoad() { isWaiting = true }

  /// The load has arrived.
  @inline(__always)
  mutating func arrive() {
    isWaiting = false
    leftEmpty = nil
  }

  /// Whether what was on the pad has been taken away without the pad being empty, as above a load that was zeroed.
  @inline(__always)
  private func isBackAtZero(_ reading: Reading) -> Bool { reading.state == .stable && reading.isInsideZero }
}
