import CPostgres
import EventLoop
import Glibc
import Weighing

/// A connection to PostgreSQL for one thread; all calls block.
///
/// A server that hangs, or that waits for a standby which is gone, keeps a connection open without an answer. So the client
/// has a deadline of its own; the connection cannot be used any more after that.
///
/// Values cross as text, as `psql` shows them: that is exact for numbers and times, and independent of the machine.
struct PostgresConnection: ~Copyable {
  private let connection: OpaquePointer
  /// Maximum time for the answer to a request; `nil` for no limit.
  var answerDeadline: Interval?

  /// Connects. `PQconnectdb`
  ///
  /// - Parameter url: A connection string: `postgresql://user@host/database?target_session_attrs=read-write`.
  init(_ url: String) throws(PostgresError) {
    // Values of the URL take precedence: libpq expands it in place, and a later keyword overrides an earlier one.
    let defaults = [
      ("connect_timeout", "3"), ("application_name", "grampad"), ("client_encoding", "UTF8"),
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
    PQsetnonblocking(opened, 1)
    // The default prints notices, such as that a table exists already, to standard error.
    PQsetNoticeProcessor(opened, { _, _ in }, nil)
  }

  deinit { PQfinish(connection) }

  /// Performs statements without parameters, and returns the rows of the last one. `PQsendQuery`
  @discardableResult
  borrowing func perform(_ sql: String) throws(PostgresError) -> [[String?]] {
    try answer(PQsendQuery(connection, sql))
  }

  /// Performs one statement with parameters, and returns its rows. `PQsendQueryParams`
  ///
  /// - Parameter parameters: The values of `$1`, `$2`...; `nil` for NULL.
  @discardableResult
  borrowing func perform(_ sql: String, _ parameters: [String?]) throws(PostgresError) -> [[String?]] {
    let values = parameters.map { $0.map(Self.copy) ?? nil }
    defer {
      for text in values { free(text) }
    }
    let sent = values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
      PQsendQueryParams(connection, sql, Int32(parameters.count), nil, values.baseAddress, nil, nil, 0)
    }
    return try answer(sent)
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

  /// Waits for the answer to a request, and returns the rows of its last statement. `PQgetResult`
  private borrowing func answer(_ sent: Int32) throws(PostgresError) -> [[String?]] {
    guard sent == 1 else { throw lost }
    let deadline = answerDeadline.map { Instant.now() + $0 }
    var last: OpaquePointer?
    defer { PQclear(last) }
    while true {
      try wait(until: deadline)
      guard let next = PQgetResult(connection) else { break }
      PQclear(last)
      last = next
    }
    guard let last else { throw lost }
    return try rows(last)
  }

  /// Sends what is left of a request, and waits for the next result. `PQisBusy`
  private borrowing func wait(until deadline: Instant?) throws(PostgresError) {
    while true {
      let unsent = PQflush(connection)
      if unsent < 0 { throw lost }
      if unsent == 0, PQisBusy(connection) == 0 { return }
      var watched = pollfd(
        fd: PQsocket(connection), events: Int16(POLLIN) | (unsent > 0 ? Int16(POLLOUT) : 0), revents: 0)
      let ready = poll(&watched, 1, deadline?.millisecondsAway ?? -1)
      if ready == 0, let deadline, deadline <= .now() {
        throw PostgresError(message: "the server does not answer", state: nil)
      }
      if ready < 0, errno != EINTR { throw PostgresError(message: systemText(errno), state: nil) }
      if ready > 0, PQconsumeInput(connection) == 0 { throw lost }
    }
  }

  private var lost: PostgresError { PostgresError(message: Self.line(PQerrorMessage(connection)), state: nil) }

  private borrowing func rows(_ result: OpaquePointer) throws(PostgresError) -> [[String?]] {
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
