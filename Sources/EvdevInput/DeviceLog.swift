import CEvdev
import Glibc
import Linux
import Logging

/// Forwards libevdev's messages about one device to the log, at a limited rate.
///
/// By default libevdev writes to standard error, and a driver with a recurring fault (for example, tracking ids that
/// change without a lift) causes a line for every frame. See libevdev_set_device_log_function(3).
///
/// Used on the thread that owns the device.
final class DeviceLog {
  private let path: String
  private let logger: Logger?
  private var throttle = LogThrottle()
  /// libevdev keeps its address.
  private let target = UnsafeMutablePointer<grampad_message_target>.allocate(capacity: 1)

  /// Makes a log for the device at `path`; without a logger, messages are discarded.
  init(path: String, logger: Logger?) {
    (self.path, self.logger) = (path, logger)
    target.initialize(
      to: grampad_message_target(
        receive: { context, priority, message in
          guard let context, let message else { return }
          Unmanaged<DeviceLog>.fromOpaque(context).takeUnretainedValue()
            .report(String(cString: message), isError: priority == LIBEVDEV_LOG_ERROR)
        }, context: nil))
  }

  deinit { target.deallocate() }

  /// Registers this log with a libevdev device; the log has to outlive the device.
  func attach(to device: OpaquePointer) {
    target.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    grampad_send_messages(device, LIBEVDEV_LOG_INFO, target)
  }

  private func report(_ text: String, isError: Bool) {
    guard let logger, let suppressed = throttle.admit(at: .now()) else { return }
    var text = text
    while text.last?.isNewline == true { text.removeLast() }
    var metadata: Logger.Metadata = ["pad.path": "\(path)", "libevdev.message": "\(text)"]
    if suppressed > 0 { metadata["log.suppressed"] = "\(suppressed)" }
    logger.log(level: isError ? .warning : .info, "libevdev reports", metadata: metadata)
  }
}
