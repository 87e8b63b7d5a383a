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
struct LoadArrival: Sendable {
  private var isWaiting = false

  /// Observes a reading; returns whether its load has arrived.
  ///
  /// - Parameter isLoad: Whether a load at rest counts as one. One that does not leaves the scale waiting.
  @inline(__always)
  mutating func observe(_ reading: Reading, isLoad: Bool) -> Bool {
    guard isAwaited(reading), isLoad else { return false }
    arrive()
    return true
  }

  /// Observes a reading; returns whether its load is at rest and has not arrived.
  @inline(__always)
  mutating func isAwaited(_ reading: Reading) -> Bool {
    if reading.state == .empty || isBackAtZero(reading) {
      isWaiting = true
      return false
    }
    return isWaiting && reading.state == .stable
  }

  /// The pad was empty until now.
  mutating func expectLoad() { isWaiting = true }

  /// The load has arrived.
  @inline(__always)
  mutating func arrive() { isWaiting = false }

  /// Whether what was on the pad has been taken away without the pad being empty, as above a load that was zeroed.
  @inline(__always)
  private func isBackAtZero(_ reading: Reading) -> Bool {
    reading.state == .stable && reading.isInsideZero
  }
}
