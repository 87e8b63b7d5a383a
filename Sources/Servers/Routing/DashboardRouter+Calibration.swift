import Messages

extension DashboardRouter {
  /// The prefix of the paths of the calibration under way.
  static let calibrating = "/api/calibration/"

  /// The path of the certificate of its self-test.
  private static let certificate = "/api/calibration/certificate"

  /// The path of its state and of commands.
  static let session = "/api/calibration/session"

  /// Shows the calibration under way, or performs a command: one that may act, or any while the machine is not set up.
  func calibrate(_ request: Request, _ policy: AccessPolicy) throws(APIError) -> Answer {
    guard let source = sources.calibrating else { throw .unknownPath }
    if request.path == Self.certificate { return try certificate(source, request, policy) }
    guard request.path == Self.session else { throw .unknownPath }
    if request.isReading {
      if let error = policy.dataError(for: request) { throw error }
      return .later { completion in source.state { completion(.json($0)) } }
    }
    let body = try body(of: request, policy, isOpen: sources.machine?.isSetUp() == false)
    return .later { completion in
      source.perform(body) { result in
        switch result {
        case .success(let state): completion(.json(state))
        case .failure(let error): completion(Self.refusal(error))
        }
      }
    }
  }

  private func certificate(
    _ source: CalibratingSource, _ request: Request, _ policy: AccessPolicy
  ) throws(APIError) -> Answer {
    guard request.isReading else { throw .badMethod }
    if let error = policy.dataError(for: request) { throw error }
    return .later { completion in
      source.certificate { result in
        switch result {
        case .success(let text):
          completion(Response("text/plain; charset=utf-8", text).attached(as: "grampad-certificate.txt"))
        case .failure(let error): completion(Self.refusal(error))
        }
      }
    }
  }

  /// Why the appliance does not do what a request asks for.
  static func refusal(_ error: RouteError) -> Response {
    switch error {
    case .badPayload(let detail): .badPayload(detail)
    case .refused(let refusal): .problem(refusal.reason, refusal.detail, .conflict)
    case .failed(let refusal): .problem(refusal.reason, refusal.detail, .serviceUnavailable)
    }
  }
}
