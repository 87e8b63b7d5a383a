import Weighing

/// The location of a journal.
package enum JournalLocation: Hashable, Sendable {
  /// A SQLite file at this path; created if missing.
  case file(String)
  /// In memory, for the lifetime of the process.
  case memory

  /// The path, for errors.
  var path: String {
    switch self {
    case .file(let path): path
    case .memory: ":memory:"
    }
  }
}

/// The source of the random bits of an id.
package enum IdentifierSource: Hashable, Sendable {
  /// The system's random generator: globally unique.
  case random
  /// SHA-256 of the time, the sequence and the chain so far: the same records have the same ids, for a replay.
  case derived
}

/// Number of records that wait to be delivered.
package struct OutboxDepth: Hashable, Sendable {
  /// Not yet acknowledged by the broker.
  package var waiting: Int
  /// Rejected by the broker; kept and retried later.
  package var parked: Int

  /// Makes a depth.
  package init(waiting: Int, parked: Int) { (self.waiting, self.parked) = (waiting, parked) }
}

/// A record in the outbox.
package struct OutboxEntry: Hashable, Sendable {
  /// Why it is in the outbox.
  package enum State: Hashable, Sendable {
    /// No broker has acknowledged it yet.
    case waiting
    /// A broker has rejected it: when (since 1970 in UTC), why, and whether it is due for a retry.
    case parked(at: Instant, reason: String, isDue: Bool)
  }

  /// The record.
  package var record: RecordedWeighing
  /// Why it is in the outbox.
  package var state: State
}

/// A record and its later changes.
package struct HistoryEntry: Hashable, Sendable {
  /// The record.
  package var record: RecordedWeighing
  /// The record that voids it; `nil` if it is not voided.
  package var voidedBy: WeighingID?
  /// The last record that relabels it; `nil` if its label was not changed.
  package var relabelledBy: WeighingID?
  /// The effective label, for a void that of the voided weighing; `nil` for no label.
  package var label: String?

  /// Whether it is a valid weighing: not voided, and neither a void nor a relabel itself.
  package var isStanding: Bool { record.kind == .weighing && voidedBy == nil }

  /// Makes an entry.
  package init(
    record: RecordedWeighing, voidedBy: WeighingID? = nil, relabelledBy: WeighingID? = nil, label: String?
  ) {
    (self.record, self.voidedBy) = (record, voidedBy)
    (self.relabelledBy, self.label) = (relabelledBy, label)
  }
}
