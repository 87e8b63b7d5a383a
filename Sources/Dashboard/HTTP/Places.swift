import Glibc
import Synchronization

/// The connections that are open, and until when each of them may stay as it is.
///
/// Nobody waits for a client here: a connection past its time is shut down (shutdown(2)), which wakes whoever reads or
/// writes on it with an end of file.
final class Places: Sendable {
  /// What a connection is doing.
  enum Doing: Sendable {
    /// A request is awaited or half there.
    case asking
    /// An answer is being made, or followed live.
    case answering
    /// A piece of an answer is on its way.
    case sending
  }

  private struct Place: Sendable {
    let descriptor: Int32
    var doing: Doing
    var deadline: ContinuousClock.Instant?
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

  /// Whether another one would be admitted; otherwise whoever comes waits in the kernel.
  var hasRoom: Bool {
    state.withLock { state in
      if state.places.count < limits.connections { return true }
      // Those who were cut off are still on their way out.
      return state.places.count < limits.connections * 2 && state.places.values.contains { $0.doing == .asking }
    }
  }

  /// Gives a new connection a place; `nil` where every place is taken by somebody who is being served.
  func admit(_ descriptor: Int32) -> UInt64? {
    state.withLock { state in
      if state.places.count >= limits.connections {
        // Its place is free as soon as its task has noticed; until then there is one more than the limit.
        let idle = state.places.filter { $0.value.doing == .asking }
        let oldest = idle.min { ($0.value.deadline ?? .now) < ($1.value.deadline ?? .now) }
        guard let oldest, state.places.count < limits.connections * 2 else { return nil }
        Self.cut(oldest.value)
        state.places[oldest.key]?.doing = .sending
        state.evicted += 1
      }
      state.last += 1
      state.places[state.last] = Place(
        descriptor: descriptor, doing: .asking, deadline: .now + limits.requestTime)
      return state.last
    }
  }

  /// Says what a connection does from now on; `false` where it has been cut off.
  func set(_ identifier: UInt64, _ doing: Doing) {
    let deadline: ContinuousClock.Instant? =
      switch doing {
      case .asking: .now + limits.requestTime
      case .answering: nil
      case .sending: .now + limits.answerTime
      }
    state.withLock { state in
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

  /// Shuts down whoever has taken too long.
  func sweep() {
    let now = ContinuousClock.now
    state.withLock { state in
      for (identifier, place) in state.places {
        guard let deadline = place.deadline, deadline < now else { continue }
        Self.cut(place)
        state.places[identifier]?.deadline = nil
        state.expired += 1
      }
    }
  }

  /// Shuts down everybody.
  func clear() {
    state.withLock { state in
      for place in state.places.values { Self.cut(place) }
    }
  }

  private static func cut(_ place: Place) { shutdown(place.descriptor, Int32(SHUT_RDWR)) }
}
