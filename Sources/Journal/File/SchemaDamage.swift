import GRDB
import Languages

/// Damage to a journal that neither SQLite nor the checks of a journal report as such: to the definitions of its tables, or to its
/// header.
///
/// SQLite then reports a missing table, and our own checks a database that is not a journal.
struct SchemaDamage {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Whether damage explains why a journal that has a high-water mark cannot be opened or used.
  func explains(_ error: JournalError) -> Bool {
    switch error {
    case .foreign: return lines { !$0.isDisjoint(with: $1) }
    case .versionMissing, .other: return lines { !$1.isSubset(of: $0) }
    case .notFound, .notPermitted, .cannotCreate, .full, .readOnly, .corrupt, .busy, .newer, .replaced, .inUse,
      .markNotWritten, .nothingToVoid, .unknownWeighing:
      return false
    }
  }

  /// The definitions in the file, compared with those of its version.
  private func lines(_ compare: (_ actual: Set<String>, _ expected: Set<String>) -> Bool) -> Bool {
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    do {
      return try DatabaseQueue(path: path, configuration: configuration).read { db in
        let actual = Set(try Schema.description(db))
        // An empty file is the beginning of a journal.
        return try !actual.isEmpty && compare(actual, Set(Schema.expected(of: db)))
      }
    } catch let error as DatabaseError {
      // SQLite reports an invalid header or definition as one of these.
      return [.SQLITE_ERROR, .SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    } catch {
      return error is RowDecodingError
    }
  }
}
