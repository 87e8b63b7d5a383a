/// The earliest of several instants, some of which may be missing.
struct EarliestInstant {
  /// The earliest so far; `nil` while all are missing.
  private(set) var instant: Instant?

  /// Includes an instant, if there is one.
  @inline(__always)
  mutating func include(_ other: Instant?) {
    if let other, other < instant ?? other + Interval(nanoseconds: 1) { instant = other }
  }
}
