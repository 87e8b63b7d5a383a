import Capture
import Configuration
import EvdevInput
import IIOInput
import Linux
import Logging
import Weighing

/// A recording of the pad for a report.
package struct PadRecording {
  /// The name of the device.
  package var deviceName: String { device.description.name }
  private let device: any CapturedDevice

  /// Opens the configured pad.
  ///
  /// - Throws: `.program` if there is no pad, or another process uses it exclusively.
  package init(_ pad: Configuration.Pad, logger: Logger) throws(BackupError) {
    let choice = DeviceSurvey.scan(known: KnownPad.all).choose(pad.device.selector)
    switch (pad.device, choice) {
    case (.converter, _): device = try Self.loadCell(pad, otherwise: "", logger)
    case (_, .none(let reason)): device = try Self.loadCell(pad, otherwise: reason.description, logger)
    case (_, .chosen(let entry, _)): device = try Self.inputDevice(entry.path)
    }
  }

  private static func loadCell(
    _ pad: Configuration.Pad, otherwise reason: String, _ logger: Logger
  ) throws(BackupError) -> CapturedConverter {
    guard let settings = pad.converter else { throw .program("pad", reason) }
    if case .absent = ConverterSurvey.scan().choose(settings) { throw .program("pad", reason) }
    do throws(CaptureError) {
      return try CapturedConverter(settings, logger: logger)
    } catch {
      throw .program("pad", error.description)
    }
  }

  private static func inputDevice(_ path: String) throws(BackupError) -> CapturedInputDevice {
    do throws(EvdevError) {
      let device = try EvdevDevice(path: path)
      // A process that has grabbed the device gets all of its events; there would be nothing to record.
      try device.setGrab(true)
      try device.setGrab(false)
      return CapturedInputDevice(device)
    } catch {
      throw .program("pad", error.description)
    }
  }

  /// Records for a time; returns an evemu file. If the pad is unplugged, the events recorded so far are kept.
  ///
  /// - Parameter progress: Receives the number of events and the time since the start, twice a second.
  package func record(for duration: Interval, progress: (Int, Interval) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    var recorder = EventCapture(device, for: duration)
    _ = recorder.run(until: Signal(), progressInterval: .milliseconds(500), progress: progress) { bytes += $0 }
    return bytes
  }
}
