import EvdevInput
import EventLoop
import Logging
import Synchronization
import Weighing

/// The thread that owns the pad, the scale and their timers.
///
/// ```
///   pad ──frames──►┐
///   timer ─────────►│ ScaleMachine ──effects──► onOutput (on this thread; must not wait)
///   inbox ─────────►┘
/// ```
///
/// It sleeps until the pad, the inbox or a deadline wakes it. Nothing it calls waits for a network or a disk.
package final class WeighingLoop: Sendable {
  /// What the loop tells.
  package enum Output: Sendable {
    /// What the core wants done.
    case effect(Effect)
    /// A pad is there.
    case padFound(name: String, path: String)
    /// There is none, for this reason.
    case padMissing(reason: String)
  }

  private enum Order: Sendable {
    case input(ScaleMachine.Input)
    case pad(@Sendable () throws -> any PadSource)
    case stop
  }

  private let inbox = Mutex<[Order]>([])
  private let letter = Signal()
  private let finished = Signal()
  private let logger: Logger
  private let onOutput: @Sendable (Output) -> Void

  /// Makes a loop that does nothing until `start`.
  package init(logger: Logger, onOutput: @escaping @Sendable (Output) -> Void) {
    self.logger = logger
    self.onOutput = onOutput
  }

  /// Starts the thread; to be called once.
  ///
  /// - Parameter source: Makes the pad's source, on the loop's own thread.
  func start(settings: ScaleSettings, source: @escaping @Sendable () throws -> any PadSource) {
    OwnThread.start(name: "weighing") { [self] in
      run(settings: settings, source: source)
      finished.raise()
    }
  }

  /// Hands something to the scale.
  package func send(_ input: ScaleMachine.Input) { leave(.input(input)) }

  /// Lets go of the pad and takes another.
  func replaceSource(_ source: @escaping @Sendable () throws -> any PadSource) { leave(.pad(source)) }

  /// Ends the thread; returns when it has told its last output.
  package func stop() {
    leave(.stop)
    _ = finished.wait(milliseconds: -1)
  }

  private func leave(_ order: Order) {
    inbox.withLock { $0.append(order) }
    letter.raise()
  }

  /// The old value of a variable that gets a new one.
  private func exchange<T>(_ variable: inout T, for new: T) -> T {
    defer { variable = new }
    return variable
  }

  private func run(settings: ScaleSettings, source make: @Sendable () throws -> any PadSource) {
    let poller = Poller()
    let timer = DeadlineTimer()
    poller.watch(letter.descriptor, for: .readable)
    poller.watch(timer.descriptor, for: .readable)
    var machine = ScaleMachine(settings: settings, at: .now())
    var source = open(make, poller)
    while true {
      let now = Instant.now()
      source?.process(at: now) { tell($0, &machine) }
      deliver(machine.advance(to: now))
      timer.set(earlier(machine.nextDeadline, source?.nextDeadline))
      for (descriptor, _) in poller.wait(milliseconds: -1) {
        if descriptor == timer.descriptor { timer.acknowledge() }
        if descriptor == letter.descriptor { letter.lower() }
      }
      let orders = inbox.withLock { exchange(&$0, for: []) }
      for order in orders {
        switch order {
        case .input(let input):
          deliver(machine.handle(input, at: .now()))
        case .pad(let make):
          if let old = source?.descriptor { poller.forget(old) }
          source = nil
          deliver(machine.handle(.padLost("another pad was chosen"), at: .now()))
          source = open(make, poller)
        case .stop:
          return
        }
      }
    }
  }

  private func open(_ make: () throws -> any PadSource, _ poller: borrowing Poller) -> (any PadSource)? {
    do {
      let source = try make()
      if let descriptor = source.descriptor { poller.watch(descriptor, for: .readable) }
      return source
    } catch {
      logger.error("no pad", metadata: ["pad.reason": "\(error)"])
      onOutput(.padMissing(reason: "\(error)"))
      return nil
    }
  }

  private func tell(_ event: PadEvent, _ machine: inout ScaleMachine) {
    switch event {
    case .found(let pad, let path):
      onOutput(.padFound(name: pad.name, path: path))
      deliver(machine.handle(.padFound(pad), at: .now()))
    case .frame(let frame):
      deliver(machine.handle(.frame(frame), at: frame.time))
    case .button(let change, let time):
      deliver(machine.handle(.button(change), at: time))
    case .gap:
      break  // the frame that follows says so itself
    case .lost(let reason), .waiting(let reason):
      onOutput(.padMissing(reason: reason))
      deliver(machine.handle(.padLost(reason), at: .now()))
    }
  }

  private func deliver(_ effects: [Effect]) {
    for effect in effects { onOutput(.effect(effect)) }
  }

  private func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}
