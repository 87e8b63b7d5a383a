import Linux
import Messages
import Synchronization
import Weighing

/// Requests from callers on any thread to the link's thread; each lock is held only for a few assignments.
final class Mailbox: Sendable {
  /// How to stop: the last messages, and the deadline.
  struct StopRequest: Sendable {
    var messages: [Message]
    var requestedAt: Instant
    var deadline: Instant
  }

  struct State: Sendable {
    var queues: SendQueues
    /// Topic filters to subscribe to, in order.
    var filters: [String] = []
    /// Topic filters to unsubscribe from.
    var removedFilters: [String] = []
    var filtersChanged = false
    var stopRequest: StopRequest?
    /// Set once `stop` has returned: no more events are reported.
    var isSilent = false
    var isWakeRaised = false
  }

  let state: Mutex<State>
  /// The link's thread, which ends as `stopRequest` says.
  let worker = Worker<Never>("mqtt")

  init(_ queues: SendQueues) { state = Mutex(State(queues: queues)) }

  /// Changes the state; wakes the link's thread if `change` returns true and it has not been woken yet.
  func update<Result: Sendable>(_ change: (inout State) -> (result: Result, wakes: Bool)) -> Result {
    let (result, wakes) = state.withLock { state in
      let (result, wakes) = change(&state)
      defer { state.isWakeRaised = state.isWakeRaised || wakes }
      return (result, wakes && !state.isWakeRaised)
    }
    if wakes { worker.wakeUp() }
    return result
  }

  /// Whether no message and no other request is queued that a live message must not overtake.
  var isIdle: Bool { state.withLock { $0.stopRequest == nil && !$0.filtersChanged && $0.queues.isIdle } }

  /// Records that the link's thread is awake; it then reads all earlier changes of the state.
  func clearWake() { state.withLock { $0.isWakeRaised = false } }
}
