import Glibc
import Testing

@testable import Linux
@testable import Servers

/// Sockets that the service manager has opened.
@Suite(.serialized)
struct InheritedSocketTests {
  /// A socket on a free port.
  private static func listening(on address: in_addr_t) throws -> ListeningSocket {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = address.bigEndian
    let code = withUnsafePointer(to: name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(code == 0 && listen(descriptor, 8) == 0, "errno \(errno)")
    return try ListeningSocket(descriptor, name: "http")
  }

  /// The socket stays for the next start, and is not closed by a stop.
  @Test func isServedBesidesTheConfiguredAddress() async throws {
    let socket = try Self.listening(on: INADDR_LOOPBACK)
    defer { close(socket.descriptor) }
    for _ in 0..<2 {
      let dashboard = try await RunningDashboard { $0.sockets = [socket] }
      #expect(dashboard.port != socket.port)
      for port in [dashboard.port, socket.port] {
        let answer = try await RawClient.request(port, "GET /page.css")
        #expect(answer.status == 200, "\(port)")
      }
      var reloaded = DashboardServer.Settings()
      reloaded.hasMetrics = false
      dashboard.server.apply(reloaded)
      for port in [dashboard.port, socket.port] {
        let answer = try await RawClient.request(port, "GET /metrics")
        #expect(answer.status == 404, "\(port)")
      }
    }
  }

  /// A page on loopback that a socket opens to the network has the rules of an address on the network.
  @Test(
    arguments: [
      ("127.0.0.1", nil, false, .open, .closed), ("127.0.0.1", INADDR_LOOPBACK, false, .open, .closed),
      ("127.0.0.1", INADDR_ANY, false, .closed, .closed), ("127.0.0.1", INADDR_ANY, true, .open, .token),
      ("0.0.0.0", INADDR_LOOPBACK, false, .closed, .closed),
    ] as [(String, in_addr_t?, Bool, AccessPolicy.Rule, AccessPolicy.Rule)])
  func decidesWhoMayAct(
    _ address: String, _ socket: in_addr_t?, _ isPairing: Bool, _ rule: AccessPolicy.Rule, _ remote: AccessPolicy.Rule
  ) throws {
    var settings = DashboardServer.Settings()
    settings.address = address
    settings.sockets = try socket.map { [try Self.listening(on: $0)] } ?? []
    defer { for socket in settings.sockets { close(socket.descriptor) } }
    if isPairing { settings.isPaired = { _ in false } }
    #expect(settings.accessPolicy.rule == rule)
    #expect(settings.accessPolicy.remoteRule == remote)
  }
}
