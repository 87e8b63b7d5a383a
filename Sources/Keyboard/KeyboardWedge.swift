import Linux
import Logging
import Messages
import Synchronization
import Weighing

/// Types each confirmed weighing as a keyboard, on a thread of its own.
///
/// ```
///   type ──► waiting (at most 32) ──► thread: one change of a key every 8 ms ──► /dev/uinput
///                └── older than 10 s, or too many: dropped and logged
/// ```
/// A weighing is typed at once or not at all: the program that has the focus much later would not be the one meant.
package final class KeyboardWedge: Sendable {
  /// What is typed, and how.
  package struct Settings: Hashable, Sendable {
    /// The text for a weighing.
    package var format: KeyboardFormat
    /// The layout that the computer assumes.
    package var layout: KeyboardLayout

    /// Makes settings.
    package init(format: KeyboardFormat, layout: KeyboardLayout) { (self.format, self.layout) = (format, layout) }
  }

  private struct State: Sendable {
    var settings: Settings
    var waiting: [(record: RecordedWeighing, arrival: Instant)] = []
    /// The number of weighings that were dropped because too many waited.
    var dropped = 0
  }

  /// What the thread is to do next.
  private enum Task {
    case type(KeyboardFormat.Typing, sequence: Int)
    /// Report weighings that were dropped.
    case drop(count: Int)
    case wait(until: Instant?)
  }

  /// Maximum number of weighings that wait.
  private static let limit = 32
  private static let patience = Interval.seconds(10)
  /// The time between two changes, as with a USB keyboard that is asked 125 times a second.
  ///
  /// A reader of the device has a buffer of 64 events (EVDEV_MIN_BUFFER_SIZE of drivers/input/evdev.c). A change is two of
  /// them, so that a reader loses nothing unless it does not read for a quarter of a second.
  static let pace = Interval.milliseconds(8)
  /// How long programs take to open a new keyboard; uinput.rst waits as long before the first event.
  private static let discoveryTime = Interval.seconds(1)
  private static let retry = Interval.seconds(5)

  private let path: String
  private let onChange: @Sendable (Health.Keyboard) -> Void
  private let logger: Logger
  private let state: Mutex<State>
  /// Woken by a weighing.
  private let worker = Worker<Void>("keyboard")

  /// Makes a keyboard; nothing is opened until `start`.
  ///
  /// - Parameters:
  ///   - path: The device of uinput.
  ///   - onChange: Called on the thread when the keyboard was made, and for each new reason why it cannot be.
  package init(
    _ settings: Settings, path: String = "/dev/uinput", logger: Logger,
    onChange: @escaping @Sendable (Health.Keyboard) -> Void = { _ in }
  ) {
    (self.path, self.logger, self.onChange) = (path, logger, onChange)
    state = Mutex(State(settings: settings))
  }

  /// Types a weighing soon; never waits.
  package func type(_ record: RecordedWeighing) {
    state.withLock { state in
      if state.waiting.count >= Self.limit {
        state.waiting.removeFirst()
        state.dropped += 1
      }
      state.waiting.append((record, .now()))
    }
    worker.send(()) { true }
  }

  /// Changes what is typed, from the next weighing on.
  package func apply(_ settings: Settings) { state.withLock { $0.settings = settings } }

  /// Starts the thread; call it once.
  package func start() { worker.start { [self] inbox in run(inbox) } }

  /// Ends the thread after the weighing that is being typed; waits for that for 2 s at most.
  package func stop() { worker.stop(within: .seconds(2)) }

  private func run(_ inbox: Worker<Void>.Inbox) {
    // Watches nothing, so that it waits until the deadline.
    let pause = Poller()
    var keyboard: UinputKeyboard?
    var fault: KeyboardError?
    // When the keyboard can be used, or the next attempt to make it.
    var ready = Instant.now()
    while !inbox.take().isStopping {
      let now = Instant.now()
      if keyboard == nil, now >= ready {
        do throws(KeyboardError) {
          keyboard = try UinputKeyboard(path: path)
          (fault, ready) = (nil, now + Self.discoveryTime)
          onChange(.available)
          logger.info("typing weighings as a keyboard", metadata: ["keyboard.name": "\(WeighingKeyboard.name)"])
        } catch {
          if error != fault {
            onChange(.unavailable(error.sentence))
            logger.warning("cannot type weighings; retrying", metadata: ["keyboard.reason": "\(error)"])
          }
          (fault, ready) = (error, now + Self.retry)
        }
      }
      switch next(isReady: keyboard != nil && now >= ready, at: now) {
      case .drop(let count):
        logger.warning(
          "weighings not typed in time; see the journal for them", metadata: ["keyboard.dropped": "\(count)"])
      case .type(let typing, let sequence):
        if typing.replaced > 0 {
          logger.warning(
            "the layout has no key for some characters of a weighing; typed ? instead",
            metadata: ["weighing.sequence": "\(sequence)", "keyboard.replaced": "\(typing.replaced)"])
        }
        do throws(KeyboardError) {
          for report in typing.strokes.lazy.flatMap(\.reports) {
            try keyboard?.send(report)
            pause.wait(until: .now() + Self.pace) { _, _ in }
          }
        } catch {
          logger.warning(
            "weighing not typed completely",
            metadata: ["weighing.sequence": "\(sequence)", "keyboard.reason": "\(error)"])
          // Its removal releases the keys.
          keyboard = nil
        }
      case .wait(let expiry):
        let deadline = keyboard == nil || now < ready ? min(ready, expiry ?? ready) : expiry
        inbox.wait(until: deadline)
      }
    }
  }

  private func next(isReady: Bool, at now: Instant) -> Task {
    state.withLock { state in
      let late = state.waiting.prefix { $0.arrival + Self.patience <= now }.count
      state.waiting.removeFirst(late)
      state.dropped += late
      if state.dropped > 0 {
        defer { state.dropped = 0 }
        return .drop(count: state.dropped)
      }
      guard let first = state.waiting.first else { return .wait(until: nil) }
      guard isReady else { return .wait(until: first.arrival + Self.patience) }
      state.waiting.removeFirst()
      return .type(
        state.settings.format.typing(first.record, on: state.settings.layout), sequence: first.record.sequence)
    }
  }
}
