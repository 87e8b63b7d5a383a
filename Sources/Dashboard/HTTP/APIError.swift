import FlyingFox

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
  var status: HTTPStatusCode {
    switch self {
    case .badHost, .badHandshake: .badRequest
    case .upgradeRequired: .upgradeRequired
    case .unknownHost: .misdirectedRequest
    case .crossOrigin, .closed: .forbidden
    case .notJSON: .unsupportedMediaType
    case .tokenMissing, .tokenWrong: .unauthorized
    case .unknownPath: .notFound
    case .badMethod: .methodNotAllowed
    case .busy: .serviceUnavailable
    }
  }

  /// What is wrong and what to do, for users.
  var detail: String {
    switch self {
    case .badHost: "The Host header is missing or invalid."
    case .unknownHost:
      "Unknown host name. Use the IP address of this machine, or add the name to dashboard.hosts."
    case .crossOrigin: "Cross-origin requests are not allowed."
    case .notJSON: "Actions require Content-Type: application/json."
    case .closed:
      "Actions from other machines or through a reverse proxy require a token. Set dashboard.token_file."
    case .tokenMissing: "Missing token. Send the token from dashboard.token_file as Authorization: Bearer TOKEN."
    case .tokenWrong: "Wrong token. It does not match dashboard.token_file."
    case .badHandshake: "Invalid WebSocket handshake. Only version 13 is supported."
    case .upgradeRequired: "This path is a WebSocket. Connect with ws://."
    case .unknownPath: "Not found."
    case .badMethod: "Method not allowed."
    case .busy: "Too many concurrent requests. Try again later."
    }
  }
}
