import Weighing

/// The kinds of entries in the audit trail.
package enum AuditKind: String, Hashable, Sendable, CaseIterable {
  /// The calibration has changed.
  case calibration
  /// The configuration has changed.
  case configuration
  /// The zero was set.
  case zero
  /// A weighing was voided.
  case void
  /// A file was created, as the first one or as the continuation of an unreadable one; or a backup was restored.
  case journal
  /// A container was stored or removed.
  case container
}

/// A new entry for the audit trail.
package struct AuditEntry: Hashable, Sendable {
  /// Its kind.
  package let kind: AuditKind
  /// Its detail: a JSON object with sorted keys.
  package let detail: String

  /// The zero was set.
  package static let zero = AuditEntry(kind: .zero, detail: "{}")
}

/// An entry of the audit trail.
package struct AuditRecord: Hashable, Sendable {
  /// Its position in the chain, which also contains the weighings.
  package var position: Int
  /// The sequence number of the last weighing before it.
  package var sequence: Int
  /// When it was recorded: the time since 1970 in UTC.
  package var time: Instant
  /// Kind and detail.
  package var entry: AuditEntry
  /// Counts the entries of this kind; never decreases, not even with a new file.
  package var counter: Int
}
