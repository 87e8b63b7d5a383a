/// Decides which requests may read data and which may act.
///
/// | | reading | acting |
/// | --- | --- | --- |
/// | under an unknown host name (`Host`) | no | no |
/// | a script of another origin | no data | no |
/// | a token is configured | yes | with the token, or that of a paired client |
/// | no token, listening on loopback, under `localhost` or a loopback address | yes | yes |
/// | no token, through a reverse proxy: another name, or its headers | yes | with the token of a paired client |
/// | no token, listening elsewhere: from this machine if pairing is on | yes | yes |
/// | no token, listening elsewhere: from another one | yes | with the token of a paired client |
///
/// Without pairing no client is paired. Only the owner pairs and revokes clients: with the token, or without one on this machine.
package struct AccessPolicy: Sendable {
  /// What a request needs in order to act.
  package enum Rule: String, Sendable {
    /// Nothing: only programs and users on this machine can send a request.
    case open
    /// The token, or that of a paired client.
    case token
    /// Actions are disabled.
    case closed
  }

  private let names: Set<String>
  private let token: Token?
  private let isLoopback: Bool
  private let isPaired: (@Sendable (String) -> Bool)?

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - address: The IP address the server listens on; one that other machines can reach if there is any.
  ///   - hosts: Accepted host names in addition to the machine's own.
  ///   - isPaired: Whether a token is that of a paired client; `nil` if pairing is off.
  package init(
    address: String, hosts: [String], token: Token?, isPaired: (@Sendable (String) -> Bool)? = nil
  ) {
    self.isPaired = isPaired
    names = HostName.own.union(hosts.map { $0.lowercased() })
    self.token = token
    isLoopback = ClientAddress(address)?.isLoopback ?? false
  }

  /// What an action needs when it is sent on this machine.
  package var rule: Rule { token != nil ? .token : isLoopback || isPairing ? .open : .closed }

  /// What an action needs when it is sent from elsewhere.
  package var remoteRule: Rule { token != nil || isPairing ? .token : .closed }

  /// Whether clients can ask for the right to act.
  var isPairing: Bool { isPaired != nil }

  /// What an action needs when it arrives with a request.
  func rule(for request: Request) -> Rule { rule == .open && !Self.isFromThisMachine(request) ? remoteRule : rule }

  /// Whether a request to a loopback address appears to come from this machine.
  ///
  /// A reverse proxy on this machine forwards requests from anywhere. It uses its own host name, which it forwards too,
  /// or it adds headers that browsers do not let scripts set.
  private static func isFromThisMachine(_ request: Request) -> Bool {
    guard !isForwarded(request), request.client.isLoopback, let header = request["host"],
      let host = HostName(header: header)
    else { return false }
    return host.text == "localhost" || ClientAddress(host.text)?.isLoopback == true
  }

  /// Whether a request comes through a reverse proxy that says so.
  static func isForwarded(_ request: Request) -> Bool { forwarding.contains { request[$0] != nil } }

  /// Headers that identify reverse proxies (RFC 7239; RFC 9110, 7.6.3; the others by convention).
  private static let forwarding = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"]

  /// The error for a request whatever its path; `nil` if its host is accepted.
  func error(for request: Request) -> APIError? {
    guard let header = request["host"], let host = HostName(header: header) else { return .badHost }
    return host.isAddress || host.isLinkLocal || names.contains(host.text) ? nil : .unknownHost
  }

  /// The error for a request for data by a script of another site, which could not read the response anyway; else `nil`.
  func dataError(for request: Request) -> APIError? {
    if let site = request["sec-fetch-site"], site != "same-origin", site != "none" { return .crossOrigin }
    return nil
  }

  /// The error for a request by a page of another origin that browsers let it send; else `nil`.
  func originError(for request: Request) -> APIError? {
    guard let origin = request["origin"] else { return nil }
    let host = request["host"]?.lowercased() ?? ""
    return ["http://" + host, "https://" + host].contains(origin.lowercased()) ? nil : .crossOrigin
  }

  /// The error for an action that is not allowed; else `nil`.
  func actionError(for request: Request) -> APIError? {
    requestError(for: request) ?? authorizationError(for: request)
  }

  /// The error for a request that changes something and that a page of another origin may have sent; else `nil`.
  ///
  /// - Parameter type: The required type of the body.
  func requestError(for request: Request, type required: String = "application/json") -> APIError? {
    if let error = dataError(for: request) { return error }
    if let error = originError(for: request) { return error }
    // Another origin can send text and forms without a preflight request, but no other type (Fetch, 2.2.2: CORS-safelisted).
    let type = request["content-type"]?.prefix { $0 != ";" && $0 != " " } ?? ""
    return type.lowercased() == required ? nil : .notJSON
  }

  /// The error for a request without the right to act; else `nil`.
  func authorizationError(for request: Request) -> APIError? {
    switch rule(for: request) {
    case .open: return nil
    case .closed: return .closed
    case .token: break
    }
    return tokenError(for: request, ofClient: nil)
  }

  /// The error for a request to manage the clients that may act by one that is not the owner; else `nil`.
  func ownerError(for request: Request) -> APIError? {
    guard token != nil else { return Self.isFromThisMachine(request) ? nil : .ownerOnly }
    return tokenError(for: request, ofClient: .ownerOnly)
  }

  /// The error for a request whose token does not suffice, with that for a paired client's; else `nil`.
  private func tokenError(for request: Request, ofClient error: APIError?) -> APIError? {
    switch bearer(of: request) {
    case .owner: nil
    case .client: error
    case .none: .tokenMissing
    case .stranger: .tokenWrong
    }
  }

  /// Whether a client that cannot send a token may act without being paired.
  func allowsApp(_ request: Request) -> Bool { token == nil && Self.isFromThisMachine(request) }

  private enum Bearer {
    case none, owner, client, stranger
  }

  /// Whose token a request has.
  private func bearer(of request: Request) -> Bearer {
    guard let given = request["authorization"] else { return .none }
    let words = given.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer" else { return .stranger }
    if let token, token.matches(words[1]) { return .owner }
    return isPaired?(String(words[1])) == true ? .client : .stranger
  }
}
