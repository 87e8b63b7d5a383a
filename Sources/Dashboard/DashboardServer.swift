import Dispatch
import FlyingFox
import Logging
import Synchronization
import Weighing

/// The web page of the scale, its metrics and its health, served until the task that runs it is cancelled.
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
    /// Whether /metrics is served.
    package var hasMetrics = true
    /// The longest time between two readings.
    package var heartbeat = Interval.seconds(5)
    /// The limits for clients.
    package var limits = Limits()

    /// The defaults.
    package init() {}

    /// Which requests may read and act.
    package var accessPolicy: AccessPolicy { AccessPolicy(address: address, hosts: hosts, token: token) }
  }

  /// Interval between attempts to listen on the address.
  private static let retry = DispatchTimeInterval.seconds(5)

  /// The feeds that the appliance posts to and viewers follow.
  package let feeds: FeedCache
  private let limits: Limits
  private let router: DashboardRouter
  private let address: String
  private let ports: [UInt16]
  private let logger: Logger

  /// Makes a server; it does nothing until `run`.
  package init(
    _ settings: Settings, feeds: FeedCache, trace: NetTrace, counters: EventCounters, sources: DashboardSources,
    logger: Logger
  ) {
    self.feeds = feeds
    self.logger = logger
    trace.setHeartbeat(settings.heartbeat)
    limits = settings.limits
    address = settings.address
    ports = settings.ports
    router = DashboardRouter(
      settings, sources: sources, viewers: Viewers(feeds: feeds, limits: limits), trace: trace, counters: counters,
      logger: logger)
  }

  /// Applies new settings; address and port do not change.
  package func apply(_ settings: Settings) {
    var settings = settings
    settings.address = address
    router.policy.withLock { $0 = settings.accessPolicy }
    router.settings.withLock { $0 = settings }
    router.trace.setHeartbeat(settings.heartbeat)
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter onListen: Called with address and port as soon as the server listens.
  package func run(onListen: @Sendable (_ address: String, _ port: UInt16) -> Void = { _, _ in }) async {
    guard let listener = await listener() else { return }
    onListen(address, listener.port)
    let server = BoundedServer(
      listener: listener, connections: router.connections, limits: limits, handler: router, logger: logger
    ) { [router] in router.viewers.sendHeartbeat() }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.router.viewers.run() }
      group.addTask { await server.run() }
      await group.next()
      group.cancelAll()
    }
  }

  /// Listens as soon as possible; `nil` if the task is cancelled first.
  private func listener() async -> Listener? {
    var logged: ListenError?
    while !Task.isCancelled {
      var first: ListenError?
      for port in ports {
        do throws(ListenError) {
          return try Listener(address: address, port: port)
        } catch {
          first = first ?? error
        }
      }
      if let first, first != logged {
        logger.warning("cannot start the dashboard; retrying", metadata: ["dashboard.reason": "\(first)"])
        logged = first
      }
      await Pause.wait(Self.retry)
    }
    return nil
  }
}
