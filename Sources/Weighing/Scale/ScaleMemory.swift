/// The state of a scale that survives a restart.
public struct ScaleMemory: Hashable, Sendable {
  /// The tare, unrounded.
  public var tare: Grams
  /// The number of tare and zero changes.
  public var tareEpoch: Int
  /// The highest epoch that may have been published, at least `tareEpoch`: a run that was killed may have published
  /// epochs that it did not store.
  public var highestEpoch: Int
  /// The axis value under the learned plate alone; `nil` without one.
  public var plateCounts: Double?
  /// When the calibrated zero was measured that was known then, RFC 3339 in UTC; `""` without one, `nil` if that is not known.
  public var calibratedZeroDate: String?
  /// The pad, axis and surface to which tare and plate belong; `""` before the first pad.
  public var pad: String
  /// The container whose tare is in force; `nil` for another tare.
  public var container: ContainerName?

  /// Makes a state; the defaults are those of an unused scale.
  public init(
    tare: Grams = .zero, tareEpoch: Int = 0, highestEpoch: Int? = nil, plateCounts: Double? = nil,
    calibratedZeroDate: String? = nil, pad: String = "", container: ContainerName? = nil
  ) {
    (self.tare, self.tareEpoch) = (tare, tareEpoch)
    self.highestEpoch = max(highestEpoch ?? tareEpoch, tareEpoch)
    (self.plateCounts, self.calibratedZeroDate) = (plateCounts, calibratedZeroDate)
    (self.pad, self.container) = (pad, container)
  }
}
