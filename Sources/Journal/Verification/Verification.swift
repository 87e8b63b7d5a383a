/// What `Journal.verify()` has looked at, and what is wrong.
package struct Verification: Hashable, Sendable {
  /// How many weighings (records that strike one included) were checked.
  package var weighings = 0
  /// How many entries of the audit trail were checked.
  package var audits = 0
  /// All that is wrong, in the order of the chain; empty for a journal in order.
  package var faults: [Fault] = []
  /// The losses that the journal itself has reported; no faults.
  package var losses: [JournalLoss] = []
  /// Whether the high-water mark cannot be read. The next weighing writes it again; nothing is lost by that.
  package var isMarkDamaged = false

  /// Whether nothing is wrong.
  package var isClean: Bool { faults.isEmpty }

  /// One thing that is wrong.
  package struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// What sort of thing.
    package var kind: Kind
    /// Where in the chain; `nil` when it is not about one record.
    package var position: Int?
    /// The weighing's number; `nil` when it is not about a weighing.
    package var sequence: Int?
    /// What is wrong, in words.
    package var description: String
  }

  /// The sorts of faults.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The file itself is damaged, as SQLite sees it.
    case damaged
    /// Tables, indices or triggers differ from those of a journal.
    case schema
    /// A record is not what was recorded, or not in its place.
    case altered
    /// A record is gone.
    case missing
    /// Numbers contradict each other.
    case inconsistent
    /// The head does not agree with the last record.
    case head
  }
}
