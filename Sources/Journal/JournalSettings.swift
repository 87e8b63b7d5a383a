import Weighing

/// Where a journal is.
package enum JournalPlace: Hashable, Sendable {
  /// A SQLite file at this path; made where there is none.
  case file(String)
  /// In memory, gone with the process.
  case memory
}

/// Where the random bits of an identifier come from.
package enum IdentifierSource: Hashable, Sendable {
  /// The system's generator: unique everywhere.
  case random
  /// The time, the sequence and the chain so far, by SHA-256: the same records have the same identifiers, for a replay.
  case derived
}

/// How many records wait to be delivered.
package struct OutboxDepth: Hashable, Sendable {
  /// Not yet acknowledged by the broker.
  package var waiting: Int
  /// Refused by the broker; kept and tried again later.
  package var parked: Int

  /// Makes a depth.
  package init(waiting: Int, parked: Int) {
    (self.waiting, self.parked) = (waiting, parked)
  }
}

/// A record in the outbox.
package struct OutboxEntry: Hashable, Sendable {
  /// What keeps it there.
  package enum State: Hashable, Sendable {
    /// No broker has acknowledged it yet.
    case waiting
    /// A broker has refused it: when (since 1970 in UTC), why, and whether it is to be tried again as soon as possible.
    case parked(at: Instant, reason: String, isDue: Bool)
  }

  /// The record.
  package var record: RecordedWeighing
  /// What keeps it there.
  package var state: State
}

/// A record and what became of it.
package struct HistoryEntry: Hashable, Sendable {
  /// The record.
  package var record: RecordedWeighing
  /// The record that voids it; `nil` where it stands.
  package var voidedBy: WeighingID?
  /// The last record that relabels it; `nil` where it has the label that it was recorded with.
  package var relabelledBy: WeighingID?
  /// The label as amended, of a void that of the weighing that it voids; `nil` for none.
  package var label: String?

  /// Whether it is a weighing that counts: not voided, and neither a void nor a relabel itself.
  package var isStanding: Bool { record.kind == .weighing && voidedBy == nil }

  /// Makes an entry.
  package init(
    record: RecordedWeighing, voidedBy: WeighingID? = nil, relabelledBy: WeighingID? = nil, label: String?
  ) {
    (self.record, self.voidedBy) = (record, voidedBy)
    (self.relabelledBy, self.label) = (relabelledBy, label)
  }
}
