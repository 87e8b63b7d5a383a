import FlyingFox
import Messages

extension DashboardRouter {
  /// The prefix of the paths of the calibration under way.
  static let calibrating = "/api/calibration/"

  /// The path of its state and of commands.
  static let session = "/api/calibration/session"

  /// Shows the calibration under way, or performs a command that may act.
  func calibrate(_ request: HTTPRequest, _ policy: AccessPolicy) async throws(APIError) -> HTTPResponse {
    guard let source = sources.calibrating, request.path == Self.session else { throw .unknownPath }
    if request.method == .GET || request.method.rawValue == "HEAD" {
      if let error = policy.dataError(for: request) { throw error }
      return Self.json(source.state())
    }
    let body = try await body(of: request, policy)
    do throws(RouteError) {
      return Self.json(try await source.perform(body))
    } catch {
      return Self.refusal(error)
    }
  }

  private static func refusal(_ error: RouteError) -> HTTPResponse {
    switch error {
    case .badPayload(let detail): json(problem("bad_payload", "Invalid body: \(detail)."), .badRequest)
    case .refused(let refusal): json(problem(refusal.reason, refusal.detail), .conflict)
    case .failed(let refusal): json(problem(refusal.reason, refusal.detail), .serviceUnavailable)
    }
  }
}
