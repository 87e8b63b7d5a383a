import Glibc
import Synchronization

/// The open connections, each with the deadline for its current state.
///
/// It never waits for a client: a connection past its deadline is shut down (shutdown(2)), and the task that reads or
/// writes on it wakes up with end of file. If the limit is reached, a new connection replaces one of the client
/// address with the most connections: the one that has been idle for longest, or else the one that has not read its
/// response for longest.
final class ConnectionTable: Sendable {
  /// The activity of a connection.
  enum Activity: Sendable {
    /// Waiting for a request or for the rest of one.
    case receiving
    /// A response is being produced or streamed.
    case responding
    /// A piece of a response is being sent.
    case sending
    /// Shut down; its task has not noticed yet.
    case closing
  }

  private struct Connection: Sendable {
    let descriptor: Int32
    let address: ClientAddress
    var activity: Activity
    var deadline: ContinuousClock.Instant?

    /// Whether another connection may replace it.
    var isReplaceable: Bool {
      switch activity {
      case .receiving, .sending: true
      case .responding, .closing: false
      }
    }
  }

  private struct State: Sendable {
    var connections: [UInt64: Connection] = [:]
    var last: UInt64 = 0
    var evicted = 0
    var expired = 0
  }

  private let limits: Limits
  private let state = Mutex(State())

  init(limits: Limits) { self.limits = limits }

  /// Number of open connections.
  var count: Int { state.withLock { $0.connections.count } }
  /// Number of connections closed because of the limit, and because of a timeout.
  var closed: (evicted: Int, expired: Int) { state.withLock { ($0.evicted, $0.expired) } }

  /// Whether another connection can be accepted; if not, it waits in the kernel until connections that are shut down
  /// have ended.
  var hasRoom: Bool { state.withLock { $0.connections.count < limits.connections * 2 } }

  /// Adds a new connection; `nil` if every connection it could replace is being served.
  func add(_ descriptor: Int32, from address: ClientAddress) -> UInt64? {
    state.withLock { state in
      if let candidates = candidates(state, address) {
        let choice = candidates.filter { $0.value.isReplaceable }.min { Self.isReplacedBefore($0.value, $1.value) }
        guard let choice else { return nil }
        Self.shutDown(choice.value)
        state.connections[choice.key]?.activity = .closing
        state.connections[choice.key]?.deadline = nil
        state.evicted += 1
      }
      state.last += 1
      state.connections[state.last] = Connection(
        descriptor: descriptor, address: address, activity: .receiving, deadline: .now + limits.requestTime)
      return state.last
    }
  }

  /// The connections one of which has to be closed before another connection from an address is accepted; `nil` if
  /// there is room.
  private func candidates(_ state: State, _ address: ClientAddress) -> [UInt64: Connection]? {
    let open = state.connections.filter { $0.value.activity != .closing }
    if !address.isLoopback {
      let own = open.filter { $0.value.address.network == address.network }
      if own.count >= limits.connectionsPerAddress { return own }
    }
    guard open.count >= limits.connections else { return nil }
    let groups = Dictionary(grouping: open, by: \.value.address.network)
    let largest = groups.values.max { $0.count < $1.count } ?? []
    return Dictionary(uniqueKeysWithValues: largest.map { ($0.key, $0.value) })
  }

  /// Whether a connection is replaced before another one.
  private static func isReplacedBefore(_ one: Connection, _ other: Connection) -> Bool {
    let (isIdle, isOtherIdle) = (one.activity == .receiving, other.activity == .receiving)
    if isIdle != isOtherIdle { return isIdle }
    return (one.deadline ?? .now) < (other.deadline ?? .now)
  }

  /// Sets the state of a connection; no effect on one that is shut down.
  func set(_ identifier: UInt64, _ activity: Activity) {
    let deadline: ContinuousClock.Instant? =
      switch activity {
      case .receiving: .now + limits.requestTime
      case .responding, .closing: nil
      case .sending: .now + limits.answerTime
      }
    state.withLock { state in
      guard let connection = state.connections[identifier], connection.activity != .closing else { return }
      state.connections[identifier]?.activity = activity
      state.connections[identifier]?.deadline = deadline
    }
  }

  /// Closes a connection. No other code closes its descriptor, so that a reused descriptor number is never shut down.
  func remove(_ identifier: UInt64) {
    state.withLock { state in
      guard let connection = state.connections.removeValue(forKey: identifier) else { return }
      close(connection.descriptor)
    }
  }

  /// Shuts down every connection past its deadline.
  func closeExpired() {
    let now = ContinuousClock.now
    state.withLock { state in
      for (identifier, connection) in state.connections {
        guard let deadline = connection.deadline, deadline < now else { continue }
        Self.shutDown(connection)
        state.connections[identifier]?.activity = .closing
        state.connections[identifier]?.deadline = nil
        state.expired += 1
      }
    }
  }

  /// Shuts down all connections.
  func shutDownAll() {
    state.withLock { state in
      for connection in state.connections.values { Self.shutDown(connection) }
    }
  }

  private static func shutDown(_ connection: Connection) { shutdown(connection.descriptor, Int32(SHUT_RDWR)) }
}
