import NIOCore
import Synchronization
import Weighing

/// The open connections, each with the deadline for its current state.
///
/// It never waits for a client: a connection past its deadline is closed. If the limit is reached, a new connection replaces one
/// of the client address with the most connections: the one that has been idle for longest, or else the one that has not read
/// its response for longest.
final class ConnectionTable: Sendable {
  /// The activity of a connection.
  enum Activity: Sendable {
    /// Waiting for a request or for the rest of one.
    case receiving
    /// A response is being produced or streamed.
    case responding
    /// A piece of a response is being sent.
    case sending
  }

  private struct Connection: Sendable {
    let channel: any Channel
    let address: ClientAddress
    var activity: Activity
    var deadline: NIODeadline?

    /// Whether another connection may replace it.
    var isReplaceable: Bool { activity != .responding }
  }

  private struct State: Sendable {
    var connections: [UInt64: Connection] = [:]
    var last: UInt64 = 0
    var evicted = 0
    var expired = 0
    /// Whether the next second is scheduled.
    var isTicking = false
  }

  private static let second = TimeAmount.seconds(1)

  private let limits: Limits
  private let onSecond: @Sendable () -> Void
  private let state = Mutex(State())

  /// Makes an empty table.
  ///
  /// - Parameter onSecond: Called every second while there are connections.
  init(limits: Limits, onSecond: @escaping @Sendable () -> Void = {}) {
    self.limits = limits
    self.onSecond = onSecond
  }

  /// Number of open connections.
  var count: Int { state.withLock { $0.connections.count } }
  /// Number of connections closed because of the limit, and because of a timeout.
  var closed: (evicted: Int, expired: Int) { state.withLock { ($0.evicted, $0.expired) } }

  /// Adds a new connection; `nil` if every connection it could replace is being served.
  func add(_ channel: any Channel, from address: ClientAddress) -> UInt64? {
    var evicted: (any Channel)?
    let identifier: UInt64? = state.withLock { state in
      if let candidates = candidates(state, address) {
        let choice = candidates.filter { $0.value.isReplaceable }.min(by: Self.isReplacedBefore)
        guard let choice else { return nil }
        evicted = state.connections.removeValue(forKey: choice.key)?.channel
        state.evicted += 1
      }
      state.last += 1
      state.connections[state.last] = Connection(
        channel: channel, address: address, activity: .receiving,
        deadline: channel.eventLoop.now + TimeAmount(limits.requestTime))
      return state.last
    }
    // Not under the lock: a connection that closes removes itself.
    evicted?.close(promise: nil)
    if identifier != nil { startTicking(on: channel.eventLoop) }
    return identifier
  }

  /// The connections one of which has to be closed before another connection from an address is accepted; `nil` if
  /// there is room.
  private func candidates(_ state: State, _ address: ClientAddress) -> [UInt64: Connection]? {
    if !address.isLoopback {
      let own = state.connections.filter { $0.value.address.network == address.network }
      if own.count >= limits.connectionsPerAddress { return own }
    }
    guard state.connections.count >= limits.connections else { return nil }
    let groups = Dictionary(grouping: state.connections, by: \.value.address.network)
    let largest = groups.values.max { $0.count < $1.count } ?? []
    return Dictionary(uniqueKeysWithValues: largest.map { ($0.key, $0.value) })
  }

  /// Whether a connection is replaced before another one.
  private static func isReplacedBefore(_ one: (UInt64, Connection), _ other: (UInt64, Connection)) -> Bool {
    let (isIdle, isOtherIdle) = (one.1.activity == .receiving, other.1.activity == .receiving)
    if isIdle != isOtherIdle { return isIdle }
    return (one.1.deadline ?? .distantFuture, one.0) < (other.1.deadline ?? .distantFuture, other.0)
  }

  /// Sets the activity of a connection and begins its time; no effect on one that is closed.
  func set(_ identifier: UInt64, _ activity: Activity) {
    let time: Interval? =
      switch activity {
      case .receiving: limits.requestTime
      case .responding: nil
      case .sending: limits.answerTime
      }
    state.withLock { state in
      guard let channel = state.connections[identifier]?.channel else { return }
      state.connections[identifier]?.activity = activity
      state.connections[identifier]?.deadline = time.map { channel.eventLoop.now + TimeAmount($0) }
    }
  }

  /// Removes a connection that has ended.
  func remove(_ identifier: UInt64) { state.withLock { $0.connections[identifier] = nil } }

  /// Closes all connections.
  func closeAll() {
    for connection in state.withLock({ $0.connections.values.map(\.channel) }) { connection.close(promise: nil) }
  }

  private func startTicking(on loop: any EventLoop) {
    let isFirst = state.withLock { state in
      defer { state.isTicking = true }
      return !state.isTicking
    }
    if isFirst { scheduleTick(on: loop) }
  }

  private func scheduleTick(on loop: any EventLoop) {
    loop.scheduleTask(in: Self.second) { [self] in
      closeExpired(at: loop.now)
      guard
        state.withLock({ state in
          state.isTicking = !state.connections.isEmpty
          return state.isTicking
        })
      else { return }
      onSecond()
      scheduleTick(on: loop)
    }
  }

  /// Closes every connection past its deadline.
  private func closeExpired(at now: NIODeadline) {
    let expired = state.withLock { state in
      let expired = state.connections.filter { $0.value.deadline.map { $0 < now } == true }
      for identifier in expired.keys { state.connections[identifier] = nil }
      state.expired += expired.count
      return expired.values.map(\.channel)
    }
    for connection in expired { connection.close(promise: nil) }
  }
}
