import Languages
import Logging
import Synchronization
import Testing
import Weighing

@testable import Servers

/// The paths of clients that ask for the right to act, and of their owner.
struct PairingRouteTests {
  /// What the routes ask for, answered by the test.
  final class Asked: PairingSource {
    let asked = AsyncStream<(client: PairingClient, completion: Completion<PairingAnswer>)>.makeStream()
    let withdrawn = AsyncStream<UInt64?>.makeStream()
    let revoked = Mutex<[String]>([])
    let app = Mutex<String?>(nil)

    func isPairedApp(at address: String) -> Bool { app.withLock { $0 == address } }
    func ask(_ client: PairingClient, _ completion: @escaping Completion<PairingAnswer>) -> UInt64 {
      asked.continuation.yield((client, completion))
      return 5
    }
    func withdraw(_ request: UInt64?) { withdrawn.continuation.yield(request) }
    func decide(_ request: UInt64, isAllowed: Bool) -> Bool { request == 5 && isAllowed }
    func clients(_ completion: @escaping Completion<Result<[UInt8], RouteError>>) {
      completion(.success(Array(#"{"request":null,"clients":[]}"#.utf8)))
    }
    func revoke(_ client: String, _ completion: @escaping Completion<Result<[UInt8], RouteError>>) {
      revoked.withLock { $0.append(client) }
      guard client == "3f9c01de" else {
        return completion(.failure(.refused(.init("unknown_client", Sentence(.clientsUnknown, ["id": client])))))
      }
      clients(completion)
    }
  }

  private static let owner = "Authorization: Bearer fedcba9876543210"
  private static let client = "Authorization: Bearer 0123456789abcdef"

  private func dashboard(
    _ source: Asked = Asked(), isPairing: Bool = true, hasToken: Bool = false
  ) async throws -> WritingPath {
    let dashboard = try await RunningDashboard(
      {
        if isPairing { $0.isPaired = { $0 == "0123456789abcdef" } }
        if hasToken { $0.token = Token("fedcba9876543210") }
      }, pairing: source)
    return WritingPath(path: "/api/pair", dashboard: dashboard)
  }

  @Test(
    arguments: [
      (.granted(Array(#"{"ok":true,"token":"x"}"#.utf8)), 200, #""token":"x""#),
      (.refused(.refused), 403, "pairing_refused"), (.refused(.timedOut), 403, "pairing_timed_out"),
      (.refused(.withdrawn), 403, "pairing_off"), (.busy, 503, "Retry-After: 60"),
      (.tooMany, 429, "pairing_limit"),
      (.failed(.failed(.init("clients_full", Sentence(.clientsFull, ["maximum": 64])))), 503, "clients_full"),
    ] as [(PairingAnswer, Int, String)])
  func answersWhenItIsDecided(_ answer: PairingAnswer, _ status: Int, _ words: String) async throws {
    let source = Asked()
    let path = try await dashboard(source)
    let client = try RawClient(path.dashboard.port)
    let body = #"{"name": "  Anna's\u0007 phone\n "}"#
    client.send(
      "POST /api/pair HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    var requests = source.asked.stream.makeAsyncIterator()
    let asked = try #require(await requests.next())
    #expect(asked.client.name == "Anna's\u{FFFD} phone" && asked.client.address == "127.0.0.1")
    asked.completion(answer)
    let told = await client.read().text
    #expect(told.status == status && told.contains(words), "\(told)")
  }

  /// A client that is gone must not keep others waiting.
  @Test(arguments: [false, true])
  func aClientThatGoesWithdraws(_ isReset: Bool) async throws {
    let source = Asked()
    let path = try await dashboard(source)
    var client: RawClient? = try RawClient(path.dashboard.port)
    let body = #"{"name": "phone"}"#
    client?.send(
      "POST /api/pair HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    var requests = source.asked.stream.makeAsyncIterator()
    _ = try #require(await requests.next())
    if isReset { client?.reset() }
    client = nil
    var withdrawn = source.withdrawn.stream.makeAsyncIterator()
    #expect(await withdrawn.next() == 5)
  }

  @Test func needsWhatActionsNeedButNoToken() async throws {
    let path = try await dashboard(hasToken: true)
    #expect(try await path.post(#"{"name": "x"}"#, []).status == 415)
    for header in ["Origin: http://elsewhere", "Sec-Fetch-Site: cross-site"] {
      #expect(try await path.post(#"{"name": "x"}"#, WritingPath.json + [header]).status == 403, "\(header)")
    }
    #expect(try await path.get().contains("Allow: POST"))
    let rebound = try await RawClient.request(
      path.dashboard.port, "POST /api/pair", WritingPath.json, host: "evil.example", body: #"{"name": "x"}"#)
    #expect(rebound.status == 421)
    for body in ["", "{}", #"{"name": 7}"#, #"{"name": " \n "}"#] {
      #expect(try await path.post(body).status == 400, "\(body)")
    }
    let off = try await dashboard(isPairing: false)
    #expect(try await off.post(#"{"name": "x"}"#).contains("pairing_off"))
    #expect(try await WritingPath(path: "/api/pair", dashboard: RunningDashboard()).post("{}").status == 404)
  }

  @Test func aPairedClientActsAndDoesNotManageClients() async throws {
    let path = try await dashboard(hasToken: true)
    let port = path.dashboard.port
    func status(_ line: String, _ header: String, _ body: String = "") async throws -> Int {
      try await RawClient.request(port, line, WritingPath.json + [header], body: body).status
    }
    #expect(try await status("POST /api/action/tare", Self.client, "{}") == 200)
    #expect(try await status("POST /api/action/tare", "X-None: 1", "{}") == 401)
    #expect(path.dashboard.acted == ["tare"])
    for line in ["GET /api/clients", "DELETE /api/clients/3f9c01de"] {
      #expect(try await status(line, Self.client) == 403, "\(line)")
      #expect(try await status(line, "X-None: 1") == 401, "\(line)")
      #expect(try await status(line, Self.owner) == 200, "\(line)")
    }
    #expect(try await status("POST /api/pair/5", Self.client, #"{"allow": true}"#) == 403)
    #expect(try await status("POST /api/pair/5", Self.owner, #"{"allow": true}"#) == 200)
  }

  @Test func theOwnerNeedsNoTokenOnThisMachineIfThereIsNone() async throws {
    let source = Asked()
    let path = try await dashboard(source)
    defer { withExtendedLifetime(path) {} }
    func ask(_ line: String, _ more: [String] = [], _ body: String = "") async throws -> String {
      try await RawClient.request(path.dashboard.port, line, WritingPath.json + more, body: body)
    }
    #expect(try await ask("GET /api/clients").contains(#"{"request":null,"clients":[]}"#))
    #expect(try await ask("GET /api/clients", ["X-Forwarded-For: 10.0.0.1"]).status == 403)
    #expect(try await ask("GET /api/clients", ["Sec-Fetch-Site: cross-site"]).status == 403)
    #expect(try await ask("DELETE /api/clients/3f9c01de", ["Origin: http://elsewhere"]).status == 403)
    #expect(source.revoked.withLock(\.self).isEmpty)
    #expect(try await ask("DELETE /api/clients/3f9c01de").status == 200)
    #expect(try await ask("DELETE /api/clients/none").contains("unknown_client"))
    #expect(try await ask("POST /api/clients/none", [], "{}").contains("Allow: DELETE"))
    #expect(try await ask("POST /api/pair/6", [], #"{"allow": true}"#).contains("not_pending"))
    #expect(try await ask("POST /api/pair/5", [], #"{"allow": 1}"#).status == 400)
    for path in ["/api/pairs", "/api/pair/5/6", "/api/clients/", "/api/clientsx"] {
      #expect([404, 405].contains(try await ask("GET \(path)").status), "\(path)")
    }
  }

  // MARK: Apps

  /// The code of the error for a `tare` on `/snapshot` from an address, or `nil` if it was performed.
  private func tare(_ source: Asked, from address: String, _ more: [String] = []) async throws -> String? {
    var settings = DashboardServer.Settings()
    settings.address = "0.0.0.0"
    settings.isPaired = { _ in false }
    let loop = ServerLoop()
    defer { loop.stop() }
    let feeds = FeedCache()
    let router = DashboardRouter(
      settings,
      sources: DashboardSources(
        act: { $1(Array(#"{"ok":true}"#.utf8)) }, weighings: { [] }, table: { _, _, _ in }, totals: { _, _ in },
        history: { _, _ in }, calibration: { [] }, curve: { _ in [] }, manifest: { _ in [] }, pairing: source),
      viewers: Viewers(feeds: feeds, limits: Limits(), on: loop), trace: NetTrace(), counters: EventCounters(),
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    let lines =
      [
        "GET /snapshot HTTP/1.1", "Host: 192.168.1.5", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "User-Agent: Espresso/2",
      ] + more
    let request = Request(
      head: try RequestHead(lines.joined(separator: "\r\n").utf8, limits: Limits()), body: [],
      client: try #require(ClientAddress(address)))
    guard case .webSocket(let snapshots) = router.answer(to: request) else { return "no WebSocket" }
    return await withCheckedContinuation { continuation in
      snapshots.perform(.tare) { continuation.resume(returning: $0?.code) }
    }
  }

  @Test func anAppAsksByItsFirstCommand() async throws {
    let source = Asked()
    async let reply = tare(source, from: "192.168.1.9")
    var requests = source.asked.stream.makeAsyncIterator()
    let asked = try #require(await requests.next())
    #expect(asked.client.kind == .app && asked.client.name == "Espresso/2" && asked.client.address == "192.168.1.9")
    asked.completion(.requested)
    #expect(try await reply == "pairing_required")
    source.app.withLock { $0 = "192.168.1.9" }
    #expect(try await tare(source, from: "192.168.1.9") == nil)
  }

  /// All clients of a proxy have its address.
  @Test(arguments: [("127.0.0.1", []), ("192.168.1.2", ["X-Forwarded-For: 192.168.1.9"])])
  func anAppBehindAProxyCannotBePaired(_ address: String, _ headers: [String]) async throws {
    let source = Asked()
    source.app.withLock { $0 = address }
    #expect(try await tare(source, from: address, headers) == "token_missing")
  }
}
