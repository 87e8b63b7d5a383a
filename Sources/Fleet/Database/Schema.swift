/// The schema of the database.
///
/// It is created in one transaction, by one collector at a time. A database of a later version is left alone.
enum Schema {
  /// The version that this program makes and uses.
  static let version = 1

  /// Lets one collector at a time change tables; any number that no other program is likely to lock.
  static let lock = "SELECT pg_advisory_xact_lock(4815162385)"

  /// The version that a database has; 0 without a schema.
  ///
  /// - Throws: With `PostgresError.isDenied` if the role has no rights to it.
  static func version(of connection: borrowing PostgresConnection) throws(PostgresError) -> Int {
    guard try connection.perform("SELECT to_regclass('schema_version')")[0][0] != nil else { return 0 }
    return try connection.perform("SELECT coalesce(max(version), 0) FROM schema_version")[0][0].flatMap { Int($0) } ?? 0
  }

  /// Creates the schema if the database has none, and grants the roles their rights.
  ///
  /// - Returns: The version of the database, which may be a later one.
  /// - Throws: With `PostgresError.isDenied` if the role is not the owner.
  static func create(_ connection: borrowing PostgresConnection) throws(PostgresError) -> Int {
    try connection.transaction { (connection) throws(PostgresError) in
      try connection.perform(lock)
      try connection.perform("CREATE TABLE IF NOT EXISTS schema_version (version int NOT NULL)")
      let found = try version(of: connection)
      guard found <= version else { return found }
      if found == 0 {
        try connection.perform(tables + functionsAndViews)
        try connection.perform("INSERT INTO schema_version VALUES (\(version))")
      }
      try connection.perform(Roles.grants)
      return version
    }
  }
}
