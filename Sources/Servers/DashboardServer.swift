import Linux
import Logging
import Synchronization
import Weighing

/// The web page of the scale, its metrics and its health.
///
/// The server never delays weighing: it keeps only the newest payload of each feed, and if it cannot listen on its address
/// it logs this once and retries.
package final class DashboardServer: Sendable {
  /// The settings of a server.
  package struct Settings: Sendable {
    /// The IPv4 or IPv6 address to listen on.
    package var address = "127.0.0.1"
    /// The ports to try in order; 0 for any free one.
    package var ports: [UInt16] = [8385]
    /// Sockets of the service manager that are served in addition, whatever their addresses.
    package var sockets: [ListeningSocket] = []
    /// Accepted host names in addition to the machine's own.
    package var hosts: [String] = []
    /// What a request needs in order to act; `nil` if actions are disabled.
    package var token: Token?
    /// Whether a token is that of a paired client; `nil` if pairing is off.
    package var isPaired: (@Sendable (String) -> Bool)?
    /// Whether /metrics is served.
    package var hasMetrics = true
    /// The longest time between two readings.
    package var heartbeat = Interval.seconds(5)
    /// The limits for clients.
    package var limits = Limits()

    /// The defaults.
    package init() {}

    /// Which requests may read and act.
    package var accessPolicy: AccessPolicy {
      // A socket on the network opens the server to it, so that the rules of its address hold.
      let address = sockets.map(\.address).first { !DashboardServer.isLoopback($0) } ?? address
      return AccessPolicy(address: address, hosts: hosts, token: token, isPaired: isPaired)
    }
  }

  /// The feeds that the appliance posts to and viewers follow.
  package let feeds: FeedCache
  private let router: DashboardRouter
  private let address: String
  private let sockets: [ListeningSocket]
  private let listeners: [TCPListener]
  private let loop: ServerLoop

  /// Makes a server; it does nothing until `start`.
  ///
  /// - Parameters:
  ///   - onListen: Called with each address and port as soon as the server listens there.
  ///   - onClose: Called with them when the server does not listen there for now, because of a fault.
  package init(
    _ settings: Settings, on loop: ServerLoop, feeds: FeedCache, trace: NetTrace, counters: EventCounters,
    sources: DashboardSources, logger: Logger,
    onListen: @escaping @Sendable (_ address: String, _ port: UInt16) -> Void = { _, _ in },
    onClose: @escaping @Sendable (_ address: String, _ port: UInt16) -> Void = { _, _ in }
  ) {
    (self.feeds, self.loop) = (feeds, loop)
    trace.setHeartbeat(settings.heartbeat)
    (address, sockets) = (settings.address, settings.sockets)
    let router = DashboardRouter(
      settings, sources: sources, viewers: Viewers(feeds: feeds, limits: settings.limits, on: loop), trace: trace,
      counters: counters, logger: logger)
    self.router = router
    let configured = (address: settings.address, ports: settings.ports, socket: ListeningSocket?.none)
    listeners = ([configured] + settings.sockets.map { ($0.address, [$0.port], $0) }).map { address, ports, socket in
      TCPListener(
        http: address, ports: ports, socket: socket, on: loop, connections: router.connections, limits: settings.limits,
        responder: router, onListen: { onListen(address, $0) }, onClose: { onClose(address, $0) },
        onError: { error in
          let reason = error.description(address: "dashboard.address", port: "dashboard.port")
          logger.warning("cannot serve the dashboard; retrying", metadata: ["dashboard.reason": "\(reason)"])
        })
    }
  }

  /// The URL of a page: with the host name of this machine if it listens on all addresses.
  package static func url(address: String, port: UInt16) -> String {
    let isAny = address == "0.0.0.0" || address == "::"
    let host = isAny ? HostName.published(HostName.machine) : address.contains(":") ? "[\(address)]" : address
    return port == 80 ? "http://\(host)" : "http://\(host):\(port)"
  }

  /// Whether only this machine can reach an address.
  package static func isLoopback(_ address: String) -> Bool { ClientAddress(address)?.isLoopback ?? false }

  /// Applies new settings; address, port and sockets do not change.
  package func apply(_ settings: Settings) {
    var settings = settings
    (settings.address, settings.sockets) = (address, sockets)
    router.policy.withLock { $0 = settings.accessPolicy }
    router.settings.withLock { $0 = settings }
    router.trace.setHeartbeat(settings.heartbeat)
  }

  /// Serves from now on.
  package func start() { for listener in listeners { listener.start() } }

  /// Closes all connections; returns after that.
  package func stop() {
    loop.wait { [listeners, router] in
      for listener in listeners { listener.stop() }
      router.connections.closeAll()
    }
  }
}
