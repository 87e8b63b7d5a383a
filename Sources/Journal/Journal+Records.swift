import Weighing

extension Journal {
  /// Says under which configuration and calibration records are made from now on.
  ///
  /// Where they differ from those noted last, the audit trail says so and counts it. They are remembered even when this
  /// throws, and are then noted, with the `time` given here, as soon as the journal can be written.
  ///
  /// - Parameter time: The time since 1970 in UTC.
  package func begin(
    configurationHash: String, calibrationHash: String, at time: Instant
  ) throws(JournalError) {
    remember(Terms(configurationHash: configurationHash, calibrationHash: calibrationHash, time: time))
    try append(at: time) { _, _ in }
  }

  /// Records only while no other appliance does, from now on; otherwise `append` throws `inUse`.
  package func recordExclusively() {
    try? withFile { (file) throws(JournalError) in file.isExclusive = true }
  }

  /// Records a weighing, or that one is voided or relabelled; when it returns, the record is on disk and in the outbox.
  ///
  /// A label loses the NUL characters in it.
  ///
  /// - Parameters:
  ///   - time: The time since 1970 in UTC; kept as given, even if the clock was set back.
  ///   - clock: Whether the clock that it was taken from is synchronised.
  /// - Returns: The record, and the newest weighing that is not voided after it, see `lastStanding()`.
  /// - Throws: `nothingToVoid` for a void or a relabel of a weighing that is voided already, or if none exists;
  ///   `unknownWeighing` where the identifier is not that of a weighing.
  package func append(
    _ draft: WeighingDraft, at time: Instant, clock: ClockState? = nil
  ) throws(JournalError) -> (record: RecordedWeighing, lastStanding: RecordedWeighing?) {
    let result: Result<(RecordedWeighing, RecordedWeighing?), ReferenceError> = try append(at: time) {
      appender, terms in
      do {
        let record = try appender.append(
          draft, configurationHash: terms?.configurationHash ?? "", clock: clock, at: time)
        return .success((record, try RecordedWeighing.lastStanding(appender.db)))
      } catch let error as ReferenceError {
        return .failure(error)
      }
    }
    switch result {
    case .success(let (record, last)): return (record, last)
    case .failure(.nothingToVoid): throw .nothingToVoid(path: path)
    case .failure(.unknown): throw .unknownWeighing(path: path)
    }
  }

  /// As `append`, where only the record matters.
  package func record(
    _ draft: WeighingDraft, at time: Instant, clock: ClockState? = nil
  ) throws(JournalError) -> RecordedWeighing {
    try append(draft, at: time, clock: clock).record
  }

  /// Notes something in the audit trail.
  ///
  /// - Parameter time: The time since 1970 in UTC.
  package func note(_ entry: AuditEntry, at time: Instant) throws(JournalError) {
    try append(at: time) { appender, _ in try appender.append(entry, at: time) }
  }
}
