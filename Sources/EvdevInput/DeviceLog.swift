import CEvdev
import EventLoop
import Glibc
import Logging
import Weighing

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

  /// Makes a log for the device at `path`; without a logger, messages are discarded.
  init(path: String, logger: Logger?) {
    self.path = path
    self.logger = logger
  }

  /// Registers this log with a libevdev device; the log has to outlive the device.
  func attach(to device: OpaquePointer) {
    libevdev_set_device_log_function(
      device,
      { _, priority, log, _, _, _, format, arguments in
        guard let log, let format, let arguments else { return }
        var buffer = [CChar](repeating: 0, count: 256)
        guard vsnprintf(&buffer, buffer.count, format, arguments) >= 0 else { return }
        let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        Unmanaged<DeviceLog>.fromOpaque(log).takeUnretainedValue()
          .report(String(decoding: text, as: UTF8.self), isError: priority == LIBEVDEV_LOG_ERROR)
      }, LIBEVDEV_LOG_INFO, Unmanaged.passUnretained(self).toOpaque())
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
