import Languages
import Messages
import NIOHTTP1
import Weighing

/// A response, without the headers that depend on the connection.
struct Response: Sendable {
  /// What follows the headers.
  enum Body: Sendable {
    case bytes([UInt8])
    /// Produced while it is sent. HTTP/1.1 sends it in chunks; HTTP/1.0 ends it by closing the connection.
    case stream(any BodyStream)
  }

  var status = HTTPResponseStatus.ok
  var headers: HTTPHeaders
  let body: Body

  /// A response with the headers that all responses have.
  ///
  /// They forbid loading, running or submitting to anything from elsewhere, framing by other pages, and reading by
  /// other origins.
  init(_ contentType: String, _ body: Body) {
    headers = [
      "Content-Type": contentType,
      "Cache-Control": "no-store",
      "Content-Security-Policy":
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
    ]
    self.body = body
  }

  init(_ contentType: String, _ text: String) { self.init(contentType, .bytes(Array(text.utf8))) }

  static func json(_ bytes: [UInt8], _ status: HTTPResponseStatus = .ok) -> Response {
    var response = Response("application/json", .bytes(bytes))
    response.status = status
    return response
  }

  /// An error: `{"ok": false, "reason": ..., "detail": ...}`, `reason` for programs, `detail` for users.
  static func problem(
    _ reason: String, _ detail: Sentence, _ status: HTTPResponseStatus, more: (inout JSONWriter) -> Void = { _ in }
  ) -> Response {
    var json = JSONWriter()
    json.object { json in
      json.field("ok", false)
      json.fields(("reason", reason))
      json.sentence("detail", detail)
      more(&json)
    }
    return .json(json.bytes, status)
  }

  /// The body of a request is invalid.
  static func badPayload(_ detail: Sentence) -> Response {
    problem("bad_payload", Sentence(.httpInvalidBody, ["fault": detail]), .badRequest)
  }

  static func error(_ error: APIError, allowing methods: String) -> Response {
    var response = problem(error.rawValue, Sentence(error.detail), error.status)
    switch error {
    case .tokenMissing, .tokenWrong: response.headers.add(name: "WWW-Authenticate", value: "Bearer realm=\"grampad\"")
    case .busy: response.headers.add(name: "Retry-After", value: "2")
    case .pairingBusy: response.headers.add(name: "Retry-After", value: "60")
    case .pairingLimit: response.headers.add(name: "Retry-After", value: "3600")
    case .badMethod: response.headers.add(name: "Allow", value: methods)
    case .upgradeRequired:
      // RFC 9110, 15.5.22.
      response.headers.add(name: "Upgrade", value: "websocket")
      response.headers.add(name: "Connection", value: "Upgrade")
    case .badHost, .unknownHost, .crossOrigin, .notJSON, .closed, .ownerOnly, .pairingOff, .pairingRefused,
      .pairingTimedOut, .pairingRequired, .badHandshake, .unknownPath:
      break
    }
    return response
  }

  /// The response as a file with a name.
  func attached(as name: String) -> Response {
    var response = self
    response.headers.add(name: "Content-Disposition", value: "attachment; filename=\"\(name)\"")
    return response
  }

  /// The response with the headers of one that was chosen by the reader's languages. RFC 9110, 8.5 and 12.5.5
  func inLanguage(_ language: Language) -> Response {
    var response = self
    response.headers.add(name: "Content-Language", value: language.rawValue)
    response.headers.add(name: "Vary", value: "Accept-Language")
    return response
  }

  /// The status line and the headers.
  var head: String { Self.head(status, headers) }

  static func head(_ status: HTTPResponseStatus, _ headers: HTTPHeaders) -> String {
    var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    return text
  }
}

/// A body that is produced while it is sent.
protocol BodyStream: Sendable {
  /// Passes on the next piece once, on any thread, as soon as there is one. Called on the loop when the piece before it was
  /// sent.
  func next(_ completion: @escaping @Sendable (BodyPiece) -> Void)
  /// Nothing more is asked for.
  func end()
}

/// A piece of a body.
enum BodyPiece: Hashable, Sendable {
  case bytes([UInt8])
  case end
  /// There should be more, but it cannot be produced. The connection ends without the last chunk, which tells the client that
  /// the body is incomplete.
  case failure
}
