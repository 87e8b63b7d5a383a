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

  /// Records a weighing, or strikes the last one; when it returns, the record is on disk and in the outbox.
  ///
  /// A label loses the NUL characters in it.
  ///
  /// - Parameter time: The time since 1970 in UTC; kept as given, even if the clock was set back.
  /// - Throws: `nothingToVoid` for a void when the last weighing is struck already or there has been none.
  package func record(_ draft: WeighingDraft, at time: Instant) throws(JournalError) -> RecordedWeighing {
    let record = try append(at: time) { appender, terms in
      try appender.append(draft, configurationHash: terms?.configurationHash ?? "", at: time)
    }
    guard let record else { throw .nothingToVoid(path: path) }
    return record
  }

  /// Notes something in the audit trail.
  ///
  /// - Parameter time: The time since 1970 in UTC.
  package func note(_ entry: AuditEntry, at time: Instant) throws(JournalError) {
    try append(at: time) { appender, _ in try appender.append(entry, at: time) }
  }
}
