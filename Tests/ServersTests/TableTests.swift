import Servers
import Synchronization
import Testing
import Weighing

/// The table of weighings, which is read while it is sent.
@Suite(.serialized)
struct TableTests {
  /// Pages of 4000 bytes each, numbered.
  private static func pages(
    _ count: Int, failingAt failing: Int? = nil, reads: Reads = Reads()
  ) -> @Sendable (TablePosition) -> Result<TablePage, TableError> {
    { position in
      reads.count.withLock { $0 += 1 }
      if position.sequence == failing { return .failure(.unreadable(.verbatim("the disk is gone"))) }
      let text = "\(position.sequence),".utf8 + [UInt8](repeating: UInt8(ascii: "x"), count: 4000) + "\r\n".utf8
      let next = position.sequence + 1
      return .success(
        TablePage(bytes: Array(text), next: next < count ? TablePosition(sequence: next, last: count) : nil))
    }
  }

  private final class Reads: Sendable {
    let count = Mutex(0)
  }

  @Test func comesInChunks() async throws {
    let dashboard = try await RunningDashboard(table: Self.pages(50))
    let answer = try await RawClient.request(dashboard.port, "GET /api/weighings.csv")
    #expect(answer.contains("Transfer-Encoding: chunked\r\n") && !answer.contains("Content-Length"))
    #expect(answer.hasSuffix("\r\n0\r\n\r\n"))
    for page in 0..<50 { #expect(answer.contains("\(page),xxx")) }
  }

  @Test func comesWithoutChunksOverHTTP10() async throws {
    let dashboard = try await RunningDashboard(table: Self.pages(5))
    let answer = try await RawClient.ask(dashboard.port, "GET /api/weighings.csv HTTP/1.0\r\nHost: [::1]\r\n\r\n")
    #expect(!answer.contains("chunked"))
    let body = try #require(answer.components(separatedBy: "\r\n\r\n").last)
    let size = 5 * (2 + 4000 + 2)
    #expect(body.utf8.count == size)
  }

  @Test func aConnectionIsUsedAgain() async throws {
    let dashboard = try await RunningDashboard(table: Self.pages(3))
    let client = try RawClient(dashboard.port)
    client.send("GET /api/weighings.csv HTTP/1.1\r\nHost: [::1]\r\n\r\n")
    _ = await client.read { $0.hasSuffix("\r\n0\r\n\r\n") }
    client.send("GET /healthz HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n")
    #expect(await client.read().text.status == 503)
  }

  @Test func whatCannotBeReadAtAllIsSaid() async throws {
    let dashboard = try await RunningDashboard(table: Self.pages(3, failingAt: 0))
    let answer = try await RawClient.request(dashboard.port, "GET /api/weighings.csv")
    #expect(answer.status == 503)
    #expect(answer.contains(#"{"ok":false,"reason":"journal_unavailable","detail":"the disk is gone","#))
  }

  @Test func aTableThatBreaksOffDoesNotLookWhole() async throws {
    let dashboard = try await RunningDashboard(table: Self.pages(10, failingAt: 5))
    let answer = try await RawClient.request(dashboard.port, "GET /api/weighings.csv")
    #expect(answer.status == 200 && answer.contains("4,xxx") && !answer.hasSuffix("0\r\n\r\n"))
  }

  /// A client that does not read has the server read no further than the kernel takes.
  @Test func isReadNoFasterThanItIsTaken() async throws {
    let reads = Reads()
    let dashboard = try await RunningDashboard(table: Self.pages(100_000, reads: reads))
    let clients = try (0..<20).map { _ in try RawClient(dashboard.port) }
    for client in clients { client.send("GET /api/weighings.csv HTTP/1.1\r\nHost: [::1]\r\n\r\n") }
    // What the kernel holds for both ends is some megabytes in all; then it stands still.
    let silent = try RawClient(dashboard.port)
    var before = -1
    while before != reads.count.withLock({ $0 }) {
      before = reads.count.withLock { $0 }
      _ = await silent.read(within: .milliseconds(300))
    }
    #expect(before > 20)
    #expect(before < 20 * 2000)
    withExtendedLifetime(clients) {}
  }
}
