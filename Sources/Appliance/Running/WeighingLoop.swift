import EvdevInput
import EventLoop
import Logging
import Synchronization
import Weighing

/// The thread that owns the pad, the buttons, the scale and their timers; see `WeighingThread` for what it does.
package final class WeighingLoop: Sendable {
  /// What the loop tells, on its own thread.
  package enum Output: Sendable {
    /// What the core wants done.
    case effect(Effect)
    /// A pad is there.
    case padFound(PadDescription, path: String)
    /// There is none, for this reason.
    case padMissing(reason: String)
  }

  /// What the thread is told.
  enum Order: Sendable {
    case input(ScaleMachine.Input)
    case sources(Sources)
    case stop
  }

  /// Where frames and key presses come from; made on the loop's own thread.
  struct Sources: Sendable {
    var pad: @Sendable () throws -> any PadSource
    /// The buttons that are no part of the pad; `nil` without any.
    var buttons: @Sendable () throws -> ButtonInput?
  }

  private let inbox = Mutex<[Order]>([])
  private let letter = Signal()
  private let finished = Signal()
  private let logger: Logger

  /// Makes a loop that does nothing until `start`; what is sent before waits.
  package init(logger: Logger) {
    self.logger = logger
  }

  /// Starts the thread; to be called once.
  ///
  /// - Parameters:
  ///   - report: Is told that the loop runs, and from then on that it still does.
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

  /// Hands something to the scale.
  package func send(_ input: ScaleMachine.Input) { leave(.input(input)) }

  /// Lets go of the pad and the buttons and takes others.
  func replace(_ sources: Sources) { leave(.sources(sources)) }

  /// Ends the thread; returns when it has told its last output.
  package func stop() {
    leave(.stop)
    _ = finished.wait(milliseconds: -1)
  }

  private func leave(_ order: Order) {
    inbox.withLock { $0.append(order) }
    letter.raise()
  }
}
