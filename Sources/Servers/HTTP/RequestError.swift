import Languages
import NIOHTTP1
import Weighing

/// Why a request cannot be read; the connection is closed after the response.
enum RequestError: String, Error, Hashable, Sendable, CaseIterable {
  /// Not HTTP, or ambiguous: two parsers could read it differently.
  case malformed = "bad_request"
  /// Not HTTP/1.
  case version = "bad_version"
  /// The request line and headers are too long.
  case headTooLarge = "headers_too_large"
  /// The body is too long.
  case bodyTooLarge = "body_too_large"
  /// The body has no length.
  case lengthRequired = "length_required"
  /// The client expects something other than `100-continue`.
  case expectation = "bad_expectation"

  /// The HTTP status code.
  var status: HTTPResponseStatus {
    switch self {
    case .malformed: .badRequest
    case .version: .httpVersionNotSupported
    case .headTooLarge: .requestHeaderFieldsTooLarge
    case .bodyTooLarge: .payloadTooLarge
    case .lengthRequired: .lengthRequired
    case .expectation: .expectationFailed
    }
  }

  /// What is wrong and what to do, for users.
  func detail(_ limits: Limits) -> Sentence {
    switch self {
    case .malformed: Sentence(.httpMalformed)
    case .version: Sentence(.httpVersion)
    case .headTooLarge: Sentence(.httpHeadTooLarge, ["maximum": limits.headBytes])
    case .bodyTooLarge:
      Sentence(.httpBodyTooLarge, ["maximum": limits.bodyBytes, "settings": limits.settingsBytes])
    case .lengthRequired: Sentence(.httpLengthRequired)
    case .expectation: Sentence(.httpExpectation)
    }
  }
}
