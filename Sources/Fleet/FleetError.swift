import Languages
import Weighing

/// Why the collector, or a report, cannot use the database.
package enum FleetError: SentenceError, Hashable {
  /// PostgreSQL rejected a request, or there is no connection.
  case database(PostgresError)
  /// The connection string is invalid.
  case connectionString(PostgresError)
  /// The tables were made by a later version of Grampad.
  case newerSchema(Int, known: Int)

  /// The database has no tables of Grampad.
  case noSchema
  /// The role has no rights to the tables.
  case denied(PostgresError)
  /// The schema has to be created, which this role may not.
  case mayNotCreate
  /// Only the owner of the tables grants the roles their rights.
  case mayNotGrant
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
    case .denied(let error): Sentence(.collectDenied, ["error": error, "command": migrate])
    case .mayNotCreate: Sentence(.collectMayNotCreate, ["command": migrate])
    case .mayNotGrant: Sentence(.collectMayNotGrant, ["command": migrate])
    case .mayNotSetRetention:
      Sentence(.collectMayNotSetRetention, ["command": "`grampad collect --migrate --keep`"])
    }
  }
}
