/// A record that is on disk: a weighing, or one that voids or relabels an earlier weighing. It is never changed.
///
/// A void is a reversing entry: its masses are the negatives of those it voids. A relabel has masses of 0. So the sum of
/// the net over all records is right without a filter.
public struct RecordedWeighing: Hashable, Sendable {
  /// What a record is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A confirmed weighing.
    case weighing
    /// It voids a weighing.
    case void
    /// It gives a weighing another label.
    case relabel
  }

  /// Tells it from all others, everywhere.
  public var id: WeighingID
  /// Its number in the journal, from 1, without gaps.
  public var sequence: Int
  /// When it was confirmed: the time since 1970 in UTC.
  public var time: Instant
  /// What was weighed; in a void the negative of that, in a relabel nothing.
  public var measurement: Measurement
  /// The label, `nil` for none; in a void that of the weighing as it was recorded, in a relabel the new one.
  public var label: String?
  /// Who asked for it.
  public var source: ActionSource
  /// Counts the calibrations that this journal has seen.
  public var calibrationCounter: Int
  /// Tells the configuration under which it was made.
  public var configurationHash: String
  /// The weighing that this record voids; `nil` for any other kind.
  public var voids: WeighingID?
  /// The weighing that this record relabels; `nil` for any other kind.
  public var amends: WeighingID?
  /// Whether the system clock was synchronised when `time` was taken; `nil` where that was not recorded yet.
  public var clock: ClockState?

  /// Makes a record.
  public init(
    id: WeighingID, sequence: Int, time: Instant, measurement: Measurement, label: String?, source: ActionSource,
    calibrationCounter: Int, configurationHash: String, voids: WeighingID?, amends: WeighingID? = nil,
    clock: ClockState? = nil
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
    self.amends = amends
    self.clock = clock
  }

  /// What this record is.
  public var kind: Kind { voids != nil ? .void : amends != nil ? .relabel : .weighing }
}

/// Whether the time of day can be trusted.
public enum ClockState: String, Hashable, Sendable, CaseIterable {
  /// The kernel says that a time source disciplines the clock.
  case synchronised
  /// It does not: the time may be off by any amount.
  case unsynchronised
}

/// What became of a draft.
public struct RecordOutcome: Hashable, Sendable {
  /// The draft.
  public var draft: WeighingDraft
  /// The record, or why there is none.
  public var result: Result<RecordedWeighing, Rejection>
  /// The newest weighing that is not voided, with its label as amended, after the record; `nil` if none exists.
  public var last: RecordedWeighing?

  /// Makes an outcome.
  public init(
    draft: WeighingDraft, result: Result<RecordedWeighing, Rejection>, last: RecordedWeighing? = nil
  ) {
    self.draft = draft
    self.result = result
    self.last = last
  }
}
