import Languages
import Linux
import Logging
import Weighing

/// The pad for the weighing loop; it may be connected and disconnected at any time.
///
/// Owned by one thread. Wait until `fileDescriptor` is readable, then call `process`; it is readable from the start.
/// Nothing is polled: without a pad, only inotify wakes the thread, and a second after it a timer, when udev has finished.
/// ```
///              opened
///   searching --------> weighing
///    ^  |  ^               |
///    |  |  '---------------'
///    |  |   unplugged, failed, other ranges
///    |  |
///    |  '-- opened, but another ---> barred
///    |      program has grabbed it     |
///    '---------------------------------'
///       events come or it is unplugged
/// ```
/// A pad stays in use even if a better one is connected, unless a udev rule selects that one and the configuration
/// selects none.
package final class PadInput {
  private enum State {
    /// No suitable device is present.
    case searching
    /// Open, but grabbed by another program.
    case barred(EvdevDevice)
    /// Open; its frames are reported.
    case weighing(OpenPad)
  }

  private let selector: PadSelector
  private let axis: AxisChoice
  private let rotation: Rotation
  private let grabs: Bool
  private let buttons: [ButtonBinding]
  private let known: [KnownPad]
  private let directory: String
  private let logger: Logger

  private let poller = Poller()
  private let starter = Signal()
  private var watch: AppearanceWatch
  private let settling: SettlingTimer
  private var state = State.searching
  private var lastReason: Sentence?
  private var hasToldOfClock = false

  /// Makes an input that searches for its pad on the first call of `process`.
  ///
  /// - Parameters:
  ///   - buttons: Keys of the pad itself are reported as `PadEvent.button`, because no other program sees the keys of a
  ///     grabbed pad. Keys of other devices are handled by a `ButtonInput`.
  ///   - known: The list of known pads.
  /// - Throws: `EvdevError.system` if the process or the user has no descriptors left.
  package init(
    _ selector: PadSelector, axis: AxisChoice = .automatic, rotation: Rotation = .none, grab: Bool = true,
    buttons: [ButtonBinding] = [], known: [KnownPad] = [], directory: String = DeviceSurvey.standardDirectory,
    logger: Logger
  ) throws(EvdevError) {
    (self.selector, self.axis, self.rotation) = (selector, axis, rotation)
    grabs = grab
    (self.buttons, self.known, self.directory, self.logger) = (buttons, known, directory, logger)
    settling = try SettlingTimer()
    switch selector {
    case .automatic:
      let link = InputPath.join(directory, DeviceSurvey.padLink)
      watch = try AppearanceWatch([.nodes(directory: directory), .path(link)])
    case .match: watch = try AppearanceWatch([.nodes(directory: directory)])
    case .path(let path): watch = try AppearanceWatch([.path(path)])
    }
    poller.watch(starter.descriptor, for: .readable)
    poller.watch(watch.fileDescriptor, for: .readable)
    poller.watch(settling.fileDescriptor, for: .readable)
    starter.raise()
  }

  deinit { if case .weighing(let pad) = state { pad.feedback?.end(within: Self.patience) } }

  /// Maximum wait for the feedback to be switched off; a device that takes longer hangs. A design decision, not a
  /// measurement.
  private static let patience: Int32 = 200

  /// Whether the pad is present, but another program has grabbed it.
  package var isBarred: Bool {
    switch state {
    case .searching, .weighing: false
    case .barred: true
    }
  }

  /// The descriptor to poll: readable whenever `process` has work to do.
  package var fileDescriptor: Int32 { poller.fileDescriptor }

  /// Shows the state of a press with the pad's feedback, if it has any; never waits.
  ///
  /// Only the newest request counts: while the device is busy, it replaces a waiting one.
  package func show(_ feedback: Feedback) {
    switch state {
    case .searching, .barred: break
    case .weighing(let pad): pad.feedback?.show(feedback)
    }
  }

  /// Processes all pending input and passes events to `body`, in order; never waits.
  package func process(_ body: (PadEvent) -> Void) {
    // Frames are the usual case. Anything else keeps `fileDescriptor` readable.
    if case .weighing(let pad) = state {
      switch read(pad, body) {
      case .nothing: break
      case .events:
        if pad.mayHaveOtherRanges { reopenIfChanged(pad, body) }
        return
      case .lost(let mayBeBack):
        if mayBeBack { search(body) }
        return
      }
    }
    var hasAppeared = false
    var hasSettled = false
    var news: Poller.Readiness?
    for (descriptor, readiness) in poller.wait(milliseconds: 0) {
      if descriptor == starter.descriptor {
        starter.lower()
        hasAppeared = true
      } else if descriptor == watch.fileDescriptor {
        if watch.drain() {
          hasAppeared = true
          settling.start()
        }
      } else if descriptor == settling.fileDescriptor {
        settling.acknowledge()
        (hasAppeared, hasSettled) = (true, true)
      } else {
        news = readiness
      }
    }
    switch state {
    case .searching:
      if hasAppeared { search(body) }
    case .barred(let device):
      guard news != nil || hasAppeared && isOutranked(device) else { return }
      // Events arrive, so the other program has released the device; reopening it reads the missed state.
      release(device)
      search(body)
    case .weighing(let pad):
      if hasAppeared && isOutranked(pad.device) {
        lose(pad, Sentence(.padOutranked), body)
        return search(body)
      }
      if let news, !news.isDisjoint(with: .ended) {
        lose(pad, EvdevError.lost(path: pad.device.path).reason, body)
        search(body)
      } else if hasSettled {
        // Not at each notice: looking opens the pad a second time, and its closing waits for other processors.
        reopenIfChanged(pad, body)
      }
    }
  }

  /// The result of reading a pad.
  private enum Outcome {
    case nothing, events
    /// The pad is lost; it or another one may be present already.
    case lost(mayBeBack: Bool)
  }

  private func read(_ pad: OpenPad, _ body: (PadEvent) -> Void) -> Outcome {
    do throws(EvdevError) {
      return try pad.readFrames(body) ? .events : .nothing
    } catch {
      lose(pad, error.reason, body)
      if case .lost = error { return .lost(mayBeBack: true) }
      // A device that fails before its first event is ignored until something changes in its directory.
      return .lost(mayBeBack: pad.hasDelivered)
    }
  }

  /// Opens the pad again if its ranges have changed: they decide what a count means.
  private func reopenIfChanged(_ pad: OpenPad, _ body: (PadEvent) -> Void) {
    guard pad.hasOtherRanges() else { return }
    lose(pad, Sentence(.padRangesChanged), body)
    // Its descriptor is still open here. The grab would keep the new one from being read; if it cannot be lifted, the device is gone.
    try? pad.device.setGrab(false)
    search(body)
  }

  private func lose(_ pad: OpenPad, _ reason: Sentence, _ body: (PadEvent) -> Void) {
    release(pad.device)
    pad.feedback?.end(within: 0)
    pad.loseButtons(body)
    logger.warning("pad lost", metadata: ["pad.path": "\(pad.device.path)", "pad.reason": "\(reason)"])
    body(.lost(reason: reason.about(pad.device.path)))
  }

  /// Whether a udev rule selects another device that is present and can weigh.
  private func isOutranked(_ device: EvdevDevice) -> Bool {
    selector == .automatic && DeviceSurvey.appointsOther(than: device.path, axis: axis, directory: directory)
  }

  private func release(_ device: EvdevDevice) {
    poller.forget(device.fileDescriptor)
    state = .searching
  }

  private func search(_ body: (PadEvent) -> Void) {
    do throws(EvdevError) {
      // Arm first, so that a device that appears during the search is detected.
      try watch.arm()
      switch selector {
      case .path(let path):
        try open(InputPath.node(path), because: "selected by pad.device", body)
      case .automatic, .match:
        switch DeviceSurvey.scan(axis: axis, known: known, directory: directory).choose(selector) {
        case .chosen(let entry, let because): try open(entry.path, because: because.description, body)
        case .none(let reason): tellWaiting(reason, body)
        }
      }
    } catch {
      tellWaiting(error.sentence, body)
    }
  }

  /// Uses a device, or waits for it if another program has grabbed it.
  private func open(_ path: String, because: String, _ body: (PadEvent) -> Void) throws(EvdevError) {
    let device = try EvdevDevice(path: path, logger: logger)
    let pad = try OpenPad(device, axis: axis, rotation: rotation, buttons: buttons)
    // If the following steps fail, closing the device removes it from the set.
    poller.watch(device.fileDescriptor, for: .readable)
    if grabs {
      do {
        try device.setGrab(true)
      } catch {
        guard case .grabbed = error else { throw error }
        state = .barred(device)
        return tellWaiting(error.sentence, body)
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

  private func tellWaiting(_ reason: Sentence, _ body: (PadEvent) -> Void) {
    guard reason != lastReason else { return }
    lastReason = reason
    logger.notice("waiting for a pad", metadata: ["pad.reason": "\(reason)"])
    body(.waiting(reason: reason))
  }
}
