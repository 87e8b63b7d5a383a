import CPostgres
import Glibc
import Linux
import Weighing

/// A connection to PostgreSQL for one thread; all calls block.
///
/// A server that hangs, or that waits for a standby which is gone, keeps a connection open without an answer. So the client
/// has a deadline of its own; the connection cannot be used any more after that. A slow server gets all that time, a server
/// that hangs does not: during a long silence the client tests whether the server still accepts connections.
///
/// Values cross as text, as `psql` shows them: that is exact for numbers and times, and independent of the machine.
struct PostgresConnection: ~Copyable {
  private let connection: OpaquePointer
  private let url: String
  /// Maximum time for the answer to a request; `nil` for no limit, also if the server hangs.
  var answerDeadline: Interval?
  /// How long to wait for an answer before testing the server. With `connect_timeout` for the test, and again for a server
  /// that hangs in front of the right one in the list, that leaves time within the 10 s of a fail-over.
  private static let patience = Interval.seconds(3)

  /// Connects. `PQconnectdb`
  ///
  /// - Parameter url: A connection string: `postgresql://user@host/database?target_session_attrs=read-write`.
  /// - Throws: With `isAboutConnectionString` for one that is invalid.
  init(_ url: String) throws(PostgresError) {
    try ConnectionString.check(url)
    let opened = Self.withParameters(url) { PQconnectdbParams($0, $1, 1) }
    guard let opened else { throw PostgresError(message: "out of memory", state: nil) }
    guard PQstatus(opened) == CONNECTION_OK else {
      let lines = ConnectionString.lines(PQerrorMessage(opened))
      PQfinish(opened)
      throw PostgresError(
        message: lines.joined(separator: "; "), state: nil, isAboutConnectionString: ConnectionString.isAtFault(lines))
    }
    connection = opened
    self.url = url
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
    var nextTest = Instant.now() + Self.patience
    while true {
      let unsent = PQflush(connection)
      if unsent < 0 { throw lost }
      if unsent == 0, PQisBusy(connection) == 0 { return }
      var watched = pollfd(
        fd: PQsocket(connection), events: Int16(POLLIN) | (unsent > 0 ? Int16(POLLOUT) : 0), revents: 0)
      let ready = poll(&watched, 1, deadline.map { min($0, nextTest).millisecondsAway } ?? -1)
      if ready == 0, let deadline {
        guard deadline > .now(), nextTest > .now() || isAccepting else {
          throw PostgresError(message: "the server does not answer", state: nil)
        }
        if nextTest <= .now() { nextTest = .now() + Self.patience }
      }
      if ready < 0, errno != EINTR { throw PostgresError(message: systemText(errno), state: nil) }
      if ready > 0 {
        if PQconsumeInput(connection) == 0 { throw lost }
        nextTest = .now() + Self.patience
      }
    }
  }

  /// Whether the server of this connection still responds to a new one, if only by rejecting it. `PQpingParams`
  private var isAccepting: Bool {
    let server = [
      ("host", PQhost(connection)), ("hostaddr", PQhostaddr(connection)), ("port", PQport(connection)),
    ].map { ($0.0, $0.1.map { String(cString: $0) } ?? "") }
    return Self.withParameters(url, server) { PQpingParams($0, $1, 1) } != PQPING_NO_RESPONSE
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

  /// Calls libpq with the keywords and values of a connection.
  ///
  /// Values of the URL take precedence over the defaults: libpq expands it in place, and a later keyword overrides an
  /// earlier one.
  private static func withParameters<Value>(
    _ url: String, _ overrides: [(String, String)] = [],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<UnsafePointer<CChar>?>?) -> Value
  ) -> Value {
    let defaults = [
      ("connect_timeout", "3"), ("application_name", "grampad"), ("client_encoding", "UTF8"),
      ("tcp_user_timeout", "10000"),
    ]
    let parameters = defaults + [("dbname", url)] + overrides
    let names = parameters.map { copy($0.0) } + [nil]
    let values = parameters.map { copy($0.1) } + [nil]
    defer {
      for text in names + values { free(text) }
    }
    return names.map { UnsafePointer($0) }.withUnsafeBufferPointer { names in
      values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in body(names.baseAddress, values.baseAddress) }
    }
  }

  private static func copy(_ text: String) -> UnsafeMutablePointer<CChar>? { strdup(text) }

  /// A message without its line breaks.
  private static func line(_ text: UnsafePointer<CChar>?) -> String {
    ConnectionString.lines(text).joined(separator: "; ")
  }
}
