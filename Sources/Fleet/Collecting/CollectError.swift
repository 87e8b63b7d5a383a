/// Why the collector cannot work.
package enum CollectError: Error, Hashable, Sendable, CustomStringConvertible {
  /// PostgreSQL rejected a request, or there is no connection.
  case database(PostgresError)
  /// The database was migrated by a later version of Grampad.
  case newerSchema(Int, known: Int)

  /// Only the owner of the tables decides how long weighings are kept.
  case mayNotSetRetention

  package var description: String {
    switch self {
    case .database(let error): "database: \(error)"
    case .newerSchema(let found, let known):
      "the database has schema version \(found), and this program knows versions up to \(known); update grampad"
    case .mayNotSetRetention:
      "the role of the database may not change how long weighings are kept; use --keep as the owner of the tables"
    }
  }
}
