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
  case ownerOnly = "owner_only"
  case pairingOff = "pairing_off"
  case pairingRefused = "pairing_refused"
  case pairingTimedOut = "pairing_timed_out"
  case pairingBusy = "pairing_busy"
  case pairingLimit = "pairing_limit"
  case pairingRequired = "pairing_required"
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
    case .ownerOnly: (.forbidden, .httpOwnerOnly)
    case .pairingOff: (.forbidden, .httpPairingOff)
    case .pairingRefused: (.forbidden, .httpPairingRefused)
    // Not 408, after which a browser may ask again by itself (RFC 9110, 15.5.9).
    case .pairingTimedOut: (.forbidden, .httpPairingTimedOut)
    case .pairingBusy: (.serviceUnavailable, .httpPairingBusy)
    case .pairingLimit: (.tooManyRequests, .httpPairingLimit)
    case .pairingRequired: (.forbidden, .httpPairingRequired)
    case .badHandshake: (.badRequest, .httpBadHandshake)
    case .upgradeRequired: (.upgradeRequired, .httpUpgrade)
    case .unknownPath: (.notFound, .httpNotFound)
    case .badMethod: (.methodNotAllowed, .httpBadMethod)
    case .busy: (.serviceUnavailable, .httpBusy)
    }
  }
}
