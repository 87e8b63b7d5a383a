/// Why the collector cannot work.
package enum CollectError: Error, Hashable, Sendable, CustomStringConvertible {
  /// PostgreSQL rejected a request, or there is no connection.
  case database(PostgresError)
  /// The database was migrated by a later version of Grampad.
  case newerSchema(Int, known: Int)

  /// The role has no rights to the tables.
  case denied(PostgresError)
  /// The schema has to be created or migrated, which only the owner of the tables can do.
  case mayNotMigrate(Int, newest: Int)
  /// Only the owner of the tables decides how long weighings are kept.
  case mayNotSetRetention

  package var description: String {
    switch self {
    case .database(let error): "database: \(error)"
    case .newerSchema(let found, let known):
      "the database has schema version \(found), and this program knows versions up to \(known); update grampad"
    case .denied(let error):
      "database: \(error); grant the rights with `grampad collect --migrate` as the owner of the tables"
    case .mayNotMigrate(0, _):
      "the database has no tables of Grampad, and this role may not create them; run `grampad collect --migrate` as their owner"
    case .mayNotMigrate(let found, let newest):
      "the database has schema version \(found), and this role may not migrate it to version \(newest); run "
        + "`grampad collect --migrate` as the owner of the tables"
    case .mayNotSetRetention:
      "the role of the database may not change how long weighings are kept; run `grampad collect --migrate --keep` as the owner of the tables"
    }
  }
}
