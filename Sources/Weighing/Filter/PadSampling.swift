/// How the pad samples the load, as measured.
public struct PadSampling: Hashable, Sendable {
  /// The time between two samples.
  public var period: Interval
  /// The noise of one sample near the last load, one standard deviation; zero before the first load.
  public var noise: Grams
  /// Whether each sample arrives, repeated values included: the description of the pad says so, or its arrivals show it.
  /// Otherwise silence is a repeated value.
  public var deliversEverySample: Bool

  /// The sample rate in samples per second.
  public var rate: Double { 1 / period.seconds }
}
