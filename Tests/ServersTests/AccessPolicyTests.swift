import Testing

@testable import Servers

struct AccessPolicyTests {
  static let secret = "correct horse battery".replacing(" ", with: "-")

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    var address = "127.0.0.1"
    var hosts: [String] = []
    var isTokenSet = false
    var isPairing = false
    var client = "127.0.0.1"
    var headers: [String: String] = [:]
    let refusal: APIError?
  }

  static let json = ["Host": "127.0.0.1:8385", "Content-Type": "application/json"]
  static func json(_ more: [String: String]) -> [String: String] { json.merging(more) { $1 } }

  static let cases = [
    Case(testDescription: "a program on this machine", headers: json, refusal: nil),
    Case(testDescription: "our page", headers: json(["Origin": "http://127.0.0.1:8385"]), refusal: nil),
    Case(
      testDescription: "our page under another name",
      headers: json(["Host": "localhost:8385", "Origin": "http://LOCALHOST:8385", "Sec-Fetch-Site": "same-origin"]),
      refusal: nil),
    Case(
      testDescription: "with a charset", headers: json(["Content-Type": "Application/JSON; charset=utf-8"]),
      refusal: nil),
    Case(
      testDescription: "behind a proxy with TLS, no token", hosts: ["Scale.example.org"],
      headers: json(["Host": "scale.example.org", "Origin": "https://scale.example.org"]), refusal: .closed),
    Case(
      testDescription: "behind a proxy with TLS, the token", hosts: ["Scale.example.org"], isTokenSet: true,
      headers: json([
        "Host": "scale.example.org", "Origin": "https://scale.example.org", "Authorization": "Bearer \(secret)",
      ]), refusal: nil),
    Case(
      testDescription: "behind a proxy that passes its own name on, no token", hosts: ["scale.example.org"],
      headers: json(["X-Forwarded-For": "192.168.1.9"]), refusal: .closed),
    Case(
      testDescription: "behind a proxy under an address, no token", headers: json(["Host": "192.168.1.5"]),
      refusal: .closed),
    Case(testDescription: "this machine, next to a proxy", hosts: ["scale.example.org"], headers: json, refusal: nil),
    Case(
      testDescription: "this machine over IPv6", address: "::1", headers: json(["Host": "[::1]:8385"]), refusal: nil),
    Case(
      testDescription: "a name of DNS rebinding", headers: json(["Host": "evil.example:8385"]), refusal: .unknownHost),
    Case(
      testDescription: "a name of multicast DNS, the token", address: "0.0.0.0", isTokenSet: true,
      client: "192.168.1.9",
      headers: json([
        "Host": "grampad.local", "Origin": "http://grampad.local", "Authorization": "Bearer \(secret)",
      ]), refusal: nil),
    Case(
      testDescription: "a name of multicast DNS, no token", headers: json(["Host": "grampad.local"]), refusal: .closed),
    Case(
      testDescription: "a page elsewhere, a name of multicast DNS",
      headers: json(["Host": "grampad.local", "Origin": "http://evil.local"]), refusal: .crossOrigin),
    Case(testDescription: "no host", headers: ["Content-Type": "application/json"], refusal: .badHost),
    Case(testDescription: "a host with a path", headers: json(["Host": "127.0.0.1:8385/x"]), refusal: .badHost),
    Case(testDescription: "a page elsewhere", headers: json(["Origin": "http://evil.example"]), refusal: .crossOrigin),
    Case(
      testDescription: "a page of another port", headers: json(["Origin": "http://127.0.0.1:3000"]),
      refusal: .crossOrigin),
    Case(testDescription: "a page of nowhere", headers: json(["Origin": "null"]), refusal: .crossOrigin),
    Case(
      testDescription: "a page elsewhere that hides its origin", headers: json(["Sec-Fetch-Site": "cross-site"]),
      refusal: .crossOrigin),
    Case(testDescription: "a page next door", headers: json(["Sec-Fetch-Site": "same-site"]), refusal: .crossOrigin),
    Case(testDescription: "a form", headers: json(["Content-Type": "text/plain"]), refusal: .notJSON),
    Case(testDescription: "no type", headers: ["Host": "127.0.0.1"], refusal: .notJSON),
    Case(
      testDescription: "on loopback, token set, none given", isTokenSet: true, headers: json, refusal: .tokenMissing),
    Case(testDescription: "open address, no token set", address: "0.0.0.0", headers: json, refusal: .closed),
    Case(
      testDescription: "open address, none given", address: "0.0.0.0", isTokenSet: true, headers: json,
      refusal: .tokenMissing),
    Case(
      testDescription: "open address, wrong one", address: "::", isTokenSet: true,
      headers: json(["Authorization": "Bearer correct-horse-batterz"]), refusal: .tokenWrong),
    Case(
      testDescription: "open address, a part of it", address: "::", isTokenSet: true,
      headers: json(["Authorization": "Bearer correct-horse"]), refusal: .tokenWrong),
    Case(
      testDescription: "open address, more than it", address: "::", isTokenSet: true,
      headers: json(["Authorization": "Bearer \(secret)x"]), refusal: .tokenWrong),
    Case(
      testDescription: "open address, another scheme", address: "::", isTokenSet: true,
      headers: json(["Authorization": "Basic \(secret)"]), refusal: .tokenWrong),
    Case(
      testDescription: "open address, the token", address: "192.168.1.5", isTokenSet: true,
      headers: json(["Host": "192.168.1.5:8385", "Authorization": "bearer \(secret)"]), refusal: nil),
    Case(
      testDescription: "the token, but a page elsewhere", address: "0.0.0.0", isTokenSet: true,
      headers: json(["Authorization": "Bearer \(secret)", "Origin": "http://evil.example"]), refusal: .crossOrigin),
    Case(
      testDescription: "a paired client", address: "0.0.0.0", isTokenSet: true, isPairing: true, client: "192.168.1.9",
      headers: json(["Authorization": "Bearer \(paired)"]), refusal: nil),
    Case(
      testDescription: "a paired client, no token set", address: "0.0.0.0", isPairing: true, client: "192.168.1.9",
      headers: json(["Host": "192.168.1.5", "Authorization": "Bearer \(paired)"]), refusal: nil),
    Case(
      testDescription: "a paired client behind a proxy", isPairing: true,
      headers: json(["X-Forwarded-For": "192.168.1.9", "Authorization": "Bearer \(paired)"]), refusal: nil),
    Case(
      testDescription: "a paired client, pairing off", address: "0.0.0.0", isTokenSet: true, client: "192.168.1.9",
      headers: json(["Authorization": "Bearer \(paired)"]), refusal: .tokenWrong),
    Case(
      testDescription: "a paired client, a page elsewhere", address: "0.0.0.0", isPairing: true,
      headers: json(["Authorization": "Bearer \(paired)", "Origin": "http://evil.example"]), refusal: .crossOrigin),
    Case(
      testDescription: "not paired, no token set", address: "0.0.0.0", isPairing: true, client: "192.168.1.9",
      headers: json, refusal: .tokenMissing),
    Case(
      testDescription: "no longer paired", address: "0.0.0.0", isPairing: true, client: "192.168.1.9",
      headers: json(["Authorization": "Bearer \(secret)"]), refusal: .tokenWrong),
  ]

  static let paired = "0123456789abcdef"

  @Test(arguments: cases)
  func decides(_ it: Case) throws {
    let isPaired: @Sendable (String) -> Bool = { $0 == Self.paired }
    let policy = AccessPolicy(
      address: it.address, hosts: it.hosts, token: it.isTokenSet ? Token(Self.secret) : nil,
      isPaired: it.isPairing ? isPaired : nil)
    let lines = ["POST /api/action/tare HTTP/1.1"] + it.headers.map { "\($0.key): \($0.value)" }
    let head = try RequestHead(lines.joined(separator: "\r\n").utf8, limits: Limits())
    let request = Request(head: head, body: [], client: try #require(ClientAddress(it.client)))
    #expect((policy.error(for: request) ?? policy.actionError(for: request)) == it.refusal)
  }

  /// Who may pair and revoke clients, and who may tare on `/snapshot` without a token.
  @Test(
    arguments: [
      (nil, "127.0.0.1", [:], nil, true), (nil, "192.168.1.9", [:], .ownerOnly, false),
      (nil, "127.0.0.1", ["X-Forwarded-For": "192.168.1.9"], .ownerOnly, false),
      (nil, "127.0.0.1", ["Host": "192.168.1.5"], .ownerOnly, false),
      (nil, "192.168.1.9", ["Authorization": "Bearer \(paired)"], .ownerOnly, false),
      (secret, "127.0.0.1", [:], .tokenMissing, false),
      (secret, "192.168.1.9", ["Authorization": "Bearer \(secret)"], nil, false),
      (secret, "127.0.0.1", ["Authorization": "Bearer \(paired)"], .ownerOnly, false),
      (secret, "127.0.0.1", ["Authorization": "Bearer wrongwrongwrongwrong"], .tokenWrong, false),
    ] as [(String?, String, [String: String], APIError?, Bool)])
  func knowsTheOwner(
    _ token: String?, _ client: String, _ headers: [String: String], _ refusal: APIError?, _ allowsApp: Bool
  ) throws {
    let policy = AccessPolicy(
      address: "0.0.0.0", hosts: [], token: token.flatMap(Token.init), isPaired: { $0 == Self.paired })
    let lines = ["GET /api/clients HTTP/1.1"] + Self.json(headers).map { "\($0.key): \($0.value)" }
    let head = try RequestHead(lines.joined(separator: "\r\n").utf8, limits: Limits())
    let request = Request(head: head, body: [], client: try #require(ClientAddress(client)))
    #expect(policy.ownerError(for: request) == refusal)
    #expect(policy.allowsApp(request) == allowsApp)
  }

  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1:80", "127.0.0.1", true), ("[::1]:8385", "::1", true),
    ("LocalHost", "localhost", false), ("a.b.", "a.b", false), ("127.1", "127.1", false),
  ])
  func readsHosts(_ header: String, _ text: String, _ isAddress: Bool) {
    let host = HostName(header: header)
    #expect(host?.text == text)
    #expect(host?.isAddress == isAddress)
  }

  @Test(arguments: ["", ":80", "a:", "a:b", "a:99999", "[::1", "[a]", "[::1]x", "a:80:80"])
  func refusesWhatIsNoHost(_ header: String) { #expect(HostName(header: header) == nil) }

  @Test func tokensAreLongAndNeverShown() {
    #expect(Token("short") == nil)
    #expect(Token("with a blank in the middle") == nil)
    let token = Token(Self.secret)
    #expect(token != nil)
    #expect(!"\(String(describing: token)) \(String(reflecting: token))".contains("horse"))
  }
}
