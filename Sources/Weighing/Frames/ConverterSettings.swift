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
    (self.name, self.channel, self.isInverted, self.rate, self.gain) = (name, channel, isInverted, rate, gain)
  }
}
