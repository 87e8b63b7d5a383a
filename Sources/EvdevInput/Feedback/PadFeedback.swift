import Glibc
import Linux
import Logging
import Weighing

/// Shows the progress of a press with light, sound and vibration, on a separate thread.
///
/// A device may hang: one made with uinput completes an effect upload when its creator does, or after 30 s. Therefore
/// only this thread waits, and it has its own descriptor of the device: libevdev belongs to the thread that reads.
/// Requests are passed through a slot for one value, in which a newer one replaces an older one. During an effect
/// upload the kernel blocks all other ioctls on the device, but not reads (evdev_ioctl_handler in
/// drivers/input/evdev.c): if events are lost at that time, the state is queried when the upload is complete.
final class PadFeedback: Sendable {
  private let worker = Worker<Feedback>("feedback")
  private let logger: Logger

  /// Starts the thread; `nil` if the device has no means of feedback or is read-only for the user.
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
    worker.start { [self] inbox in
      guard let descriptor = Descriptor(number) else { return }
      run(FeedbackDevice(descriptor, path: path, means: means), inbox)
    }
  }

  /// Requests feedback, instead of what was requested before and has not begun; never waits.
  func show(_ feedback: Feedback) { worker.send(feedback) { _ in true } }

  /// Switches everything off and ends the thread; waits for that up to a number of milliseconds.
  func end(within milliseconds: Int32) { worker.stop(within: .milliseconds(Int(milliseconds))) }

  private func run(_ device: consuming FeedbackDevice, _ inbox: Worker<Feedback>.Inbox) {
    var hasWarned = false
    while true {
      inbox.wait(until: device.silence)
      let (requests, isStopping) = inbox.take()
      do throws(EvdevError) {
        if isStopping {
          // Released before the device is closed, which may block again.
          defer { inbox.releaseStop() }
          return try device.show(.ended)
        }
        if let feedback = requests.last { try device.show(feedback) } else { try device.hush() }
      } catch {
        if isStopping { return }
        // The pad has gone, so its feedback does not matter.
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
