import FlyingFox
import Messages
import Weighing

extension DashboardRouter {
  /// The path of the WebSocket.
  static let snapshot = "/snapshot"

  /// Turns the connection into a WebSocket for snapshots.
  func upgrade(_ request: HTTPRequest, _ policy: AccessPolicy) async throws(APIError) -> ExchangeAnswer {
    guard request.method == .GET else { throw .badMethod }
    // Browsers let pages of any origin open a WebSocket and read from it, so the origin is checked for reading, too.
    if let error = policy.dataError(for: request) ?? policy.originError(for: request) { throw error }
    guard request.headers[.upgrade] != nil else { throw .upgradeRequired }
    guard let response = try? await WebSocketHTTPHandler(handler: NoFrames()).handleRequest(request),
      response.statusCode == .switchingProtocols
    else { throw .badHandshake }
    guard let registration = viewers.register(from: request.client) else { throw .busy }
    let session = SnapshotSession(
      net: { [trace] in trace.newestNet }, tare: { [self] in await tare(request) }, start: start,
      registration: registration)
    return .webSocket(response, session)
  }

  /// Takes the tare for a client of the WebSocket, which has no way to send the token.
  private func tare(_ request: HTTPRequest) async -> SnapshotError? {
    let rule = policy.withLock { $0 }.rule(for: request)
    switch rule {
    case .open: break
    case .token, .closed:
      let error = rule == .token ? APIError.tokenMissing : .closed
      return SnapshotError(code: error.rawValue, detail: error.detail)
    }
    guard let answer = await sources.act(ActionRequest(action: .tare, source: .dashboard)) else {
      return SnapshotError(code: APIError.busy.rawValue, detail: APIError.busy.detail)
    }
    guard let json = try? JSONValue(answer, maximumBytes: 1 << 16), json["ok"]?.isTrue == false else { return nil }
    return SnapshotError(code: json["reason"]?.text ?? "rejected", detail: "The scale rejected the action.")
  }
}

/// FlyingFox's handler checks the handshake; it does not see the frames.
private struct NoFrames: WSHandler {
  func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) -> AsyncStream<WSFrame> {
    AsyncStream { $0.finish() }
  }
}
