/// The load-cell converter that the configuration selects, and how to read it (`pad.device: {iio: NAME}`, `pad.channel`,
/// `pad.invert`, `pad.rate_hz`, `pad.gain`).
package struct ConverterSettings: Hashable, Sendable {
  /// The name of the IIO device; `nil` for the first known converter.
  package var name: String?
  /// The channel, `voltage0` or `voltage0-voltage1`.
  package var channel: String
  /// Whether a load decreases the counts.
  package var isInverted: Bool
  /// The rate that the converter is meant to have; `nil` for any.
  package var rate: SampleRate?
  /// The gain that the converter is meant to have; `nil` for any.
  package var gain: Double?

  /// Makes settings.
  package init(
    name: String? = nil, channel: String = "voltage0", isInverted: Bool = false, rate: SampleRate? = nil,
    gain: Double? = nil
  ) {
    self.name = name
    self.channel = channel
    self.isInverted = isInverted
    self.rate = rate
    self.gain = gain
  }
}

/// A number of samples or readings per second.
public struct SampleRate: Hashable, Sendable, CustomStringConvertible {
  /// Samples per second, above 0.
  package var perSecond: Double

  /// Makes a rate; `nil` unless it is finite and above 0.
  package init?(perSecond: Double) {
    guard perSecond > 0, perSecond.isFinite else { return nil }
    self.perSecond = perSecond
  }

  /// Makes a rate that is known to be finite and above 0.
  package init(_ perSecond: Double) { self.perSecond = perSecond }

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
