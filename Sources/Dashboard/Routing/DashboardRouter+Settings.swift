import FlyingFox
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
      return Self.settingsResponse(await source.state())
    default: return Self.settingsResponse(await source.change(try await body(of: request, policy)))
    }
  }

  private static func settingsResponse(_ answer: SettingsAnswer) -> HTTPResponse {
    switch answer {
    case .state(let json): return Self.json(json)
    case .badPayload(let detail): return json(problem("bad_payload", "Invalid body: \(detail)."), .badRequest)
    case .refused(let reason, let detail): return json(problem(reason, detail), .conflict)
    case .notSaved(let detail): return json(problem("not_saved", detail), .serviceUnavailable)
    case .unavailable(let detail): return json(problem("configuration_invalid", detail), .serviceUnavailable)
    case .invalid(let faults):
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
              json.string(fault.message)
            }
          }
        }
      }
      // RFC 9110, 15.5.21.
      return json(writer.bytes, HTTPStatusCode(422, phrase: "Unprocessable Content"))
    }
  }
}
