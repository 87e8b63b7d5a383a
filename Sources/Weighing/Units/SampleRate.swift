/// A number of samples or readings per second.
public struct SampleRate: Hashable, Sendable, CustomStringConvertible {
  /// Samples per second, above 0.
  public let perSecond: Double

  /// Makes a rate; `nil` unless it is finite and above 0.
  public init?(perSecond: Double) {
    guard perSecond > 0, perSecond.isFinite else { return nil }
    self.perSecond = perSecond
  }

  /// Makes a rate that is known to be finite and above 0.
  package init(_ perSecond: Double) {
    precondition(perSecond > 0 && perSecond.isFinite, "a rate is finite and above 0")
    self.perSecond = perSecond
  }

  /// The time from one sample to the next.
  package var period: Interval { .seconds(1 / perSecond) }

  /// The rate as text, `10 samples/s`.
  public var description: String { "\(text) samples/s" }

  /// The number of samples in a second.
  package var text: String { DecimalText.trimmed(perSecond, decimals: 2) }

  /// Whether two rates are equal within a fraction of the other.
  package func isNear(_ other: SampleRate, within fraction: Double) -> Bool {
    (perSecond - other.perSecond).magnitude <= fraction * other.perSecond
  }
}
