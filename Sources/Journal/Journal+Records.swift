import Weighing

extension Journal {
  /// Sets the configuration and calibration for new records.
  ///
  /// If they differ from the last recorded ones, an entry is added to the audit trail. They are kept even if this
  /// throws, and are then recorded, with the `time` given here, as soon as the journal can be written.
  ///
  /// - Parameter time: The time since 1970 in UTC.
  package func begin(
    configurationHash: String, calibrationHash: String, at time: Instant
  ) throws(JournalError) {
    set(RecordSettings(configurationHash: configurationHash, calibrationHash: calibrationHash, time: time))
    try append(at: time) { _, _ in }
  }

  /// From now on, records only while no other instance does; otherwise `append` throws `inUse`.
  package func recordExclusively() { try? withFile { (file) throws(JournalError) in file.excludeOthers() } }

  /// Records a weighing, a void or a relabel; on return, the record is on disk and in the outbox.
  ///
  /// NUL characters are removed from a label.
  ///
  /// - Parameters:
  ///   - time: The time since 1970 in UTC; stored as given, even if the clock was set back.
  ///   - clock: Whether the clock that provided the time is synchronised.
  /// - Returns: The record, the newest weighing that is not voided after it (see `lastStanding()`), and the number of the
  ///   weighing that it voids or relabels.
  /// - Throws: `nothingToVoid` for a void or a relabel if the weighing is already voided or there is none;
  ///   `unknownWeighing` if the id or the number is not that of a weighing.
  package func append(
    _ draft: WeighingDraft, at time: Instant, clock: ClockState? = nil
  ) throws(JournalError) -> (record: RecordedWeighing, lastStanding: RecordedWeighing?, subject: Int?) {
    let result: Result<(RecordedWeighing, RecordedWeighing?, Int?), ReferenceError> = try append(at: time) {
      appender, settings in
      do {
        let record = try appender.append(
          draft, configurationHash: settings?.configurationHash ?? "", clock: clock, at: time)
        let subject = try (record.voids ?? record.amends).flatMap { try RecordedWeighing.sequence(of: $0, appender.db) }
        return .success((record, try RecordedWeighing.lastStanding(appender.db), subject))
      } catch let error as ReferenceError {
        return .failure(error)
      }
    }
    switch result {
    case .success(let appended): return appended
    case .failure(.nothingToVoid): throw .nothingToVoid(path: path)
    case .failure(.unknown): throw .unknownWeighing(path: path)
    }
  }

  /// As `append`, returning only the record.
  package func record(
    _ draft: WeighingDraft, at time: Instant, clock: ClockState? = nil
  ) throws(JournalError) -> RecordedWeighing {
    try append(draft, at: time, clock: clock).record
  }

  /// Adds an entry to the audit trail.
  ///
  /// - Parameter time: The time since 1970 in UTC.
  package func append(_ entry: AuditEntry, at time: Instant) throws(JournalError) {
    try append(at: time) { appender, _ in try appender.append(entry, at: time) }
  }
}
