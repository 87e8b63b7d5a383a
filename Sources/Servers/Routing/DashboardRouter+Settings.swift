import Languages
import Messages
import NIOHTTP1
import Weighing

extension DashboardRouter {
  /// The path of the settings.
  static let settingsPath = "/api/settings"

  /// Shows the settings, or changes them.
  ///
  /// Reading needs the token, too: quick actions may have parameters that are private.
  func answerSettings(_ request: Request, _ policy: AccessPolicy) throws(APIError) -> Answer {
    guard let source = sources.settings else { throw .unknownPath }
    guard !request.isReading else {
      if let error = policy.dataError(for: request) { throw error }
      try authorize(request, policy.authorizationError(for: request))
      return .later { completion in source.state { completion(Self.response($0)) } }
    }
    let body = try body(of: request, policy)
    return .later { completion in source.change(body) { completion(Self.response($0)) } }
  }

  private static func response(_ answer: SettingsAnswer) -> Response {
    switch answer {
    case .state(let json): return .json(json)
    case .badPayload(let detail): return .badPayload(detail)
    case .refused(let reason, let detail): return .problem(reason, detail, .conflict)
    case .notSaved(let detail): return .problem("not_saved", detail, .serviceUnavailable)
    case .unavailable(let detail): return .problem("configuration_invalid", detail, .serviceUnavailable)
    case .invalid(let faults): return .invalid(faults)
    }
  }
}

extension Response {
  /// Values are invalid. The page shows the faults at the fields. RFC 9110, 15.5.21
  static func invalid(_ faults: [SettingsFault]) -> Response {
    let status = HTTPResponseStatus.custom(code: 422, reasonPhrase: "Unprocessable Content")
    return .problem("invalid", Sentence(.settingsInvalidValues), status) { json in
      json.array("faults", faults) { json, fault in
        json.object { json in
          json.fields(("path", fault.path))
          json.sentence("message", fault.message)
        }
      }
    }
  }
}
