import EvdevInput
import EventLoop
import Logging
import Synchronization
import Weighing

/// The thread that owns the pad, the buttons, the scale and their timers; see `WeighingThread` for its work.
package final class WeighingLoop: Sendable {
  /// Output of the loop, on its own thread.
  package enum Output: Sendable {
    /// An effect of the core.
    case effect(Effect)
    /// A pad was found.
    case padFound(PadDescription, path: String)
    /// No pad is available; with the reason.
    case padMissing(reason: String)
  }

  /// Messages to the thread.
  enum Order: Sendable {
    case input(ScaleMachine.Input)
    case sources(Sources)
    case stop
  }

  /// The sources of frames and key presses; opened on the loop's own thread.
  struct Sources: Sendable {
    var pad: @Sendable () throws -> any PadSource
    /// Buttons that are not part of the pad; `nil` if there are none.
    var buttons: @Sendable () throws -> ButtonInput?
  }

  private let inbox = Mutex<[Order]>([])
  private let letter = Signal()
  private let finished = Signal()
  private let logger: Logger

  /// Makes a loop; it does nothing until `start`, and messages sent before that wait.
  package init(logger: Logger) {
    self.logger = logger
  }

  /// Starts the thread; call it once.
  ///
  /// - Parameters:
  ///   - report: Receives the keep-alives of the loop.
  ///   - onOutput: Called on the thread; must not wait.
  func start(
    settings: ScaleSettings, sources: Sources, report: ServiceReport = ServiceReport(to: nil),
    onOutput: @escaping @Sendable (Output) -> Void
  ) {
    OwnThread.start(name: "weighing") { [self] in
      var thread = WeighingThread(
        settings: settings, letter: letter, watchdog: Watchdog(report), logger: logger, onOutput: onOutput)
      thread.run(sources) {
        inbox.withLock { orders in
          defer { orders = [] }
          return orders
        }
      }
      finished.raise()
    }
  }

  /// Passes an input to the scale.
  package func send(_ input: ScaleMachine.Input) { leave(.input(input)) }

  /// Closes the pad and the buttons and opens others.
  func replace(_ sources: Sources) { leave(.sources(sources)) }

  /// Ends the thread; returns after its last output.
  package func stop() {
    leave(.stop)
    _ = finished.wait(milliseconds: -1)
  }

  private func leave(_ order: Order) {
    inbox.withLock { $0.append(order) }
    letter.raise()
  }
}
