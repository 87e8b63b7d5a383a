import EvdevInput
import EventLoop
import Logging
import Weighing

/// What the weighing thread does.
///
/// ```
///   pad ─────frames──►┐
///   buttons ─presses─►│
///   timer ───────────►│ ScaleMachine ──effects──► onOutput (on this thread; must not wait)
///   inbox ───────────►┘       └────────feedback─► pad
///                     └ each round ──► Watchdog ──► service manager
/// ```
///
/// It sleeps until the pad, a button, the inbox or a deadline wakes it. Nothing it calls waits for a network or a disk.
struct WeighingThread: ~Copyable {
  private let poller = Poller()
  private let timer = DeadlineTimer()
  private let letter: Signal
  private let logger: Logger
  private let onOutput: @Sendable (WeighingLoop.Output) -> Void
  private var machine: ScaleMachine
  private var watchdog: Watchdog
  private var pad: (any PadSource)?
  private var buttons: ButtonInput?

  init(
    settings: ScaleSettings, letter: Signal, watchdog: Watchdog, logger: Logger,
    onOutput: @escaping @Sendable (WeighingLoop.Output) -> Void
  ) {
    self.letter = letter
    self.watchdog = watchdog
    self.logger = logger
    self.onOutput = onOutput
    machine = ScaleMachine(settings: settings, at: .now())
    poller.watch(letter.descriptor, for: .readable)
    poller.watch(timer.descriptor, for: .readable)
  }

  /// Runs until it is told to stop.
  mutating func run(_ sources: WeighingLoop.Sources, orders: () -> [WeighingLoop.Order]) {
    open(sources)
    while true {
      let now = Instant.now()
      pad?.process(at: now) { tell($0) }
      buttons?.process { change, time in deliver(machine.handle(.button(change), at: time)) }
      deliver(machine.advance(to: now))
      watchdog.feed(at: now)
      timer.set(earlier(earlier(machine.nextDeadline, pad?.nextDeadline), watchdog.nextDeadline))
      for (descriptor, _) in poller.wait(milliseconds: -1) {
        if descriptor == timer.descriptor { timer.acknowledge() }
        if descriptor == letter.descriptor { letter.lower() }
      }
      for order in orders() {
        switch order {
        case .input(let input): deliver(machine.handle(input, at: .now()))
        case .sources(let sources):
          close()
          deliver(machine.handle(.padLost("another pad was chosen"), at: .now()))
          open(sources)
        case .stop: return
        }
      }
    }
  }

  private mutating func close() {
    if let descriptor = pad?.descriptor { poller.forget(descriptor) }
    if let descriptor = buttons?.fileDescriptor { poller.forget(descriptor) }
    (pad, buttons) = (nil, nil)
  }

  private mutating func open(_ sources: WeighingLoop.Sources) {
    do {
      let pad = try sources.pad()
      if let descriptor = pad.descriptor { poller.watch(descriptor, for: .readable) }
      self.pad = pad
    } catch {
      logger.error("no pad", metadata: ["pad.reason": "\(error)"])
      onOutput(.padMissing(reason: "\(error)"))
      deliver(machine.handle(.padLost("\(error)"), at: .now()))
    }
    do {
      buttons = try sources.buttons()
      if let buttons { poller.watch(buttons.fileDescriptor, for: .readable) }
    } catch {
      logger.error("no buttons", metadata: ["button.reason": "\(error)"])
    }
  }

  private mutating func tell(_ event: PadEvent) {
    switch event {
    case .found(let pad, let path):
      onOutput(.padFound(pad, path: path))
      buttons?.exclude(path)
      deliver(machine.handle(.padFound(pad), at: .now()))
    case .frame(let frame):
      deliver(machine.handle(.frame(frame), at: frame.time))
    case .button(let change, let time):
      deliver(machine.handle(.button(change), at: time))
    case .gap:
      break  // the frame that follows says so itself
    case .lost(let reason), .waiting(let reason):
      onOutput(.padMissing(reason: reason))
      buttons?.exclude(nil)
      deliver(machine.handle(.padLost(reason), at: .now()))
    }
  }

  private func deliver(_ effects: [Effect]) {
    for effect in effects {
      if case .feedback(let feedback, _) = effect { pad?.show(feedback) }
      onOutput(.effect(effect))
    }
  }

  private func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}
