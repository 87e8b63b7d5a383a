import Languages

/// Why the collector, or a report, cannot use the database.
package enum FleetError: SentenceError, Hashable {
  /// PostgreSQL rejected a request, or there is no connection.
  case database(PostgresError)
  /// The connection string is invalid.
  case connectionString(PostgresError)
  /// The database was migrated by a later version of Grampad.
  case newerSchema(Int, known: Int)

  /// The database has no tables of Grampad.
  case noSchema
  /// The database was not migrated by this version of Grampad.
  case olderSchema(Int, newest: Int)
  /// The role has no rights to the tables.
  case denied(PostgresError)
  /// The schema has to be created or migrated, which only the owner of the tables can do.
  case mayNotMigrate(Int, newest: Int)
  /// Only the owner of the tables decides how long weighings are kept.
  case mayNotSetRetention

  /// What failed and what to do about it; messages of PostgreSQL are in the language of the server.
  package var sentence: Sentence {
    let migrate = "`grampad collect --migrate`"
    return switch self {
    case .database(let error): Sentence(.collectDatabase, ["error": error])
    case .connectionString(let error): Sentence(.collectConnectionString, ["error": error])
    case .newerSchema(let found, let known): Sentence(.collectNewerSchema, ["found": found, "known": known])
    case .noSchema: Sentence(.fleetNoSchema, ["command": migrate])
    case .olderSchema(let found, let newest):
      Sentence(.fleetOlderSchema, ["found": found, "newest": newest, "command": migrate])
    case .denied(let error): Sentence(.collectDenied, ["error": error, "command": migrate])
    case .mayNotMigrate(0, _): Sentence(.collectMayNotCreate, ["command": migrate])
    case .mayNotMigrate(let found, let newest):
      Sentence(.collectMayNotMigrate, ["found": found, "newest": newest, "command": migrate])
    case .mayNotSetRetention:
      Sentence(.collectMayNotSetRetention, ["command": "`grampad collect --migrate --keep`"])
    }
  }
}
