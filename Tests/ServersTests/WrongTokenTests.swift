import Logging
import Servers
import Synchronization
import Testing

/// What the log says of requests with a wrong token.
struct WrongTokenTests {
  private final class Lines: Sendable {
    let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
  }

  private struct Handler: LogHandler {
    let lines: Lines
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.list.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
    }
  }

  @Test func areLoggedWithTheAddressAndNotOneByOne() async throws {
    let lines = Lines()
    let secret = "0123456789abcdef"
    let dashboard = try await RunningDashboard(
      { $0.token = Token(secret) }, logger: Logger(label: "test") { _ in Handler(lines: lines) })
    let begin = ContinuousClock.now
    for _ in 0..<5 {
      let answer = try await RawClient.request(
        dashboard.port, "POST /api/action/tare", ["Content-Type: application/json", "Authorization: Bearer \(secret)x"])
      #expect(answer.status == 401)
    }
    let refused = lines.all.filter { $0.contains("wrong token") }
    // One a minute: on a busy machine the requests may take longer than that.
    let minutes = Int((ContinuousClock.now - begin) / .seconds(60))
    #expect((1...1 + minutes).contains(refused.count))
    #expect(refused.allSatisfy { $0.contains("127.0.0.1") && !$0.contains(secret) })
    // The page asks without a token first; that is not worth a line.
    _ = try await RawClient.request(dashboard.port, "POST /api/action/tare", ["Content-Type: application/json"])
    #expect(lines.all.count == refused.count)
  }
}
