import EventLoop
import Messages
import Synchronization
import Weighing

/// What callers on any thread leave for the link's thread; every lock is held for a few assignments only.
final class Mailbox: Sendable {
  /// How to end: the last messages, and when all must be over.
  struct Farewell: Sendable {
    var messages: [Message]
    var begunAt: Instant
    var deadline: Instant
  }

  struct State: Sendable {
    var lanes: Lanes
    /// Topic filters to be subscribed to, in order.
    var filters: [String] = []
    /// Topic filters whose subscription is to be ended.
    var unwanted: [String] = []
    var filtersChanged = false
    var farewell: Farewell?
    /// Set once `stop` has returned: nothing is told any more.
    var isSilent = false
    var wakeIsRaised = false
  }

  let state: Mutex<State>
  /// Raised when the link's thread has something to look at; to be waited for with `once`, since nobody lowers it.
  let wake = Signal()
  /// Raised, for good, when the link's thread has ended.
  let finished = Signal()

  init(_ lanes: Lanes) {
    state = Mutex(State(lanes: lanes))
  }

  /// Changes the state; wakes the link's thread if `change` says so and nobody has done so before.
  func leave<Result: Sendable>(_ change: (inout State) -> (result: Result, wakes: Bool)) -> Result {
    let (result, wakes) = state.withLock { state in
      let (result, wakes) = change(&state)
      defer { state.wakeIsRaised = state.wakeIsRaised || wakes }
      return (result, wakes && !state.wakeIsRaised)
    }
    if wakes { wake.raise() }
    return result
  }

  /// Notes that the link's thread is awake; what was left before is seen by its next look at the state.
  func noteWaking() { state.withLock { $0.wakeIsRaised = false } }
}
