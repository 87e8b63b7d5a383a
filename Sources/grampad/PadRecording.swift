import Appliance
import Backup
import EvdevInput
import EventLoop
import Glibc
import Weighing

/// A recording of the pad for a report.
enum PadRecording {
  /// Records for so long, or says why that cannot be done.
  static func take(seconds: Double, _ selector: PadSelector) -> Result<[UInt8], BackupFault> {
    do throws(BackupFault) {
      return .success(try record(seconds, selector))
    } catch {
      return .failure(error)
    }
  }

  private static func record(_ seconds: Double, _ selector: PadSelector) throws(BackupFault) -> [UInt8] {
    let path: String
    switch DeviceSurvey.take().choose(selector) {
    case .chosen(let entry, _): path = entry.path
    case .none(let reason): throw .program("pad", reason)
    }
    let device: EvdevDevice
    do throws(EvdevError) {
      device = try EvdevDevice(path: path)
      // Who has it for himself gets all of its events: there would be nothing to record.
      try device.setGrab(true)
      try device.setGrab(false)
    } catch {
      throw .program("pad", error.description)
    }
    complain("recording \(device.description.name) for \(seconds) s")
    // A file without a name, gone with its descriptor. `tmpfile(3)`
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
    // Opened anew, it is read from its beginning. `proc(5)`
    return try grampad.readAll("/proc/self/fd/\(file)")
  }
}
