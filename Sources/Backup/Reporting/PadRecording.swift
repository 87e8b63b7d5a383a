import Capture
import EvdevInput
import EventLoop
import Weighing

/// A recording of the pad for a report.
package struct PadRecording {
  /// The name of the device.
  package let deviceName: String
  private let device: EvdevDevice

  /// Opens the pad.
  ///
  /// - Throws: `.program` if there is no pad, or another process uses it exclusively.
  package init(_ selector: PadSelector) throws(BackupError) {
    let path: String
    switch DeviceSurvey.scan().choose(selector) {
    case .chosen(let entry, _): path = entry.path
    case .none(let reason): throw .program("pad", reason)
    }
    do throws(EvdevError) {
      device = try EvdevDevice(path: path)
      // A process that has grabbed the device gets all of its events; there would be nothing to record.
      try device.setGrab(true)
      try device.setGrab(false)
    } catch {
      throw .program("pad", error.description)
    }
    deviceName = device.description.name
  }

  /// Records for a time; returns an evemu file. If the pad is unplugged, the events recorded so far are kept.
  ///
  /// - Parameter progress: Receives the number of events and the time since the start, twice a second.
  package func record(for duration: Interval, progress: (Int, Interval) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    var recorder = Recorder(device, for: duration)
    _ = recorder.run(until: Signal(), progressInterval: .milliseconds(500), progress: progress) { bytes += $0 }
    return bytes
  }
}
