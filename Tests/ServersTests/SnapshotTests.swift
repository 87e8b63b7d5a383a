import Testing

@testable import Servers
@testable import Weighing

/// `/snapshot` over TCP: the handshake, the access rules and the limits. Public clients use it in Tests/PublicClients.
struct SnapshotTests {
  private static let handshake = [
    "Upgrade: websocket", "Connection: keep-alive, Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
  ]

  /// Opens a WebSocket and waits for the head of the response.
  private static func open(_ dashboard: RunningDashboard, _ more: [String] = []) async throws -> RawClient {
    let client = try RawClient(dashboard.port)
    let lines = ["GET /snapshot HTTP/1.1", "Host: 127.0.0.1:\(dashboard.port)"] + handshake + more
    client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    return client
  }

  @Test func shakesHands() async throws {
    let dashboard = try await RunningDashboard()
    let client = try await Self.open(dashboard)
    let head = await client.read { $0.contains("\r\n\r\n") }.text
    #expect(head.status == 101)
    // The example of RFC 6455, 1.3.
    #expect(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
  }

  @Test(arguments: [
    ("GET", [], 426, "upgrade_required"),
    ("GET", ["Upgrade: h2c", "Connection: Upgrade"], 400, "bad_handshake"),
    ("GET", Array(handshake.prefix(3)) + ["Sec-WebSocket-Version: 8"], 400, "bad_handshake"),
    ("GET", Array(handshake.prefix(2)) + ["Sec-WebSocket-Version: 13"], 400, "bad_handshake"),
    ("POST", handshake, 405, "bad_method"),
    ("HEAD", handshake, 405, nil),
    ("GET", handshake + ["Origin: http://evil.example"], 403, "cross_origin"),
    ("GET", handshake + ["Sec-Fetch-Site: cross-site"], 403, "cross_origin"),
  ])
  func refuses(_ method: String, _ headers: [String], _ status: Int, _ reason: String?) async throws {
    let dashboard = try await RunningDashboard()
    let answer = try await RawClient.request(dashboard.port, "\(method) /snapshot", headers)
    #expect(answer.status == status)
    if let reason { #expect(answer.contains("\"reason\":\"\(reason)\"")) }
  }

  @Test func refusesAnUnknownName() async throws {
    let dashboard = try await RunningDashboard()
    let answer = try await RawClient.request(dashboard.port, "GET /snapshot", Self.handshake, host: "evil.example")
    #expect(answer.status == 421)
  }

  @Test func countsAsALiveView() async throws {
    let dashboard = try await RunningDashboard { $0.limits.viewers = 2 }
    let first = try await Self.open(dashboard)
    _ = await first.read { $0.contains("\r\n\r\n") }
    let second = try await Self.open(dashboard)
    _ = await second.read { $0.contains("\r\n\r\n") }
    let third = try await RawClient.request(dashboard.port, "GET /snapshot", Self.handshake)
    #expect(third.status == 503)
    let live = try await RawClient.request(dashboard.port, "GET /api/live")
    #expect(live.status == 503)
    _ = (first, second)
  }

  @Test func closesAClientThatAnswersNoPing() async throws {
    let dashboard = try await RunningDashboard {
      $0.limits.pingTime = .milliseconds(200)
      $0.limits.silenceTime = .milliseconds(600)
    }
    let client = try await Self.open(dashboard)
    #expect(await client.read().isClosed)
    // Its place is free again.
    let begin = ContinuousClock.now
    var metrics = ""
    while !metrics.contains("grampad_http_viewers 0"), ContinuousClock.now - begin < .seconds(60) {
      metrics = try await RawClient.request(dashboard.port, "GET /metrics")
    }
    #expect(metrics.contains("grampad_http_viewers 0"), "\(metrics)")
  }

  /// Every name of multicast DNS is accepted, and the origin is still that of the page.
  @Test(arguments: [
    ("grampad.local", nil, 101), ("Hds.LOCAL:80", nil, 101), ("grampad.local", "http://grampad.local", 101),
    ("grampad.local", "http://evil.example", 403), ("grampad.local", "http://other.local", 403),
    (".local", nil, 421), ("grampad.local.evil.example", nil, 421), ("evillocal", nil, 421),
  ])
  func acceptsNamesOfMulticastDNS(_ host: String, _ origin: String?, _ status: Int) async throws {
    let dashboard = try await RunningDashboard()
    let client = try RawClient(dashboard.port)
    let lines =
      ["GET /snapshot HTTP/1.1", "Host: \(host)"] + Self.handshake + (origin.map { ["Origin: \($0)"] } ?? [])
    client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    #expect(await client.read { $0.contains("\r\n\r\n") }.text.status == status)
  }
}
