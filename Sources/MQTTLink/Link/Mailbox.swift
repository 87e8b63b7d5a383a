import EventLoop
import Messages
import Synchronization
import Weighing

/// Requests from callers on any thread to the link's thread; each lock is held only for a few assignments.
final class Mailbox: Sendable {
  /// How to stop: the last messages, and the deadline.
  struct Farewell: Sendable {
    var messages: [Message]
    var begunAt: Instant
    var deadline: Instant
  }

  struct State: Sendable {
    var queues: SendQueues
    /// Topic filters to subscribe to, in order.
    var filters: [String] = []
    /// Topic filters to unsubscribe from.
    var unwanted: [String] = []
    var filtersChanged = false
    var farewell: Farewell?
    /// Set once `stop` has returned: no more events are reported.
    var isSilent = false
    var wakeIsRaised = false
  }

  let state: Mutex<State>
  /// Raised when the link's thread has work to do; watched edge-triggered with `once`, because it is never lowered.
  let wake = Signal()
  /// Raised permanently when the link's thread has ended.
  let finished = Signal()

  init(_ queues: SendQueues) {
    state = Mutex(State(queues: queues))
  }

  /// Changes the state; wakes the link's thread if `change` returns true and it has not been woken yet.
  func leave<Result: Sendable>(_ change: (inout State) -> (result: Result, wakes: Bool)) -> Result {
    let (result, wakes) = state.withLock { state in
      let (result, wakes) = change(&state)
      defer { state.wakeIsRaised = state.wakeIsRaised || wakes }
      return (result, wakes && !state.wakeIsRaised)
    }
    if wakes { wake.raise() }
    return result
  }

  /// Records that the link's thread is awake; it then reads all earlier changes of the state.
  func noteWaking() { state.withLock { $0.wakeIsRaised = false } }
}
