import Appliance
import Backup
import EvdevInput
import EventLoop
import Glibc
import Weighing

/// A recording of the pad for a report.
enum PadRecording {
  /// Records for `seconds`, or returns the reason why that failed.
  static func take(seconds: Double, _ selector: PadSelector) -> Result<[UInt8], BackupError> {
    do throws(BackupError) {
      return .success(try record(seconds, selector))
    } catch {
      return .failure(error)
    }
  }

  private static func record(_ seconds: Double, _ selector: PadSelector) throws(BackupError) -> [UInt8] {
    let path: String
    switch DeviceSurvey.scan().choose(selector) {
    case .chosen(let entry, _): path = entry.path
    case .none(let reason): throw .program("pad", reason)
    }
    let device: EvdevDevice
    do throws(EvdevError) {
      device = try EvdevDevice(path: path)
      // A process that has grabbed the device gets all of its events; there would be nothing to record.
      try device.setGrab(true)
      try device.setGrab(false)
    } catch {
      throw .program("pad", error.description)
    }
    complain("recording \(device.description.name) for \(seconds) s")
    // An unnamed file, deleted when its descriptor is closed. `tmpfile(3)`
    guard let file = tmpfile() else { throw .program("pad", systemText(errno)) }
    defer { fclose(file) }
    do {
      var recorder = Recorder(
        device: device, output: Output(fileno(file), name: "the recording"), seconds: seconds)
      _ = try recorder.run(until: Signal())
      return try readAll(open: fileno(file))
    } catch {
      throw .program("pad", (error as? Failure)?.message ?? "\(error)")
    }
  }

  private static func readAll(open file: Int32) throws -> [UInt8] {
    // Opened again, it is read from the beginning. `proc(5)`
    return try grampad.readAll("/proc/self/fd/\(file)")
  }
}
