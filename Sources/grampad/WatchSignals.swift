import EventLoop
import Synchronization
import UnixSignals

/// Signals on their way to a thread that polls.
final class WatchSignals: Sendable {
  /// Raised when there are some.
  let letter = Signal()
  private let waiting = Mutex<[UnixSignal]>([])
  private let task: Mutex<Task<Void, Never>?>

  /// Traps all that end or change a screen.
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

  /// All that came since.
  func take() -> [UnixSignal] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  /// Traps no more.
  func stop() { task.withLock { $0?.cancel() } }

  private func put(_ signal: UnixSignal) { waiting.withLock { $0.append(signal) } }
}
