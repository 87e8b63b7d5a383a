import Glibc
import Synchronization

/// The open connections, each with the deadline for its current state.
///
/// Nothing here waits for a client: a connection past its deadline is shut down (shutdown(2)), and the task that reads
/// or writes on it wakes up with end of file. If the limit is reached, a new connection replaces one of the client
/// address with the most connections: the one that has been idle for longest, or else the one that has not read its
/// response for longest.
final class Places: Sendable {
  /// What a connection is doing.
  enum Doing: Sendable {
    /// Waiting for a request or for the rest of one.
    case asking
    /// A response is being produced or streamed.
    case answering
    /// A piece of a response is being sent.
    case sending
    /// Shut down; its task has not noticed yet.
    case closing
  }

  private struct Place: Sendable {
    let descriptor: Int32
    let address: ClientAddress
    var doing: Doing
    var deadline: ContinuousClock.Instant?

    /// Whether another connection may replace it.
    var isReplaceable: Bool {
      switch doing {
      case .asking, .sending: true
      case .answering, .closing: false
      }
    }
  }

  private struct State: Sendable {
    var places: [UInt64: Place] = [:]
    var last: UInt64 = 0
    var evicted = 0
    var expired = 0
  }

  private let limits: Limits
  private let state = Mutex(State())

  init(limits: Limits) { self.limits = limits }

  /// Number of open connections.
  var count: Int { state.withLock { $0.places.count } }
  /// Number of connections closed because of the limit, and because of a timeout.
  var closed: (evicted: Int, expired: Int) { state.withLock { ($0.evicted, $0.expired) } }

  /// Whether another connection can be accepted; if not, it waits in the kernel until connections that are shut down
  /// have ended.
  var hasRoom: Bool { state.withLock { $0.places.count < limits.connections * 2 } }

  /// Adds a new connection; `nil` if every connection it could replace is being served.
  func admit(_ descriptor: Int32, from address: ClientAddress) -> UInt64? {
    state.withLock { state in
      if let crowd = crowd(state, address) {
        let choice = crowd.filter { $0.value.isReplaceable }.min { Self.goesBefore($0.value, $1.value) }
        guard let choice else { return nil }
        Self.cut(choice.value)
        state.places[choice.key]?.doing = .closing
        state.places[choice.key]?.deadline = nil
        state.evicted += 1
      }
      state.last += 1
      state.places[state.last] = Place(
        descriptor: descriptor, address: address, doing: .asking, deadline: .now + limits.requestTime)
      return state.last
    }
  }

  /// The connections one of which has to be closed before another connection from an address is accepted; `nil` if
  /// there is room.
  private func crowd(_ state: State, _ address: ClientAddress) -> [UInt64: Place]? {
    let open = state.places.filter { $0.value.doing != .closing }
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
  private static func goesBefore(_ one: Place, _ other: Place) -> Bool {
    let (isIdle, isOtherIdle) = (one.doing == .asking, other.doing == .asking)
    if isIdle != isOtherIdle { return isIdle }
    return (one.deadline ?? .now) < (other.deadline ?? .now)
  }

  /// Sets the state of a connection; no effect on one that is shut down.
  func set(_ identifier: UInt64, _ doing: Doing) {
    let deadline: ContinuousClock.Instant? =
      switch doing {
      case .asking: .now + limits.requestTime
      case .answering, .closing: nil
      case .sending: .now + limits.answerTime
      }
    state.withLock { state in
      guard let place = state.places[identifier], place.doing != .closing else { return }
      state.places[identifier]?.doing = doing
      state.places[identifier]?.deadline = deadline
    }
  }

  /// Closes a connection. This is the only place that does, so that a reused descriptor number is never shut down.
  func leave(_ identifier: UInt64) {
    state.withLock { state in
      guard let place = state.places.removeValue(forKey: identifier) else { return }
      close(place.descriptor)
    }
  }

  /// Shuts down every connection past its deadline.
  func sweep() {
    let now = ContinuousClock.now
    state.withLock { state in
      for (identifier, place) in state.places {
        guard let deadline = place.deadline, deadline < now else { continue }
        Self.cut(place)
        state.places[identifier]?.doing = .closing
        state.places[identifier]?.deadline = nil
        state.expired += 1
      }
    }
  }

  /// Shuts down all connections.
  func clear() {
    state.withLock { state in
      for place in state.places.values { Self.cut(place) }
    }
  }

  private static func cut(_ place: Place) { shutdown(place.descriptor, Int32(SHUT_RDWR)) }
}
