import Glibc
import Synchronization

/// The open connections, and until when each of them may stay as it is.
///
/// Nothing waits for a client here: a connection past its time is shut down (shutdown(2)), which wakes the task that reads or
/// writes on it with an end of file. When there is no room, a new connection takes the place of another one: of the client
/// address that has the most, the one that has waited longest without a request, or else the one that has not read its
/// answer for the longest time.
final class Places: Sendable {
  /// What a connection is doing.
  enum Doing: Sendable {
    /// A request is awaited or half there.
    case asking
    /// An answer is being made, or followed live.
    case answering
    /// A piece of an answer is on its way.
    case sending
    /// It is shut down; its task has yet to notice.
    case closing
  }

  private struct Place: Sendable {
    let descriptor: Int32
    let address: ClientAddress
    var doing: Doing
    var deadline: ContinuousClock.Instant?

    /// Whether it may have to make room for another.
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

  /// How many are open.
  var count: Int { state.withLock { $0.places.count } }
  /// How many were closed for want of room, and for taking too long.
  var closed: (evicted: Int, expired: Int) { state.withLock { ($0.evicted, $0.expired) } }

  /// Whether another one can be accepted; otherwise it waits in the kernel until those that are shut down are gone.
  var hasRoom: Bool { state.withLock { $0.places.count < limits.connections * 2 } }

  /// Gives a new connection a place; `nil` where each one that it could replace is being served.
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

  /// The connections of which one has to go before another comes from an address; `nil` where there is room.
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

  /// Whether a connection has to make room before another one does.
  private static func goesBefore(_ one: Place, _ other: Place) -> Bool {
    let (isIdle, isOtherIdle) = (one.doing == .asking, other.doing == .asking)
    if isIdle != isOtherIdle { return isIdle }
    return (one.deadline ?? .now) < (other.deadline ?? .now)
  }

  /// Says what a connection does from now on; of no effect on one that is shut down.
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

  /// Closes a connection: here and nowhere else, so that no number is shut down that belongs to another by then.
  func leave(_ identifier: UInt64) {
    state.withLock { state in
      guard let place = state.places.removeValue(forKey: identifier) else { return }
      close(place.descriptor)
    }
  }

  /// Shuts down each connection that has taken too long.
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

  /// Shuts down all of them.
  func clear() {
    state.withLock { state in
      for place in state.places.values { Self.cut(place) }
    }
  }

  private static func cut(_ place: Place) { shutdown(place.descriptor, Int32(SHUT_RDWR)) }
}
