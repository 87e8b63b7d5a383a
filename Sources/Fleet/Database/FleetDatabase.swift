import Weighing

/// Opens the database, with what is wrong with it as errors for users.
enum FleetDatabase {
  /// Connects, and creates the schema if the database has none.
  ///
  /// - Parameter grants: Whether to grant the roles their rights even if the schema exists.
  static func open(_ url: String, grants: Bool) throws(FleetError) -> PostgresConnection {
    let connection = try connect(url)
    var version = try version(of: connection)
    if version == 0 || grants {
      do throws(PostgresError) {
        version = try Schema.create(connection)
      } catch {
        throw error.isDenied ? version == 0 ? .mayNotCreate : .mayNotGrant : .database(error)
      }
    }
    guard version <= Schema.version else { throw .newerSchema(version, known: Schema.version) }
    return connection
  }

  /// Maximum time for the answer to a request; later than the server's own limit, so that its answer comes first.
  private static let answerDeadline = Interval.seconds(35)

  /// Connects, with limits for how long a request may take.
  static func connect(_ url: String) throws(FleetError) -> PostgresConnection {
    do throws(PostgresError) {
      var connection = try PostgresConnection(url)
      connection.answerDeadline = answerDeadline
      // The cost of storing a batch is overestimated: compiling the statement takes 20 times as long as performing it.
      // A collector that stops between two statements must not keep the rows that others wait for.
      try connection.perform(
        """
        SET statement_timeout = '30s'; SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '5s';
        SET jit = off
        """)
      return connection
    } catch {
      throw error.isAboutConnectionString ? .connectionString(error) : .database(error)
    }
  }

  /// The version of the schema; 0 without one.
  static func version(of connection: borrowing PostgresConnection) throws(FleetError) -> Int {
    do throws(PostgresError) {
      return try Schema.version(of: connection)
    } catch {
      throw error.isDenied ? .denied(error) : .database(error)
    }
  }
}
