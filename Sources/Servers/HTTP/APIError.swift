import Languages
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
  var detail: TextKey { answer.detail }

  private var answer: (status: HTTPResponseStatus, detail: TextKey) {
    switch self {
    case .badHost: (.badRequest, .httpBadHost)
    case .unknownHost: (.misdirectedRequest, .httpUnknownHost)
    case .crossOrigin: (.forbidden, .httpCrossOrigin)
    case .notJSON: (.unsupportedMediaType, .httpNotJSON)
    case .closed: (.forbidden, .httpClosed)
    case .tokenMissing: (.unauthorized, .httpNoToken)
    case .tokenWrong: (.unauthorized, .httpWrongToken)
    case .badHandshake: (.badRequest, .httpBadHandshake)
    case .upgradeRequired: (.upgradeRequired, .httpUpgrade)
    case .unknownPath: (.notFound, .httpNotFound)
    case .badMethod: (.methodNotAllowed, .httpBadMethod)
    case .busy: (.serviceUnavailable, .httpBusy)
    }
  }
}
