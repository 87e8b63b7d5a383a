import Servers
import Testing

/// Clients that take more than their share.
@Suite(.serialized)
struct PatienceTests {
  @Test func aSilentClientIsCutOff() async throws {
    let dashboard = try await RunningDashboard { $0.limits.requestTime = .milliseconds(300) }
    let client = try RawClient(dashboard.port)
    #expect(await client.read(within: .seconds(60)).isClosed)
  }

  @Test func aClientThatDripsIsCutOff() async throws {
    let dashboard = try await RunningDashboard { $0.limits.requestTime = .milliseconds(300) }
    let client = try RawClient(dashboard.port)
    let begin = ContinuousClock.now
    client.send("GET / HTTP/1.1\r\nHost: [::1]\r\n")
    var isClosed = false
    while !isClosed, ContinuousClock.now - begin < .seconds(60) {
      client.send("a: b\r\n")
      isClosed = await client.read(within: .milliseconds(50)).isClosed
    }
    #expect(isClosed)
  }

  @Test func aViewerThatDoesNotReadIsCutOff() async throws {
    let dashboard = try await RunningDashboard { $0.limits.answerTime = .milliseconds(300) }
    let client = try RawClient(dashboard.port)
    client.send("GET /api/live HTTP/1.1\r\nHost: [::1]\r\n\r\n")
    let payload = [UInt8](repeating: UInt8(ascii: "1"), count: 60_000)
    let begin = ContinuousClock.now
    while await metric("grampad_http_closed_total{reason=\"expired\"}", dashboard) < 1,
      ContinuousClock.now - begin < .seconds(120)
    {
      dashboard.feeds.post(.live, payload)
    }
    // On a busy machine one of those that ask for this may be cut off, too.
    #expect(await metric("grampad_http_closed_total{reason=\"expired\"}", dashboard) >= 1)
    while await metric("grampad_http_viewers", dashboard) != 0, ContinuousClock.now - begin < .seconds(120) {}
    #expect(await metric("grampad_http_viewers", dashboard) == 0)
  }

  @Test func aViewerGetsTheNewestAndIsToldThatAllIsWell() async throws {
    let dashboard = try await RunningDashboard()
    dashboard.feeds.post(.hello, Array("0".utf8))
    for number in 1...1000 { dashboard.feeds.post(.live, Array("\(number)".utf8)) }
    let client = try RawClient(dashboard.port)
    client.send("GET /api/live HTTP/1.1\r\nHost: [::1]\r\n\r\n")
    let first = await client.read { $0.contains("event: beat") }.text
    #expect(first.contains("event: hello\ndata: 0\n\n") && first.contains("event: live\ndata: 1000\n\n"))
    #expect(!first.contains("data: 999\n"))
    dashboard.feeds.post(.gesture, Array("7".utf8))
    let second = await client.read(within: .seconds(60)) { $0.contains("event: beat") }.text
    #expect(second.contains("event: gesture\ndata: 7\n\n"))
    #expect(!second.contains("event: live"))
  }

  @Test func thereIsRoomForSoManyViewers() async throws {
    let dashboard = try await RunningDashboard { $0.limits.viewers = 3 }
    var viewers: [RawClient] = []
    for _ in 0..<3 {
      let client = try RawClient(dashboard.port)
      client.send("GET /api/live HTTP/1.1\r\nHost: [::1]\r\n\r\n")
      #expect(await client.read { $0.contains("event: beat") }.text.status == 200)
      viewers.append(client)
    }
    #expect(try await RawClient.request(dashboard.port, "GET /api/live").status == 503)
    #expect(try await RawClient.request(dashboard.port, "GET /").status == 200)
    withExtendedLifetime(viewers) {}
  }

  @Test func fourHundredSilentClientsDoNotStandInTheWay() async throws {
    let dashboard = try await RunningDashboard()
    let viewer = try RawClient(dashboard.port)
    viewer.send("GET /api/live HTTP/1.1\r\nHost: [::1]\r\n\r\n")
    #expect(await viewer.read { $0.contains("event: beat") }.text.status == 200)
    let crowd = try (0..<400).map { _ in try RawClient(dashboard.port) }
    for _ in 0..<20 { #expect(try await RawClient.request(dashboard.port, "GET /").status == 200) }
    #expect(await metric("grampad_http_connections", dashboard) <= 257)
    dashboard.feeds.post(.live, Array("5".utf8))
    #expect(await viewer.read(within: .seconds(30)) { $0.contains("data: 5\n") }.text.contains("data: 5\n"))
    withExtendedLifetime(crowd) {}
  }

  /// Clients that ask for much and read none of it hold their connections until another one needs the room.
  @Test func clientsThatReadNothingDoNotStandInTheWay() async throws {
    let dashboard = try await RunningDashboard { $0.limits.connections = 24 }
    let requests = String(repeating: "GET /page.js HTTP/1.1\r\nHost: [::1]\r\n\r\n", count: 100)
    var crowd: [RawClient] = []
    for _ in 0..<72 {
      let client = try RawClient(dashboard.port)
      client.send(requests)
      crowd.append(client)
    }
    for _ in 0..<10 { #expect(try await RawClient.request(dashboard.port, "GET /").status == 200) }
    withExtendedLifetime(crowd) {}
  }

  @Test func endsWithItsViewers() async throws {
    let dashboard = try await RunningDashboard()
    let client = try RawClient(dashboard.port)
    client.send("GET /api/live HTTP/1.1\r\nHost: [::1]\r\n\r\n")
    _ = await client.read { $0.contains("event: beat") }
    let begin = ContinuousClock.now
    dashboard.stop()
    #expect(ContinuousClock.now - begin < .seconds(20))
    #expect(await client.read(within: .seconds(30)).isClosed)
  }

  private func metric(_ name: String, _ dashboard: RunningDashboard) async -> Int {
    let text = (try? await RawClient.request(dashboard.port, "GET /metrics")) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
    return line.flatMap { Int($0.dropFirst(name.count + 1)) } ?? -1
  }
}
