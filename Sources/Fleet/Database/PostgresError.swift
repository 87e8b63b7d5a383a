/// Why a request to PostgreSQL failed.
package struct PostgresError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The message of the server or of libpq, on one line.
  package let message: String
  /// The SQLSTATE code of the server (PostgreSQL documentation, appendix A); `nil` if there is no connection.
  package let state: String?

  package var description: String { message }

  /// Whether the data of the request are at fault: the same request fails again on every server.
  ///
  /// Class 22, data exceptions, and class 23, violated constraints.
  var isAboutData: Bool { state.map { $0.hasPrefix("22") || $0.hasPrefix("23") } ?? false }

  /// Whether the role has no right to do it; `insufficient_privilege`.
  var isDenied: Bool { state == "42501" }

  /// Whether a lock was not available in time; `lock_not_available`.
  var isLockTimeout: Bool { state == "55P03" }
}
