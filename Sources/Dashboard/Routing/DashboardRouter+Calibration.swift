import FlyingFox
import Foundation
import Messages

extension DashboardRouter {
  /// The prefix of the paths of the calibration under way.
  static let calibrating = "/api/calibration/"

  /// The path of the certificate of its self-test.
  private static let certificate = "/api/calibration/certificate"

  /// The path of its state and of commands.
  static let session = "/api/calibration/session"

  /// Shows the calibration under way, or performs a command that may act.
  func calibrate(_ request: HTTPRequest, _ policy: AccessPolicy) async throws(APIError) -> HTTPResponse {
    guard let source = sources.calibrating else { throw .unknownPath }
    if request.path == Self.certificate { return try certificate(source, request, policy) }
    guard request.path == Self.session else { throw .unknownPath }
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

  private func certificate(
    _ source: CalibratingSource, _ request: HTTPRequest, _ policy: AccessPolicy
  ) throws(APIError) -> HTTPResponse {
    guard request.method == .GET || request.method.rawValue == "HEAD" else { throw .badMethod }
    if let error = policy.dataError(for: request) { throw error }
    do throws(RouteError) {
      let text = try source.certificate()
      var response = Self.response("text/plain; charset=utf-8", HTTPBodySequence(data: Data(text.utf8)))
      response.headers[.contentDisposition] = "attachment; filename=\"grampad-certificate.txt\""
      return response
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
