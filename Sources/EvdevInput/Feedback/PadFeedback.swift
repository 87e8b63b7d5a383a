import EventLoop
import Glibc
import Logging
import Synchronization
import Weighing

/// Lets a pad show, sound and shake how far a press is, on a thread of its own.
///
/// A device may hang for as long as it likes: one of uinput answers an effect when its creator does, or after 30 s. So
/// nothing here waits but that thread, and it has a descriptor of its own on the device: libevdev belongs to the thread
/// that reads. Between them lies one letter, and a newer one replaces it. While a device learns a shake the kernel lets no
/// other call to it through, reading excepted (evdev_ioctl_handler of drivers/input/evdev.c): should events be lost just
/// then, the state is asked for when the device has answered.
final class PadFeedback: Sendable {
  private enum Letter: Sendable {
    case show(Feedback)
    case end
  }

  private let letter = Mutex<Letter?>(nil)
  private let arrived = Signal()
  private let ended = Signal()
  private let logger: Logger

  /// Starts the thread; `nil` for a device that has no means, or that the user may only read.
  init?(_ device: EvdevDevice, logger: Logger) {
    self.logger = logger
    let means = FeedbackMeans(device.description)
    guard !means.isEmpty else {
      logger.debug("pad has no light, sound or rumble", metadata: ["pad.path": "\(device.path)"])
      return nil
    }
    let path = device.path
    let number = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else {
      let reason = systemText(errno)
      logger.debug("pad feedback unavailable", metadata: ["pad.path": "\(path)", "pad.reason": "\(reason)"])
      return nil
    }
    OwnThread.start(name: "feedback") { [self] in
      guard let descriptor = Descriptor(number) else { return }
      run(FeedbackDevice(descriptor, path: path, means: means))
    }
  }

  /// Asks for feedback; never waits.
  func show(_ feedback: Feedback) { leave(.show(feedback)) }

  /// Switches all off and ends the thread; waits for that up to a number of milliseconds.
  func end(within milliseconds: Int32) {
    leave(.end)
    if milliseconds > 0 { _ = ended.wait(milliseconds: milliseconds) }
  }

  private func leave(_ new: Letter) {
    letter.withLock { $0 = new }
    arrived.raise()
  }

  private func run(_ device: consuming FeedbackDevice) {
    var hasWarned = false
    while true {
      if arrived.wait(milliseconds: device.silence?.millisecondsAway ?? -1) { arrived.lower() }
      let next = letter.withLock { letter in
        defer { letter = nil }
        return letter
      }
      do throws(EvdevError) {
        switch next {
        case .show(let feedback): try device.show(feedback)
        case .end:
          // Before the device is closed, which may wait for it once more.
          defer { ended.raise() }
          return try device.show(.ended)
        case nil: try device.hush()
        }
      } catch {
        if case .end = next { return }
        // Nobody misses the feedback of a pad that is gone.
        if case .lost = error { continue }
        if !hasWarned {
          logger.warning(
            "pad feedback failed", metadata: ["pad.path": "\(error.path)", "pad.reason": "\(error.reason)"])
        }
        hasWarned = true
      }
    }
  }
}
