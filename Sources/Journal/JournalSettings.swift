import Weighing

/// Where a journal is.
package enum JournalPlace: Hashable, Sendable {
  /// A SQLite file at this path; made where there is none.
  case file(String)
  /// In memory, gone with the process.
  case memory
}
