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
      AccessPolicy(address: address, hosts: hosts, token: token, isPaired: isPaired)
    }
  }

  /// The feeds that the appliance posts to and viewers follow.
  package let feeds: FeedCache
  private let router: DashboardRouter
  private let address: String
  private let listener: TCPListener
  private let loop: ServerLoop

  /// Makes a server; it does nothing until `start`.
  ///
  /// - Parameter onListen: Called with address and port as soon as the server listens.
  package init(
    _ settings: Settings, on loop: ServerLoop, feeds: FeedCache, trace: NetTrace, counters: EventCounters,
    sources: DashboardSources, logger: Logger,
    onListen: @escaping @Sendable (_ address: String, _ port: UInt16) -> Void = { _, _ in }
  ) {
    (self.feeds, self.loop) = (feeds, loop)
    trace.setHeartbeat(settings.heartbeat)
    address = settings.address
    let router = DashboardRouter(
      settings, sources: sources, viewers: Viewers(feeds: feeds, limits: settings.limits, on: loop), trace: trace,
      counters: counters, logger: logger)
    self.router = router
    listener = TCPListener(
      http: settings.address, ports: settings.ports, on: loop, connections: router.connections, limits: settings.limits,
      responder: router, onListen: { onListen(settings.address, $0) },
      onError: { error in
        let reason = error.description(address: "dashboard.address", port: "dashboard.port")
        logger.warning("cannot serve the dashboard; retrying", metadata: ["dashboard.reason": "\(reason)"])
      })
  }

  /// The URL of a page: with the host name of this machine if it listens on all addresses.
  package static func url(address: String, port: UInt16) -> String {
    let isAny = address == "0.0.0.0" || address == "::"
    let host = isAny ? HostName.published(HostName.machine) : address.contains(":") ? "[\(address)]" : address
    return "http://\(host):\(port)"
  }

  /// Applies new settings; address and port do not change.
  package func apply(_ settings: Settings) {
    var settings = settings
    settings.address = address
    router.policy.withLock { $0 = settings.accessPolicy }
    router.settings.withLock { $0 = settings }
    router.trace.setHeartbeat(settings.heartbeat)
  }

  /// Serves from now on.
  package func start() { listener.start() }

  /// Closes all connections; returns after that.
  package func stop() {
    loop.wait { [listener, router] in
      listener.stop()
      router.connections.closeAll()
    }
  }
}
