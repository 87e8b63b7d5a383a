/// Decides which requests may read data and which may act.
///
/// | | reading | acting |
/// | --- | --- | --- |
/// | under an unknown host name (`Host`) | no | no |
/// | a script of another origin | no data | no |
/// | a token is configured | yes | with the token |
/// | no token, listening on loopback, under `localhost` or a loopback address | yes | yes |
/// | no token, through a reverse proxy: another name, or its headers | yes | no |
/// | no token, listening elsewhere | yes | no |
package struct AccessPolicy: Sendable {
  /// What a request needs in order to act.
  package enum Rule: String, Sendable {
    /// Nothing: only programs and users on this machine can send a request.
    case open
    /// The token.
    case token
    /// Actions are disabled.
    case closed
  }

  private let names: Set<String>
  private let token: Token?
  private let isLoopback: Bool

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - address: The IP address the server listens on.
  ///   - hosts: Accepted host names in addition to the machine's own.
  package init(address: String, hosts: [String], token: Token?) {
    names = HostName.own.union(hosts.map { $0.lowercased() })
    self.token = token
    isLoopback = ClientAddress(address)?.isLoopback ?? false
  }

  /// What an action needs when it is sent on this machine.
  package var rule: Rule { token != nil ? .token : isLoopback ? .open : .closed }

  /// What an action needs when it arrives with a request.
  func rule(for request: Request) -> Rule { rule == .open && !Self.isFromThisMachine(request) ? .closed : rule }

  /// Whether a request to a loopback address appears to come from this machine.
  ///
  /// A reverse proxy on this machine forwards requests from anywhere. It uses its own host name, which it forwards too,
  /// or it adds headers that browsers do not let scripts set.
  private static func isFromThisMachine(_ request: Request) -> Bool {
    let isForwarded = forwarding.contains { request[$0] != nil }
    guard !isForwarded, let header = request["host"], let host = HostName(header: header) else { return false }
    return host.text == "localhost" || ClientAddress(host.text)?.isLoopback == true
  }

  /// Headers that identify reverse proxies (RFC 7239; RFC 9110, 7.6.3; the others by convention).
  private static let forwarding = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"]

  /// The error for a request whatever its path; `nil` if its host is accepted.
  func error(for request: Request) -> APIError? {
    guard let header = request["host"], let host = HostName(header: header) else { return .badHost }
    return host.isAddress || names.contains(host.text) ? nil : .unknownHost
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
    if let error = dataError(for: request) { return error }
    if let error = originError(for: request) { return error }
    // Another origin can send text and forms without a preflight request, but not JSON (Fetch, 2.2.2: CORS-safelisted).
    let type = request["content-type"]?.prefix { $0 != ";" && $0 != " " } ?? ""
    guard type.lowercased() == "application/json" else { return .notJSON }
    return authorizationError(for: request)
  }

  /// The error for a request without the right to act; else `nil`.
  func authorizationError(for request: Request) -> APIError? {
    guard let token else { return rule(for: request) == .open ? nil : .closed }
    guard let given = request["authorization"] else { return .tokenMissing }
    let words = given.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer", token.matches(words[1]) else { return .tokenWrong }
    return nil
  }
}
