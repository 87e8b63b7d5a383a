import FlyingFox
import Foundation
import Languages
import Messages

extension DashboardRouter {
  /// A response with the headers that all responses have.
  ///
  /// They forbid loading, running or submitting to anything from elsewhere, framing by other pages, and reading by
  /// other origins.
  static func response(_ contentType: String, _ body: HTTPBodySequence) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok,
      headers: HTTPHeaders([
        .contentType: contentType,
        .cacheControl: "no-store",
        HTTPHeader("Content-Security-Policy"):
          "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
        HTTPHeader("X-Content-Type-Options"): "nosniff",
        HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
        HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
        HTTPHeader("Referrer-Policy"): "no-referrer",
      ]), body: body)
  }

  static func json(_ bytes: [UInt8], _ status: HTTPStatusCode = .ok) -> HTTPResponse {
    var response = response("application/json", HTTPBodySequence(data: Data(bytes)))
    response.statusCode = status
    return response
  }

  static func errorResponse(_ error: APIError, allowing methods: String) -> HTTPResponse {
    var response = json(problem(error.rawValue, error.detail), error.status)
    switch error {
    case .tokenMissing, .tokenWrong: response.headers[HTTPHeader("WWW-Authenticate")] = "Bearer realm=\"grampad\""
    case .busy: response.headers[HTTPHeader("Retry-After")] = "2"
    case .badMethod: response.headers[HTTPHeader("Allow")] = methods
    case .upgradeRequired:
      // RFC 9110, 15.5.22.
      response.headers[.upgrade] = "websocket"
      response.headers[.connection] = "Upgrade"
    case .badHost, .unknownHost, .crossOrigin, .notJSON, .closed, .badHandshake, .unknownPath: break
    }
    return response
  }

  /// The body of every error: `{"ok": false, "reason": ..., "detail": ...}`, `reason` for programs, `detail` for users.
  static func problem(_ reason: String, _ detail: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("ok")
      json.boolean(false)
      json.key("reason")
      json.string(reason)
      json.key("detail")
      json.string(detail)
    }
    return json.bytes
  }
}

extension HTTPResponse {
  /// The response with the headers of one that was chosen by the reader's languages. RFC 9110, 8.5 and 12.5.5
  func inLanguage(_ language: Language) -> HTTPResponse {
    var response = self
    response.headers[HTTPHeader("Content-Language")] = language.rawValue
    response.headers[HTTPHeader("Vary")] = "Accept-Language"
    return response
  }
}

extension HTTPRequest {
  /// The address of the client's end of the connection.
  var client: ClientAddress? {
    switch remoteAddress {
    case .ip4(let text, _), .ip6(let text, _): ClientAddress(text)
    case .unix, nil: nil
    }
  }
}
