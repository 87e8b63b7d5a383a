import CPostgres
import Glibc

/// A connection to PostgreSQL for one thread; all calls block.
///
/// Values cross as text, as `psql` shows them: that is exact for numbers and times, and independent of the machine.
struct PostgresConnection: ~Copyable {
  private let connection: OpaquePointer

  /// Connects. `PQconnectdb`
  ///
  /// - Parameter url: A connection string: `postgresql://user@host/database?target_session_attrs=read-write`.
  init(_ url: String) throws(PostgresError) {
    // Values of the URL take precedence: libpq expands it in place, and a later keyword overrides an earlier one.
    let defaults = [
      ("connect_timeout", "5"), ("application_name", "grampad"), ("client_encoding", "UTF8"),
      ("tcp_user_timeout", "10000"),
    ]
    let parameters = defaults + [("dbname", url)]
    let names = parameters.map { Self.copy($0.0) } + [nil]
    let values = parameters.map { Self.copy($0.1) } + [nil]
    defer {
      for text in names + values { free(text) }
    }
    let opened = names.map { UnsafePointer($0) }.withUnsafeBufferPointer { names in
      values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
        PQconnectdbParams(names.baseAddress, values.baseAddress, 1)
      }
    }
    guard let opened else { throw PostgresError(message: "out of memory", state: nil) }
    guard PQstatus(opened) == CONNECTION_OK else {
      let error = PostgresError(message: Self.line(PQerrorMessage(opened)), state: nil)
      PQfinish(opened)
      throw error
    }
    connection = opened
    // The default prints notices, such as that a table exists already, to standard error.
    PQsetNoticeProcessor(opened, { _, _ in }, nil)
  }

  deinit { PQfinish(connection) }

  /// Performs statements without parameters, and returns the rows of the last one. `PQexec`
  @discardableResult
  borrowing func perform(_ sql: String) throws(PostgresError) -> [[String?]] {
    try rows(PQexec(connection, sql))
  }

  /// Performs one statement with parameters, and returns its rows. `PQexecParams`
  ///
  /// - Parameter parameters: The values of `$1`, `$2`...; `nil` for NULL.
  @discardableResult
  borrowing func perform(_ sql: String, _ parameters: [String?]) throws(PostgresError) -> [[String?]] {
    let values = parameters.map { $0.map(Self.copy) ?? nil }
    defer {
      for text in values { free(text) }
    }
    let result = values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
      PQexecParams(connection, sql, Int32(parameters.count), nil, values.baseAddress, nil, nil, 0)
    }
    return try rows(result)
  }

  /// Performs `body` in a transaction, which ends without effect if it throws.
  borrowing func transaction<Value>(
    _ body: (borrowing PostgresConnection) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    try perform("BEGIN")
    do throws(PostgresError) {
      let value = try body(self)
      try perform("COMMIT")
      return value
    } catch {
      _ = try? perform("ROLLBACK")
      throw error
    }
  }

  private borrowing func rows(_ result: OpaquePointer?) throws(PostgresError) -> [[String?]] {
    guard let result else { throw PostgresError(message: Self.line(PQerrorMessage(connection)), state: nil) }
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: break
    default:
      let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
      throw PostgresError(
        message: Self.line(PQresultErrorMessage(result)), state: PQstatus(connection) == CONNECTION_OK ? state : nil)
    }
    return (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) == 1 ? nil : String(cString: PQgetvalue(result, row, column))
      }
    }
  }

  private static func copy(_ text: String) -> UnsafeMutablePointer<CChar>? { strdup(text) }

  /// A message without its line breaks.
  private static func line(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "unknown error" }
    let lines = String(cString: text).split(whereSeparator: \.isNewline)
    return lines.map { $0.trimmingPrefix { $0 == " " || $0 == "\t" } }.joined(separator: "; ")
  }
}
