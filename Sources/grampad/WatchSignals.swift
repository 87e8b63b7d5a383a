import EventLoop
import Synchronization
import UnixSignals

/// Queues signals for a thread that polls.
final class WatchSignals: Sendable {
  /// Raised when signals are waiting.
  let letter = Signal()
  private let waiting = Mutex<[UnixSignal]>([])
  private let task: Mutex<Task<Void, Never>?>

  /// Traps all signals that end the session or change the screen.
  init() async {
    task = Mutex(nil)
    let trapped = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup, .sigwinch, .sigcont)
    let task = Task { [waiting = self, letter] in
      for await signal in trapped {
        waiting.put(signal)
        letter.raise()
      }
    }
    self.task.withLock { $0 = task }
  }

  /// Returns and removes the waiting signals.
  func take() -> [UnixSignal] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  /// Stops trapping signals.
  func stop() { task.withLock { $0?.cancel() } }

  private func put(_ signal: UnixSignal) { waiting.withLock { $0.append(signal) } }
}
