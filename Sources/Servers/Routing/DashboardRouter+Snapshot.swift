import Foundation
import Languages
import Messages
import Weighing

extension DashboardRouter {
  /// The path of the WebSocket.
  static let snapshot = "/snapshot"

  /// Turns the connection into a WebSocket for snapshots.
  func upgrade(_ request: Request, _ policy: AccessPolicy) throws(APIError) -> Answer {
    guard request.method == "GET" else { throw .badMethod }
    // Browsers let pages of any origin open a WebSocket and read from it, so the origin is checked for reading, too.
    if let error = policy.dataError(for: request) ?? policy.originError(for: request) { throw error }
    guard request["upgrade"] != nil else { throw .upgradeRequired }
    guard Self.isHandshake(request) else { throw .badHandshake }
    guard let registration = viewers.register(from: request.client) else { throw .busy }
    return .webSocket(
      SnapshotSource(
        scale: { [trace] in trace.scale }, perform: { [self] in perform($0, request, $1) }, start: start,
        registration: registration))
  }

  /// Whether a request opens a WebSocket of the only version. RFC 6455, 4.2.1
  private static func isHandshake(_ request: Request) -> Bool {
    let tokens = (request["connection"] ?? "").lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
    return request["upgrade"]?.lowercased() == "websocket" && tokens.contains("upgrade")
      && request["sec-websocket-version"] == "13"
      && request["sec-websocket-key"].flatMap { Data(base64Encoded: $0) }?.count == 16
  }

  /// Lets a client of the WebSocket act, which has no way to send a token, or asks for the right to act on its behalf; passes on why
  /// it may not, `nil` if it may.
  private func authorize(_ request: Request, _ completion: @escaping @Sendable (SnapshotError?) -> Void) {
    let policy = policy.withLock { $0 }
    if policy.allowsApp(request) { return completion(nil) }
    guard policy.isPairing, let source = sources.pairing, !request.client.isLoopback,
      !AccessPolicy.isForwarded(request),
      let client = PairingClient(.app, name: request["user-agent"] ?? "", at: request.client)
        ?? PairingClient(.app, name: "App", at: request.client)
    else { return completion(SnapshotError(policy.rule(for: request) == .token ? .tokenMissing : .closed)) }
    if source.isPairedApp(at: client.address) { return completion(nil) }
    _ = source.ask(client) { answer in
      completion(SnapshotError(answer == .requested ? .pairingRequired : APIError(answer) ?? .busy))
    }
  }

  /// Performs an action for a client of the WebSocket if it may act; passes on why it was not done, `nil` if it was.
  private func perform(
    _ action: SnapshotSession.Action, _ request: Request, _ completion: @escaping Completion<SnapshotError?>
  ) {
    authorize(request) { [self] error in
      if let error { return completion(error) }
      // The scale keeps their order. They are sent at once, so that no other command comes between them.
      let requests = action.requests(on: trace.scale)
      for request in requests.dropLast() { sources.act(request) { _ in } }
      if let last = requests.last { perform(last, completion) } else { completion(nil) }
    }
  }

  private func perform(_ request: ActionRequest, _ completion: @escaping Completion<SnapshotError?>) {
    sources.act(request) { [self] answer in
      guard let answer else { return completion(.busy) }
      let json = try? JSONValue(answer, maximumBytes: 1 << 16)
      guard json?["ok"]?.isTrue == false else { return completion(nil) }
      let reason = json?["reason"]?.text
      // The load was lifted meanwhile, or another client was faster.
      switch (Action(rawValue: request.name), reason.flatMap(Rejection.init)) {
      case (.tare, .empty): perform(ActionRequest(action: .clearTare, source: .dashboard), completion)
      case (.clearTare, .noTare): completion(nil)
      default:
        completion(
          SnapshotError(
            code: reason ?? "rejected", detail: json?["detail"]?.text ?? "The scale rejected the action."))
      }
    }
  }
}

extension SnapshotError {
  fileprivate init(_ error: APIError) { self.init(code: error.rawValue, detail: Texts.english(error.detail)) }
}
