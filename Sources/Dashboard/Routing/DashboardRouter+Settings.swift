import FlyingFox
import Languages
import Messages

extension DashboardRouter {
  /// The path of the settings.
  static let settingsPath = "/api/settings"

  /// Shows the settings, or changes them.
  ///
  /// Reading needs the token, too: quick actions may have parameters that are private.
  func answerSettings(_ request: HTTPRequest, _ policy: AccessPolicy) async throws(APIError) -> HTTPResponse {
    guard let source = sources.settings else { throw .unknownPath }
    switch request.method.rawValue {
    case "GET", "HEAD":
      if let error = policy.dataError(for: request) { throw error }
      try authorize(request, policy.authorizationError(for: request))
      return settingsResponse(await source.state(), to: request)
    default: return settingsResponse(await source.change(try await body(of: request, policy)), to: request)
    }
  }

  private func settingsResponse(_ answer: SettingsAnswer, to request: HTTPRequest) -> HTTPResponse {
    switch answer {
    case .state(let json): return Self.json(json)
    case .badPayload(let detail): return Self.json(Self.problem("bad_payload", "Invalid body: \(detail)."), .badRequest)
    case .refused(let reason, let detail): return Self.json(Self.problem(reason, detail), .conflict)
    case .notSaved(let detail): return Self.json(Self.problem("not_saved", detail), .serviceUnavailable)
    case .unavailable(let detail): return Self.json(Self.problem("configuration_invalid", detail), .serviceUnavailable)
    case .invalid(let faults):
      // The page shows them at the fields.
      let texts = Texts.of(Self.language(of: request))
      var writer = JSONWriter()
      writer.object { json in
        json.key("ok")
        json.boolean(false)
        json.key("reason")
        json.string("invalid")
        json.key("detail")
        json.string("Some values are invalid. Nothing was changed.")
        json.key("faults")
        json.array { json in
          for fault in faults {
            json.object { json in
              json.key("path")
              json.string(fault.path)
              json.key("message")
              json.string(texts(fault.message))
            }
          }
        }
      }
      // RFC 9110, 15.5.21.
      return Self.json(writer.bytes, HTTPStatusCode(422, phrase: "Unprocessable Content"))
    }
  }
}
