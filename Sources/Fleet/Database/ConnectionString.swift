import CPostgres

/// What is wrong with a connection string, as far as that shows without a server.
enum ConnectionString {
  /// Checks the syntax and the names of the options. `PQconninfoParse`
  ///
  /// `PQconnectdbParams` treats a text without `=` as the name of a database on this machine.
  static func check(_ url: String) throws(PostgresError) {
    guard url.contains(where: { !$0.isWhitespace }) else {
      throw PostgresError(
        message: "it is empty; for example postgresql://USER@HOST/DATABASE", state: nil, isAboutConnectionString: true)
    }
    var message: UnsafeMutablePointer<CChar>?
    let options = PQconninfoParse(url, &message)
    defer {
      PQconninfoFree(options)
      PQfreemem(message)
    }
    guard options == nil else { return }
    let text = lines(message).joined(separator: "; ")
    throw PostgresError(message: withoutUser(text), state: nil, isAboutConnectionString: true)
  }

  /// Whether a connection failed because of values in the connection string, such as a port or `target_session_attrs`.
  ///
  /// libpq checks them when it connects, and returns nothing but text. Its messages about a server begin with the name of that
  /// server, and about its address with `could not translate` (PostgreSQL 14 and later, fe-connect.c). If only some of the
  /// hosts have an invalid port, another attempt at the others may succeed.
  static func isAtFault(_ lines: [String]) -> Bool {
    !lines.isEmpty && lines.allSatisfy { $0.hasPrefix("invalid ") || $0.hasPrefix("could not match ") }
  }

  /// The lines of a message.
  static func lines(_ text: UnsafePointer<CChar>?) -> [String] {
    guard let text else { return ["unknown error"] }
    let lines = String(cString: text).split(whereSeparator: \.isNewline)
    return lines.map { String($0.trimmingPrefix { $0 == " " || $0 == "\t" }) }
  }

  /// A message without the user and password of an address, which libpq quotes if it does not understand it.
  private static func withoutUser(_ text: String) -> String {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.dropLast().map { part in
      part[..<(part.lastIndex { "/\"".contains($0) }.map(part.index(after:)) ?? part.startIndex)] + "...@"
    }.joined() + (parts.last ?? "")
  }
}
