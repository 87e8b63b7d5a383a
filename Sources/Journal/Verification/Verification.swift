import Languages
import Weighing

/// The result of `Journal.verify()`.
package struct Verification: Hashable, Sendable {
  /// Number of weighings checked, including voids and relabels.
  package var weighings = 0
  /// Number of audit entries checked.
  package var audits = 0
  /// All faults, in the order of the chain; empty for an intact journal.
  package var faults: [Fault] = []
  /// The losses that the journal itself has recorded; they are not faults.
  package var losses: [JournalLoss] = []
  /// Whether the high-water mark is unreadable. The next weighing writes it again; nothing is lost.
  package var isMarkDamaged = false

  /// Whether there are no faults.
  package var isClean: Bool { faults.isEmpty }

  /// One fault.
  package struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// Its kind.
    package var kind: Kind
    /// Its position in the chain; `nil` if it does not concern a single record.
    package var position: Int?
    /// The sequence number of the weighing; `nil` if it does not concern a weighing.
    package var sequence: Int?
    /// What is wrong; messages of SQLite are in English.
    package var sentence: Sentence

    /// The sentence in English.
    package var description: String { sentence.description }
  }

  /// The kinds of faults.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// SQLite finds the file damaged.
    case damaged
    /// Tables, indices or triggers differ from those of a journal.
    case schema
    /// A record was altered or is out of place.
    case altered
    /// A record is missing.
    case missing
    /// Numbers are inconsistent.
    case inconsistent
    /// The head does not match the last record.
    case head
  }
}
