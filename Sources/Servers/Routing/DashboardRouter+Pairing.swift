import Messages
import Weighing

extension DashboardRouter {
  /// The path for clients that ask for the right to act; with an identifier, that of the decision on one.
  static let pairing = "/api/pair"

  /// The path of the clients that may act; with an identifier, that of one of them.
  static let clients = "/api/clients"

  /// Asks for the right to act, decides on it, lists the clients that have it, or takes it from one.
  func pair(_ request: Request, _ policy: AccessPolicy) throws(APIError) -> Answer {
    guard let source = sources.pairing else { throw .unknownPath }
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2)
    let item = parts.count == 2 ? parts.last : nil
    switch (parts.first, item) {
    case ("pair", nil) where parts.count == 1: return try ask(source, request, policy)
    case ("pair", let item?): return try decide(source, item, request, policy)
    case ("clients", nil) where parts.count == 1:
      guard request.isReading else { throw .badMethod }
      try authorize(request, policy.dataError(for: request) ?? policy.ownerError(for: request))
      return .later { completion in source.clients { completion(Self.response($0)) } }
    case ("clients", let item?):
      guard request.method == "DELETE" else { throw .badMethod }
      try authorize(
        request,
        policy.dataError(for: request) ?? policy.originError(for: request) ?? policy.ownerError(for: request))
      return .later { completion in source.revoke(String(item)) { completion(Self.response($0)) } }
    default: throw .unknownPath  // any text
    }
  }

  private func ask(
    _ source: any PairingSource, _ request: Request, _ policy: AccessPolicy
  ) throws(APIError) -> Answer {
    guard request.method == "POST" else { throw .badMethod }
    if let error = policy.requestError(for: request) { throw error }
    guard policy.isPairing else { throw .pairingOff }
    let name = (try? JSONValue(request.body, maximumBytes: 4096))?["name"]?.text
    guard let client = name.flatMap({ PairingClient(.page, name: $0, at: request.client) }) else {
      return .response(.badPayload(.expected(.acceptsLine, ["maximum": PairingClient.longestName]).about("name")))
    }
    return .waiting { completion in
      let identifier = source.ask(client) { answer in
        switch answer {
        case .granted(let json): completion(.json(json))
        case .failed(let error): completion(Self.response(.failure(error)))
        case .requested: break
        case .refused, .busy, .tooMany: completion(.error(APIError(answer) ?? .busy, allowing: "POST"))
        }
      }
      return { source.withdraw(identifier) }
    }
  }

  private func decide(
    _ source: any PairingSource, _ item: Substring, _ request: Request, _ policy: AccessPolicy
  ) throws(APIError) -> Answer {
    guard request.method == "POST" else { throw .badMethod }
    try authorize(request, policy.requestError(for: request) ?? policy.ownerError(for: request))
    guard let isAllowed = (try? JSONValue(request.body, maximumBytes: 4096))?["allow"]?.isTrue else {
      return .response(.badPayload(.expected(.verbatim("true, false")).about("allow")))
    }
    guard let identifier = UInt64(item), source.decide(identifier, isAllowed: isAllowed) else {
      return .response(.problem("not_pending", Sentence(.pairingOver), .notFound))
    }
    return .response(.json(Array(#"{"ok":true}"#.utf8)))
  }

  private static func response(_ result: Result<[UInt8], RouteError>) -> Response {
    switch result {
    case .success(let json): .json(json)
    // What the path names.
    case .failure(.refused(let refusal)): .problem(refusal.reason, refusal.detail, .notFound)
    case .failure(let error): refusal(error)
    }
  }
}

extension APIError {
  /// What a client is told whose request to act is refused; `nil` for another answer.
  init?(_ answer: PairingAnswer) {
    switch answer {
    case .refused(.refused): self = .pairingRefused
    case .refused(.timedOut): self = .pairingTimedOut
    case .refused(.withdrawn): self = .pairingOff
    case .busy: self = .pairingBusy
    case .tooMany: self = .pairingLimit
    case .requested, .granted, .failed: return nil
    }
  }
}
