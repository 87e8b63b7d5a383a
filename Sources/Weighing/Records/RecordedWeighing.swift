/// A weighing that is on disk: never changed afterwards, only struck by a later record.
public struct RecordedWeighing: Hashable, Sendable {
  /// Tells it from all others, everywhere and for ever.
  public var id: WeighingID
  /// Its number in the journal, from 1 on, without gaps.
  public var sequence: Int
  /// When it was confirmed: the time since 1970 in UTC.
  public var time: Instant
  /// What was weighed; in a record that strikes another, what that one had weighed.
  public var measurement: Measurement
  /// The label; `nil` for none.
  public var label: String?
  /// Who asked for it.
  public var source: ActionSource
  /// Counts the calibrations that this journal has seen.
  public var calibrationCounter: Int
  /// Tells the configuration under which it was made.
  public var configurationHash: String
  /// The record that this one strikes; `nil` for a weighing.
  public var voids: WeighingID?

  /// Makes a record.
  public init(
    id: WeighingID, sequence: Int, time: Instant, measurement: Measurement, label: String?, source: ActionSource,
    calibrationCounter: Int, configurationHash: String, voids: WeighingID?
  ) {
    self.id = id
    self.sequence = sequence
    self.time = time
    self.measurement = measurement
    self.label = label
    self.source = source
    self.calibrationCounter = calibrationCounter
    self.configurationHash = configurationHash
    self.voids = voids
  }
}

/// What became of a draft.
public struct RecordOutcome: Hashable, Sendable {
  /// The draft.
  public var draft: WeighingDraft
  /// The record, or why there is none.
  public var result: Result<RecordedWeighing, Rejection>

  /// Makes an outcome.
  public init(draft: WeighingDraft, result: Result<RecordedWeighing, Rejection>) {
    self.draft = draft
    self.result = result
  }
}
