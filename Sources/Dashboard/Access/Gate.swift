import FlyingFox

/// Decides who may look and who may act.
///
/// | | looking | acting |
/// | --- | --- | --- |
/// | under a name that is none of ours (`Host`) | no | no |
/// | a script of another origin | not at data | no |
/// | listening on loopback, no token configured | yes | yes |
/// | a token is configured | yes | with the token |
/// | listening elsewhere, no token configured | yes | no |
package struct Gate: Sendable {
  /// What an action takes.
  package enum Rule: String, Sendable {
    /// Whoever can look can act: only this machine can.
    case open
    /// The token.
    case token
    /// Nobody can act.
    case closed
  }

  private let names: Set<String>
  private let token: Token?
  private let isLoopback: Bool

  /// Makes a gate.
  ///
  /// - Parameters:
  ///   - address: The IP address that is listened on.
  ///   - hosts: Names that lead here beside the machine's own.
  package init(address: String, hosts: [String], token: Token?) {
    names = HostName.own.union(hosts.map { $0.lowercased() })
    self.token = token
    isLoopback = address == "::1" || address.hasPrefix("127.")
  }

  /// What an action takes.
  package var rule: Rule { token != nil ? .token : isLoopback ? .open : .closed }

  /// Why a request is not even looked at.
  func refusal(of request: HTTPRequest) -> Refusal? {
    guard let header = request.headers[.host], let host = HostName(header: header) else { return .badHost }
    return host.isAddress || names.contains(host.text) ? nil : .unknownHost
  }

  /// Why a request does not get data: a script of another site asks, which could not read it anyway.
  func refusalOfData(_ request: HTTPRequest) -> Refusal? {
    if let site = request.headers[HTTPHeader("Sec-Fetch-Site")], site != "same-origin", site != "none" {
      return .crossOrigin
    }
    return nil
  }

  /// Why a request does not act.
  func refusalOfAction(_ request: HTTPRequest) -> Refusal? {
    if let refusal = refusalOfData(request) { return refusal }
    if let origin = request.headers[HTTPHeader("Origin")] {
      let host = request.headers[.host]?.lowercased() ?? ""
      guard ["http://" + host, "https://" + host].contains(origin.lowercased()) else { return .crossOrigin }
    }
    // Another origin can send text and forms without asking first, but not JSON (Fetch, 2.2.2: CORS-safelisted).
    let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " } ?? ""
    guard type.lowercased() == "application/json" else { return .notJSON }
    guard let token else { return isLoopback ? nil : .closed }
    guard let given = request.headers[.authorization] else { return .tokenMissing }
    let words = given.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer", token.matches(words[1]) else { return .tokenWrong }
    return nil
  }
}

/// Why a request is refused.
enum Refusal: String, Error, Sendable, CaseIterable {
  case badHost = "bad_host"
  case unknownHost = "unknown_host"
  case crossOrigin = "cross_origin"
  case notJSON = "not_json"
  case closed
  case tokenMissing = "token_missing"
  case tokenWrong = "token_wrong"
  case badPayload = "bad_payload"
  case unknownPath = "unknown_path"
  case badMethod = "bad_method"
  case busy

  /// The status that goes with it.
  var status: HTTPStatusCode {
    switch self {
    case .badHost, .badPayload: .badRequest
    case .unknownHost: .misdirectedRequest
    case .crossOrigin, .closed: .forbidden
    case .notJSON: .unsupportedMediaType
    case .tokenMissing, .tokenWrong: .unauthorized
    case .unknownPath: .notFound
    case .badMethod: .methodNotAllowed
    case .busy: .serviceUnavailable
    }
  }

  /// What is wrong and what to do, for people.
  var detail: String {
    switch self {
    case .badHost: "The request has no usable header Host."
    case .unknownHost: "This name is none of this machine's. Use its address, or add the name to dashboard.hosts."
    case .crossOrigin: "Only the dashboard's own page may do this."
    case .notJSON: "An action takes a body of the type application/json."
    case .closed: "From other machines, actions need a token: set dashboard.token_file. The page can be read without."
    case .tokenMissing: "This needs the token of dashboard.token_file."
    case .tokenWrong: "This is not the token of dashboard.token_file."
    case .badPayload: "The body is neither empty nor an object with a label of 1 to 256 bytes."
    case .unknownPath: "There is nothing here."
    case .badMethod: "This is not done that way."
    case .busy: "Too many ask at a time; try again in a moment."
    }
  }
}
