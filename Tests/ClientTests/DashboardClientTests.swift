import Testing

@testable import Client

/// The dashboard that a URL names.
@Suite struct DashboardClientTests {
  @Test(arguments: [
    ("http://127.0.0.1:8385", true), ("http://127.9.8.7", true), ("http://127.1:8385", true), ("http://0.0.0.0", true),
    ("http://localhost:8385", true), ("http://LocalHost.", true), ("http://scale.localhost", true),
    ("http://[::1]:8385", true), ("http://[::]", true), ("http://[::1%lo]", true), ("http://[::ffff:127.0.0.1]", true),
    ("http://[0:0:0:0:0:0:0:1]:8385", true), ("http://192.168.1.7:8385", false), ("http://128.0.0.1", false),
    ("http://scale.local:8385", false), ("http://localhost.example.org", false), ("http://127.example.org", false),
    ("http://[fe80::1]:8385", false), ("http://[::2]", false), ("http://[::ffff:192.168.1.7]", false),
  ]) func tellsThisMachineFromOthers(_ url: String, _ isLoopback: Bool) throws {
    let client = try #require(DashboardClient(url: url, token: nil))
    #expect(DashboardClient.isLoopback(client.host) == isLoopback)
  }
}
