/// A record on disk: a weighing, or a record that voids or relabels an earlier weighing. Records never change.
///
/// A void is a reversing entry: its masses are the negatives of those of the weighing. A relabel has masses of 0. The
/// sum of the net over all records is therefore correct without a filter.
public struct RecordedWeighing: Hashable, Sendable {
  /// The kind of a record.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A confirmed weighing.
    case weighing
    /// It voids a weighing.
    case void
    /// It gives a weighing another label.
    case relabel
  }

  /// The globally unique identifier.
  public var id: WeighingID
  /// The number in the journal, from 1, without gaps.
  public var sequence: Int
  /// The time of the confirmation, since 1970 in UTC.
  public var time: Instant
  /// The measurement; negative in a void, zero in a relabel.
  public var measurement: Measurement
  /// The label, `nil` for none; in a void the originally recorded label of the weighing, in a relabel the new one.
  public var label: String?
  /// The source of the request.
  public var source: ActionSource
  /// The number of calibrations in this journal so far.
  public var calibrationCounter: Int
  /// Identifies the configuration in force.
  public var configurationHash: String
  /// The weighing that this record voids; `nil` for any other kind.
  public var voids: WeighingID?
  /// The weighing that this record relabels; `nil` for any other kind.
  public var amends: WeighingID?
  /// Whether the system clock was synchronised at `time`; `nil` in records of versions that did not store this.
  public var clock: ClockState?

  /// Makes a record.
  public init(
    id: WeighingID, sequence: Int, time: Instant, measurement: Measurement, label: String?, source: ActionSource,
    calibrationCounter: Int, configurationHash: String, voids: WeighingID?, amends: WeighingID? = nil,
    clock: ClockState? = nil
  ) {
    (self.id, self.sequence, self.time, self.measurement) = (id, sequence, time, measurement)
    (self.label, self.source, self.calibrationCounter) = (label, source, calibrationCounter)
    (self.configurationHash, self.voids, self.amends, self.clock) = (configurationHash, voids, amends, clock)
  }

  /// The kind of this record.
  public var kind: Kind { voids != nil ? .void : amends != nil ? .relabel : .weighing }
}

/// Whether the system clock is reliable.
public enum ClockState: String, Hashable, Sendable, CaseIterable {
  /// The kernel reports that a time source disciplines the clock.
  case synchronised
  /// The clock is not synchronised; its time may be wrong by any amount.
  case unsynchronised
}

/// The journal's answer to a draft.
public struct RecordOutcome: Hashable, Sendable {
  /// The draft.
  public var draft: WeighingDraft
  /// The record, or why it was rejected.
  public var result: Result<RecordedWeighing, Rejection>
  /// The newest weighing that is not voided, with its current label; `nil` if there are no weighings.
  public var last: RecordedWeighing?
  /// The number of the weighing that the record voids or relabels.
  public var subject: Int?

  /// Makes an outcome.
  public init(
    draft: WeighingDraft, result: Result<RecordedWeighing, Rejection>, last: RecordedWeighing? = nil,
    subject: Int? = nil
  ) {
    (self.draft, self.result, self.last, self.subject) = (draft, result, last, subject)
  }
}
