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
    let session = SnapshotSession(
      net: { [trace] in trace.newestNet }, tare: { [self] in tare(request, $0) }, start: start,
      registration: registration)
    return .webSocket(session)
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

  /// Takes the tare for a client of the WebSocket that may act.
  private func tare(_ request: Request, _ completion: @escaping @Sendable (SnapshotError?) -> Void) {
    authorize(request) { [self] error in
      if let error { completion(error) } else { tare(completion) }
    }
  }

  private func tare(_ completion: @escaping @Sendable (SnapshotError?) -> Void) {
    sources.act(ActionRequest(action: .tare, source: .dashboard)) { answer in
      guard let answer else { return completion(SnapshotError(.busy)) }
      let json = try? JSONValue(answer, maximumBytes: 1 << 16)
      let isRejected = json?["ok"]?.isTrue == false
      completion(
        isRejected
          ? SnapshotError(code: json?["reason"]?.text ?? "rejected", detail: "The scale rejected the action.") : nil)
    }
  }
}

extension SnapshotError {
  fileprivate init(_ error: APIError) { self.init(code: error.rawValue, detail: Texts.english(error.detail)) }
}
