import EvdevInput
import Linux
import Logging
import Weighing

/// The thread that owns the pad, the buttons, the scanners, the scale and their timers; see `WeighingThread` for its work.
package final class WeighingLoop: Sendable {
  /// What the loop reports about its pad, on its own thread.
  package enum Output: Sendable {
    /// A pad was found.
    case padFound(PadDescription, path: String)
    /// The pad that was found is not set up as configured; with what to do.
    case padSetupWarning(Sentence)
    /// No pad is available; with the reason.
    case padMissing(reason: Sentence)
  }

  /// Requests to the thread.
  enum Request: Sendable {
    case input(ScaleMachine.Input)
    case observer(any PadObserver)
    case sources(Sources)
  }

  /// The sources of frames, key presses and codes; opened on the loop's own thread.
  struct Sources: Sendable {
    var pad: @Sendable () throws -> any PadSource
    /// Buttons that are not part of the pad; `nil` if there are none.
    var buttons: @Sendable () throws -> ButtonInput?
    /// Barcode and RFID readers; `nil` if there are none.
    var scanners: @Sendable () throws -> ScannerInput? = { nil }
  }

  private let worker = Worker<Request>("weighing")
  private let logger: Logger

  /// Makes a loop; it does nothing until `start`, and messages sent before that wait.
  package init(logger: Logger) { self.logger = logger }

  /// Starts the thread; call it once.
  ///
  /// - Parameters:
  ///   - report: Receives the keep-alives of the loop.
  ///   - onOutput: Called on the thread; must not wait.
  ///   - onEffect: Called with each effect of the core, on the thread; must not wait.
  func start(
    settings: ScaleSettings, sources: Sources, report: ServiceReport = ServiceReport(to: nil),
    onOutput: @escaping @Sendable (Output) -> Void, onEffect: @escaping @Sendable (Effect) -> Void
  ) {
    worker.start { [logger] inbox in
      var thread = WeighingThread(
        settings: settings, inbox: inbox, watchdog: Watchdog(report), logger: logger, onOutput: onOutput,
        onEffect: onEffect)
      thread.run(sources)
    }
  }

  /// Passes an input to the scale.
  package func send(_ input: ScaleMachine.Input) { worker.send(.input(input)) }

  /// Lets an observer follow the pad until it has no deadline any more; it replaces the previous one.
  func add(_ observer: any PadObserver) { worker.send(.observer(observer)) }

  /// Closes the pad, the buttons and the scanners and opens others.
  func replace(_ sources: Sources) { worker.send(.sources(sources)) }

  /// Ends the thread; returns after its last output.
  package func stop() { worker.stop(within: nil) }
}
