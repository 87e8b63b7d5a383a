import Linux
import Synchronization

/// A signal that matters to a session in a terminal.
package enum SessionSignal: Hashable, Sendable {
  /// SIGINT, SIGTERM or SIGHUP: the session has to end.
  case end
  /// SIGWINCH: the terminal has a new size.
  case resize
  /// SIGCONT: the process was stopped and continues.
  case resume
}

/// Signals waiting for the thread of a session.
package final class SignalQueue: Sendable {
  /// Raised when signals are waiting.
  let arrival = Signal()
  private let waiting = Mutex<[SessionSignal]>([])

  /// Makes an empty queue.
  package init() {}

  /// Appends a signal and wakes the session.
  package func append(_ signal: SessionSignal) {
    waiting.withLock { $0.append(signal) }
    arrival.raise()
  }

  /// Removes and returns the waiting signals.
  func removeAll() -> [SessionSignal] {
    arrival.lower()
    return waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
