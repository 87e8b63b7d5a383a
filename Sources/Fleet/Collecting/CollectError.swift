/// Why the collector cannot work.
package enum CollectError: Error, Hashable, Sendable, CustomStringConvertible {
  /// PostgreSQL rejected a request, or there is no connection.
  case database(PostgresError)
  /// The database was migrated by a later version of Grampad.
  case newerSchema(Int, known: Int)

  package var description: String {
    switch self {
    case .database(let error): "database: \(error)"
    case .newerSchema(let found, let known):
      "the database has schema version \(found), and this program knows versions up to \(known); update grampad"
    }
  }
}
