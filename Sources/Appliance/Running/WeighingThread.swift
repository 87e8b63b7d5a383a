import EvdevInput
import Languages
import Linux
import Logging
import Weighing

/// The work of the weighing thread.
///
/// ```
///   pad ─────frames──►┐
///   buttons ─presses─►│
///   scanners ──codes─►│
///   clock ───────────►│ ScaleMachine ──effects──► onEffect (on this thread; must not wait)
///   inbox ───────────►┘       └────────feedback─► pad
///                     └ each round ──► Watchdog ──► service manager
/// ```
///
/// It sleeps until the pad, a button, a scanner, the inbox or a deadline wakes it. Nothing it calls waits for a network or a disk.
struct WeighingThread: ~Copyable {
  private let poller = Poller()
  private let inbox: Worker<WeighingLoop.Request>.Inbox
  private let inboxDescriptor: Int32
  private let logger: Logger
  private let onOutput: @Sendable (WeighingLoop.Output) -> Void
  private let onEffect: @Sendable (Effect) -> Void
  private var machine: ScaleMachine
  private var watchdog: Watchdog
  private var pad: (any PadSource)?
  private var buttons: ButtonInput?
  private var scanners: ScannerInput?
  private var observer: (any PadObserver)?
  /// Whether pad, buttons, scanners and inbox may have input.
  private var isPadReady = false
  private var areButtonsReady = false
  private var areScannersReady = false
  private var isInboxReady = false
  /// Buffer for effects; empty between two inputs, kept to reuse its memory.
  private var effects: [Effect] = []

  init(
    settings: ScaleSettings, inbox: Worker<WeighingLoop.Request>.Inbox, watchdog: Watchdog, logger: Logger,
    onOutput: @escaping @Sendable (WeighingLoop.Output) -> Void, onEffect: @escaping @Sendable (Effect) -> Void
  ) {
    self.inbox = inbox
    inboxDescriptor = inbox.descriptor
    (self.watchdog, self.logger, self.onOutput, self.onEffect) = (watchdog, logger, onOutput, onEffect)
    machine = ScaleMachine(settings: settings, at: .now())
    poller.watch(inboxDescriptor, for: [.readable, .once])
  }

  /// Runs until it is stopped.
  mutating func run(_ sources: WeighingLoop.Sources) {
    // The state of the last run is restored before the pad is read.
    let (first, isStopping) = inbox.take()
    for request in first {
      switch request {
      case .input(let input): handle(input, at: .now())
      case .observer(let observer): self.observer = observer
      case .sources: break
      }
    }
    if isStopping { return }
    open(sources)
    while true {
      let now = Instant.now()
      if isPadReady || pad?.nextDeadline.map({ $0 <= now }) == true { pad?.process(at: now) { handle($0) } }
      if areButtonsReady || buttons?.nextDeadline.map({ $0 <= now }) == true {
        buttons?.process(at: now) { change, time in handle(.button(change), at: time) }
      }
      if areScannersReady || scanners?.nextDeadline.map({ $0 <= now }) == true {
        scanners?.process(at: now) { code, time in handle(.scanned(code), at: time) }
      }
      machine.advance(to: now, into: &effects)
      deliver()
      observer?.advance(to: now)
      let observation = observer?.nextDeadline
      if observation == nil { observer = nil }
      watchdog.feed(at: now)
      let keys = earlier(buttons?.nextDeadline, scanners?.nextDeadline)
      let devices = earlier(pad?.nextDeadline, keys)
      let deadline = earlier(earlier(machine.nextDeadline, devices), watchdog.nextDeadline)
      wait(until: earlier(deadline, observation))
      guard isInboxReady else { continue }
      let (requests, isStopping) = inbox.take()
      for request in requests {
        switch request {
        case .input(let input): handle(input, at: .now())
        case .observer(let observer):
          self.observer = observer
          observer.attach(machine, at: .now())
        case .sources(let sources):
          close()
          let reason = Sentence(.padReconfigured)
          handle(.padLost(reason), at: .now())
          observer?.handle(.lost(reason: reason), at: .now())
          open(sources)
        }
      }
      if isStopping { return handle(.shutdown, at: .now()) }
    }
  }

  /// Sleeps until something is ready, at most until a deadline.
  private mutating func wait(until deadline: Instant?) {
    let (pad, inbox) = (pad?.descriptor, inboxDescriptor)
    let (buttons, scanners) = (buttons?.fileDescriptor, scanners?.fileDescriptor)
    var (isPadReady, areButtonsReady, areScannersReady, isInboxReady) = (false, false, false, false)
    poller.wait(until: deadline) { descriptor, _ in
      if descriptor == pad { isPadReady = true }
      if descriptor == buttons { areButtonsReady = true }
      if descriptor == scanners { areScannersReady = true }
      if descriptor == inbox { isInboxReady = true }
    }
    (self.isPadReady, self.isInboxReady) = (isPadReady, isInboxReady)
    (self.areButtonsReady, self.areScannersReady) = (areButtonsReady, areScannersReady)
  }

  private mutating func close() {
    for descriptor in [pad?.descriptor, buttons?.fileDescriptor, scanners?.fileDescriptor] {
      if let descriptor { poller.forget(descriptor) }
    }
    (pad, buttons, scanners) = (nil, nil, nil)
  }

  private mutating func open(_ sources: WeighingLoop.Sources) {
    do {
      let pad = try sources.pad()
      if let descriptor = pad.descriptor { poller.watch(descriptor, for: .readable) }
      self.pad = pad
      isPadReady = true
    } catch {
      logger.error("cannot open the pad", metadata: ["pad.reason": "\(error)"])
      let reason = Sentence(of: error)
      onOutput(.padMissing(reason: reason))
      handle(.padLost(reason), at: .now())
    }
    do {
      buttons = try sources.buttons()
      if let buttons { poller.watch(buttons.fileDescriptor, for: .readable) }
      areButtonsReady = true
    } catch {
      logger.error("cannot open the buttons", metadata: ["button.reason": "\(error)"])
    }
    do {
      scanners = try sources.scanners()
      if let scanners { poller.watch(scanners.fileDescriptor, for: .readable) }
      areScannersReady = true
    } catch {
      logger.error("cannot open the scanners", metadata: ["scanner.reason": "\(error)"])
    }
  }

  private mutating func handle(_ event: PadEvent) {
    defer { observer?.handle(event, at: .now()) }
    switch event {
    case .found(let pad, let path):
      onOutput(.padFound(pad, path: path))
      exclude(path)
      handle(.padFound(pad), at: .now())
    case .frame(let frame):
      handle(.frame(frame), at: frame.time)
    case .button(let change, let time):
      handle(.button(change), at: time)
    case .gap:
      break  // the frame that follows says so itself
    case .setupWarning(let warning):
      onOutput(.padSetupWarning(warning))
    case .lost(let reason), .waiting(let reason):
      onOutput(.padMissing(reason: reason))
      exclude(nil)
      handle(.padLost(reason), at: .now())
    }
  }

  /// Leaves the pad's own keys to the pad.
  private func exclude(_ path: String?) {
    buttons?.exclude(path)
    scanners?.exclude(path)
  }

  private mutating func handle(_ input: ScaleMachine.Input, at time: Instant) {
    machine.handle(input, at: time, into: &effects)
    deliver()
  }

  private mutating func deliver() {
    // By index, because a loop over the elements copies them.
    for index in effects.indices {
      if case .feedback(let feedback, _) = effects[index] { pad?.show(feedback) }
      onEffect(effects[index])
    }
    effects.removeAll(keepingCapacity: true)
  }

  private func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}
