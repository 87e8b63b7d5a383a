import CEvdev
import Glibc

/// Events that are sent to the kernel in one `write(2)`, so that readers always see complete frames.
struct EventBatch {
  private var events: [input_event] = []

  var isEmpty: Bool { events.isEmpty }

  mutating func add(_ type: Int32, _ code: Int32, _ value: Int32) {
    // The kernel sets the time.
    events.append(
      input_event(
        time: timeval(), type: UInt16(truncatingIfNeeded: type), code: UInt16(truncatingIfNeeded: code), value: value))
  }

  func write(to descriptor: Int32) throws(PadError) {
    let size = events.count * MemoryLayout<input_event>.stride
    let written = events.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, size) }
    guard written == size else { throw PadError("write to /dev/uinput", code: errno) }
  }
}
