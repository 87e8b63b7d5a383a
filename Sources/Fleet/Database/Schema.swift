/// The schema of the database, in versions that build on each other.
///
/// Each version is applied in one transaction, by one collector at a time. A database of a later version is left alone.
enum Schema {
  /// The statements of each version, from 1 on. A released version never changes.
  static let versions = [version1, version2, version3, version4, version5]

  /// Lets one collector at a time change tables; any number that no other program is likely to lock.
  static let lock = "SELECT pg_advisory_xact_lock(4815162385)"

  /// The version that a database has; 0 without a schema.
  ///
  /// - Throws: With `PostgresError.isDenied` if the role has no rights to it.
  static func version(of connection: borrowing PostgresConnection) throws(PostgresError) -> Int {
    guard try connection.perform("SELECT to_regclass('schema_version')")[0][0] != nil else { return 0 }
    return try connection.perform("SELECT coalesce(max(version), 0) FROM schema_version")[0][0].flatMap { Int($0) } ?? 0
  }

  /// Creates the schema, or migrates it to the newest version, and grants the roles their rights.
  ///
  /// - Returns: The version that was found, which may be later than all known ones.
  /// - Throws: With `PostgresError.isDenied` if the role is not the owner.
  static func migrate(_ connection: borrowing PostgresConnection) throws(PostgresError) -> Int {
    try connection.transaction { (connection) throws(PostgresError) in
      try connection.perform(lock)
      // A migration may read every record.
      try connection.perform("SET LOCAL statement_timeout = 0")
      try connection.perform("CREATE TABLE IF NOT EXISTS schema_version (version int NOT NULL)")
      let rows = try connection.perform("SELECT coalesce(max(version), 0) FROM schema_version")
      let found = rows[0][0].flatMap { Int($0) } ?? 0
      for (index, statements) in versions.enumerated() where index >= found {
        try connection.perform(statements)
        try connection.perform("INSERT INTO schema_version VALUES (\(index + 1))")
      }
      if found <= versions.count { try connection.perform(Roles.grants) }
      return found
    }
  }
}
