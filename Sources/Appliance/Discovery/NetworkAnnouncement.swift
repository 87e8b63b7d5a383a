import Announcing
import Configuration
import Logging
import Messages
import Servers

/// Announces the dashboard on the network, under the name of the scale, while it listens where other machines can reach it.
final class NetworkAnnouncement: Sendable {
  /// Where the dashboard listens.
  struct Endpoint: Hashable, Sendable {
    let address: String
    let port: UInt16

    fileprivate var isOnNetwork: Bool { !DashboardServer.isLoopback(address) }
    /// With the host name of this machine if it listens on all addresses.
    var url: String { DashboardServer.url(address: address, port: port) }
    /// The URL as other machines reach it; `nil` if they do not, or if this machine has no name.
    var remoteURL: String? {
      isOnNetwork && !url.hasPrefix("http://localhost:") && url != "http://localhost" ? url : nil
    }
  }

  private struct State: Sendable {
    var name: String
    var endpoints: [Endpoint] = []
  }

  private let announcer: Announcer
  private let output: OrderedOutput<State, [Announcement]>

  init(_ configuration: Configuration, logger: Logger) {
    let announcer = Announcer(logger: logger)
    self.announcer = announcer
    output = OrderedOutput(State(name: configuration.device.name), empty: []) { announcements in
      announcer.announce(announcements)
      announcements = []
    }
  }

  /// Adds an address and a port that the dashboard listens on; returns those under which users best reach it, and those that suit
  /// commands on this machine, for which loopback needs neither a name nor a token.
  func add(_ endpoint: Endpoint) -> (remote: Endpoint, local: Endpoint) {
    update { $0.endpoints.append(endpoint) }
    return output.read { state in
      let best = Self.preferred(state.endpoints) ?? endpoint
      return (best, state.endpoints.first { !$0.isOnNetwork } ?? best)
    }
  }

  /// Removes an address and a port that the dashboard does not listen on for now.
  func remove(_ endpoint: Endpoint) { update { $0.endpoints.removeAll { $0 == endpoint } } }

  /// Applies a reloaded configuration.
  func apply(_ configuration: Configuration) { update { $0.name = configuration.device.name } }

  /// Withdraws everything.
  func stop() { announcer.stop() }

  private func update(_ change: (inout State) -> Void) {
    output.update { state, announcements in
      change(&state)
      announcements = Self.announcements(named: state.name, at: state.endpoints)
    }
  }

  /// What is announced: nothing if only this machine can reach the dashboard. Apps for the Half Decent Scale find it by
  /// `_decentscale._tcp` and the keys of its firmware.
  static func announcements(named name: String, at endpoints: [Endpoint]) -> [Announcement] {
    guard let endpoint = preferred(endpoints), endpoint.isOnNetwork else { return [] }
    let (port, version) = (endpoint.port, Version.text)
    return [
      Announcement(type: "_http._tcp", name: name, port: port, texts: ["path": "/", "fw": version, "name": name]),
      Announcement(
        type: "_decentscale._tcp", name: name, port: port,
        texts: ["path": "/snapshot", "proto": "ws", "fw": version, "name": name]),
    ]
  }

  /// Where users best reach the dashboard: on the network, and on port 80, which some apps assume.
  private static func preferred(_ endpoints: [Endpoint]) -> Endpoint? {
    let reachable = endpoints.filter(\.isOnNetwork)
    return reachable.first { $0.port == 80 } ?? reachable.first ?? endpoints.first
  }
}
