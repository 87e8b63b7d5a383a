import EventLoop
import Logging
import Weighing

/// The pad as the weighing loop sees it: there or not, plugged in and out as it pleases.
///
/// Owned by one thread. Wait until `fileDescriptor` is readable, then call `process`; it is readable from the start.
/// Nothing is looked at by the clock: while there is no pad, only inotify wakes.
/// ```
///              opened
///   searching --------> weighing
///    ^  |  ^               |
///    |  |  '---------------'
///    |  |   unplugged, failed
///    |  |
///    |  '-- opened, but another ---> barred
///    |      program has grabbed it     |
///    '---------------------------------'
///       events come or it is unplugged
/// ```
/// Once a pad weighs it stays the pad, even if a better one is plugged in, unless a udev rule names that one the pad and
/// the configuration names none.
package final class PadInput {
  private enum State {
    /// No suitable device is there.
    case searching
    /// Open, but another program keeps its events.
    case barred(EvdevDevice)
    /// Open, and its frames are told.
    case weighing(OpenPad)
  }

  private let selector: PadSelector
  private let axis: AxisChoice
  private let rotation: Rotation
  private let grabs: Bool
  private let buttons: [ButtonBinding]
  private let directory: String
  private let logger: Logger

  private let poller = Poller()
  private let starter = Signal()
  private var watch: AppearanceWatch
  private var state = State.searching
  private var lastReason: String?
  private var hasToldOfClock = false

  /// Makes an input that looks for its pad at the first `process`.
  ///
  /// - Parameter buttons: Of these, the keys of the pad itself are told as `PadEvent.button`: a pad that is grabbed keeps
  ///   them from everybody else. A key that other devices have too is for a `ButtonInput`.
  /// - Throws: `EvdevError.system`, when the process or the user is out of descriptors.
  package init(
    _ selector: PadSelector, axis: AxisChoice = .automatic, rotation: Rotation = .none, grab: Bool = true,
    buttons: [ButtonBinding] = [], directory: String = DeviceSurvey.standardDirectory, logger: Logger
  ) throws(EvdevError) {
    self.selector = selector
    self.axis = axis
    self.rotation = rotation
    grabs = grab
    self.buttons = buttons
    self.directory = directory
    self.logger = logger
    switch selector {
    case .automatic:
      let link = InputPath.join(directory, DeviceSurvey.padLink)
      watch = try AppearanceWatch([.nodes(directory: directory), .path(link)])
    case .match: watch = try AppearanceWatch([.nodes(directory: directory)])
    case .path(let path): watch = try AppearanceWatch([.path(path)])
    }
    poller.watch(starter.descriptor, for: .readable)
    poller.watch(watch.fileDescriptor, for: .readable)
    starter.raise()
  }

  deinit {
    if case .weighing(let pad) = state { pad.feedback?.end(within: Self.patience) }
  }

  /// How long the end waits for the lights to go out: a device that takes longer hangs. A decision, not a measurement.
  private static let patience: Int32 = 200

  /// The one descriptor to wait on: readable whenever `process` has something to do.
  package var fileDescriptor: Int32 { poller.fileDescriptor }

  /// Lets the pad show, sound or shake what a press has come to, where it can; never waits for it.
  ///
  /// Only the newest counts: what is asked for while the device is busy replaces what waits already.
  package func show(_ feedback: Feedback) {
    switch state {
    case .searching, .barred: break
    case .weighing(let pad): pad.feedback?.show(feedback)
    }
  }

  /// Does what there is to do and tells `body` of it, in order; never waits.
  package func process(_ body: (PadEvent) -> Void) {
    // Mostly it is frames. What else there may be keeps `fileDescriptor` readable.
    if case .weighing(let pad) = state {
      switch read(pad, body) {
      case .nothing: break
      case .events: return
      case .lost(let mayBeBack):
        if mayBeBack { search(body) }
        return
      }
    }
    var hasAppeared = false
    var news: Poller.Readiness?
    for (descriptor, readiness) in poller.wait(milliseconds: 0) {
      if descriptor == starter.descriptor {
        starter.lower()
        hasAppeared = true
      } else if descriptor == watch.fileDescriptor {
        if watch.drain() { hasAppeared = true }
      } else {
        news = readiness
      }
    }
    switch state {
    case .searching:
      if hasAppeared { search(body) }
    case .barred(let device):
      guard news != nil || hasAppeared && isOutranked(device) else { return }
      // Events come, so nobody keeps them any more; what was missed in between is learned by opening it anew.
      release(device)
      search(body)
    case .weighing(let pad):
      if hasAppeared && isOutranked(pad.device) {
        lose(pad, "a udev rule selects another pad", body)
        return search(body)
      }
      if let news, !news.isDisjoint(with: .ended) {
        lose(pad, EvdevError.lost(path: pad.device.path).reason, body)
        search(body)
      }
    }
  }

  /// What came of reading a pad.
  private enum Outcome {
    case nothing, events
    /// It is no pad any more; whether it or another may be there already.
    case lost(mayBeBack: Bool)
  }

  private func read(_ pad: OpenPad, _ body: (PadEvent) -> Void) -> Outcome {
    do throws(EvdevError) {
      return try pad.readFrames(body) ? .events : .nothing
    } catch {
      lose(pad, error.reason, body)
      if case .lost = error { return .lost(mayBeBack: true) }
      // A device that fails before it says anything is left alone until something changes where it is looked for.
      return .lost(mayBeBack: pad.hasDelivered)
    }
  }

  private func lose(_ pad: OpenPad, _ reason: String, _ body: (PadEvent) -> Void) {
    release(pad.device)
    pad.feedback?.end(within: 0)
    pad.loseButtons(body)
    logger.warning("pad lost", metadata: ["pad.path": "\(pad.device.path)", "pad.reason": "\(reason)"])
    body(.lost(reason: "\(pad.device.path): \(reason)"))
  }

  /// Whether a udev rule names another device the pad that is there now and could weigh.
  private func isOutranked(_ device: EvdevDevice) -> Bool {
    selector == .automatic && DeviceSurvey.appointsOther(than: device.path, axis: axis, directory: directory)
  }

  private func release(_ device: EvdevDevice) {
    poller.forget(device.fileDescriptor)
    state = .searching
  }

  private func search(_ body: (PadEvent) -> Void) {
    do throws(EvdevError) {
      // First, so that nothing appears unnoticed between the look and the watch.
      try watch.arm()
      switch selector {
      case .path(let path):
        try open(InputPath.node(path), because: "selected by pad.device", body)
      case .automatic, .match:
        switch DeviceSurvey.take(axis: axis, directory: directory).choose(selector) {
        case .chosen(let entry, let because): try open(entry.path, because: because, body)
        case .none(let reason): tellWaiting(reason, body)
        }
      }
    } catch {
      tellWaiting(error.description, body)
    }
  }

  /// Takes a device into use, or waits at it when another program has grabbed it.
  private func open(_ path: String, because: String, _ body: (PadEvent) -> Void) throws(EvdevError) {
    let device = try EvdevDevice(path: path, logger: logger)
    let pad = try OpenPad(device, axis: axis, rotation: rotation, buttons: buttons)
    // Should what follows fail, closing the device takes it out of the set again.
    poller.watch(device.fileDescriptor, for: .readable)
    if grabs {
      do {
        try device.setGrab(true)
      } catch {
        guard case .grabbed = error else { throw error }
        state = .barred(device)
        return tellWaiting(error.description, body)
      }
    }
    let first = pad.firstFrame()
    pad.feedback = PadFeedback(device, logger: logger)
    state = .weighing(pad)
    lastReason = nil
    let metadata: Logger.Metadata = [
      "pad.path": "\(path)", "pad.name": "\(device.description.name)", "pad.reason": "\(because)",
    ]
    logger.info("pad found", metadata: metadata)
    if !device.hasMonotonicStamps && !hasToldOfClock {
      hasToldOfClock = true
      logger.notice("pad does not support the monotonic clock; converting its timestamps", metadata: metadata)
    }
    body(.found(device.description, path: path))
    body(.frame(first))
  }

  private func tellWaiting(_ reason: String, _ body: (PadEvent) -> Void) {
    guard reason != lastReason else { return }
    lastReason = reason
    logger.notice("waiting for a pad", metadata: ["pad.reason": "\(reason)"])
    body(.waiting(reason: reason))
  }
}
