import Weighing

/// What the audit trail tells of besides the weighings themselves.
package enum AuditKind: String, Hashable, Sendable, CaseIterable {
  /// Another calibration is in force from here on.
  case calibration
  /// Another configuration is in force from here on.
  case configuration
  /// The zero was set.
  case zero
  /// A weighing was voided.
  case void
  /// A file was begun: the first one, or one that goes on where an unreadable one ended; or a backup was restored.
  case journal
}

/// Something to be noted in the audit trail.
package struct AuditEntry: Hashable, Sendable {
  /// What kind of thing.
  package let kind: AuditKind
  /// A JSON object that tells more, keys sorted.
  package let detail: String

  /// The zero was set.
  package static let zero = AuditEntry(kind: .zero, detail: "{}")
}

/// An entry of the audit trail.
package struct AuditRecord: Hashable, Sendable {
  /// Its place in the chain, which it shares with the weighings.
  package var position: Int
  /// The number of the last weighing before it.
  package var sequence: Int
  /// When it was noted: the time since 1970 in UTC.
  package var time: Instant
  /// What was noted, with its detail.
  package var entry: AuditEntry
  /// Counts the entries of this kind; never goes back, not even when a file is begun anew.
  package var counter: Int
}
