/// Why a request to PostgreSQL failed.
package struct PostgresError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The message of the server or of libpq, on one line.
  package let message: String
  /// The SQLSTATE code of the server (PostgreSQL documentation, appendix A); `nil` if there is no connection.
  package let state: String?
  /// Whether the connection string is invalid: no server can make it work.
  package var isAboutConnectionString = false

  package var description: String { message }

  /// Whether the data of the request are at fault: the same request fails again on every server.
  ///
  /// Class 22, data exceptions; class 23, violated constraints; class 54, program limits, such as that of an index key.
  var isAboutData: Bool { state.map { state in ["22", "23", "54"].contains { state.hasPrefix($0) } } ?? false }

  /// Whether the role has no right to do it; `insufficient_privilege`.
  var isDenied: Bool { state == "42501" }

  /// Whether a lock was not available in time, or the statement took too long; `lock_not_available`, `query_canceled`.
  var isTimeout: Bool { state == "55P03" || state == "57014" }
}
