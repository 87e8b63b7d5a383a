import NIOHTTP1

/// Why the server rejects a request.
enum APIError: String, Error, Sendable, CaseIterable {
  case badHost = "bad_host"
  case unknownHost = "unknown_host"
  case crossOrigin = "cross_origin"
  case notJSON = "not_json"
  case closed
  case tokenMissing = "token_missing"
  case tokenWrong = "token_wrong"
  case badHandshake = "bad_handshake"
  case upgradeRequired = "upgrade_required"
  case unknownPath = "unknown_path"
  case badMethod = "bad_method"
  case busy

  /// The HTTP status code.
  var status: HTTPResponseStatus { answer.status }

  /// What is wrong and what to do, for users.
  var detail: String { answer.detail }

  private var answer: (status: HTTPResponseStatus, detail: String) {
    switch self {
    case .badHost: (.badRequest, "The Host header is missing or invalid.")
    case .unknownHost:
      (
        .misdirectedRequest,
        "Unknown host name. Use the IP address of this machine, or add the name to dashboard.hosts."
      )
    case .crossOrigin: (.forbidden, "Cross-origin requests are not allowed.")
    case .notJSON: (.unsupportedMediaType, "Actions require Content-Type: application/json.")
    case .closed:
      (
        .forbidden,
        "Actions from other machines or through a reverse proxy require a token. Set dashboard.token_file."
      )
    case .tokenMissing:
      (.unauthorized, "Missing token. Send the token from dashboard.token_file as Authorization: Bearer TOKEN.")
    case .tokenWrong: (.unauthorized, "Wrong token. It does not match dashboard.token_file.")
    case .badHandshake: (.badRequest, "Invalid WebSocket handshake. Only version 13 is supported.")
    case .upgradeRequired: (.upgradeRequired, "This path is a WebSocket. Connect with ws://.")
    case .unknownPath: (.notFound, "Not found.")
    case .badMethod: (.methodNotAllowed, "Method not allowed.")
    case .busy: (.serviceUnavailable, "Too many concurrent requests. Try again later.")
    }
  }
}
