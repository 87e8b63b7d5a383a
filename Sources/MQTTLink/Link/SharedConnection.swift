import Linux
import Messages
import Synchronization

/// The established connection: used by the link's thread, and by others to send live messages without waking it.
///
/// ```
///                 nothing queued, socket writable
/// publish(live) ──────────────────────────────────────────────────► socket
///       └───────► SendQueues ──wake──► link's thread ─────────────────►┘
///        otherwise
/// ```
/// A reading sent by its own thread saves a wake-up of the link's thread. The sender never waits: if the lock is held,
/// messages are queued or the socket is full, the link's thread sends the message as usual, and in order.
///
/// The lock permits one thread at a time to use the connection and its libmosquitto handle. The link's thread holds it
/// neither while it waits for the socket nor while it reports events.
final class SharedConnection: Sendable {
  // `Connection` is not Sendable; while it is shared, both threads use it only with this lock held.
  private struct State: @unchecked Sendable {
    var connection: Connection?
  }

  private let state = Mutex(State())

  /// Shares a connection with other threads, or, with `nil`, ends the sharing. For the link's thread.
  func share(_ connection: Connection?) {
    // In this form because a value that is not Sendable cannot be assigned in the closure.
    let new = State(connection: connection)
    state.withLock { $0 = new }
  }

  /// Runs `body`, which uses the connection, while no other thread does. For the link's thread.
  func exclusively<Result: Sendable, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try state.withLock { _ throws(Failure) in try body() }
  }

  /// Sends live messages as far as that is possible immediately; never blocks.
  ///
  /// - Returns: The number of messages sent; the caller queues the others. `needsThread` is true if the link's thread
  ///   has to complete the last one or handle an error.
  func send(_ messages: [Message], after mailbox: Mailbox) -> (count: Int, needsThread: Bool) {
    guard messages.allSatisfy({ $0.delivery == .live }) else { return (0, false) }
    return state.withLockIfAvailable { state in
      guard let connection = state.connection, connection.isIdle, mailbox.isIdle else { return (0, false) }
      var (count, isIdle) = (0, true)
      while count < messages.count, isIdle {
        isIdle = connection.sendLive(messages[count])
        count += 1
      }
      connection.recordTraffic(at: .now())
      return (count, !isIdle)
    } ?? (0, false)
  }
}
