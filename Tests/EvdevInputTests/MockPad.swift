import Foundation
import Weighing

/// An input device for umockdev: its description, what it answers when asked, and its events.
///
/// Byte layout of 64-bit little-endian Linux; sizes are those that libevdev 1.13 asks for, since umockdev tells one
/// question from the next by its size.
struct MockPad {
  var name = "Mock Force Pad"
  var id = PadIdentity(bus: 0x18, vendor: 0x06cb, product: 0xcdef, version: 0x0100)
  var unique = "mock-0001"
  var number = 0
  var axes: [AxisCode: AxisRange]
  var keys: [KeyCode] = [.touch, .toolFinger]
  var properties: [UInt16] = []
  var lights: [UInt16] = []
  /// Links under /dev/input.
  var links: [String] = []
  /// The state before the first event: axes outside the slots, keys held, and slots.
  var values: [AxisCode: Int32] = [:]
  var held: [KeyCode] = []
  var slots: [[AxisCode: Int32]] = []
  /// The frames, each without its SYN_REPORT.
  var frames: [[Event]] = []
  /// Events after the last frame that no SYN_REPORT follows.
  var ending: [Event] = []
  /// Whether it answers libevdev's questions; one that does not is a node of another kind.
  var answersQuestions = true

  struct Event {
    var type: EventType
    var code: UInt16
    var value: Int32

    static func axis(_ code: AxisCode, _ value: Int32) -> Event {
      Event(type: .absolute, code: code.rawValue, value: value)
    }
    static func key(_ code: KeyCode, _ value: Int32) -> Event { Event(type: .key, code: code.rawValue, value: value) }
    static func synchronization(_ code: UInt16) -> Event { Event(type: .synchronization, code: code, value: 0) }
  }

  var node: String { "/dev/input/event\(number)" }

  private var types: [UInt16] {
    [0] + (keys.isEmpty ? [] : [1]) + (axes.isEmpty ? [] : [3]) + (lights.isEmpty ? [] : [0x11])
  }

  /// The description of the device for umockdev.
  var description: String {
    let input = "/devices/platform/mockpad\(number)/input/input\(number)"
    let product = [id.bus, id.vendor, id.product, id.version].map { String($0, radix: 16) }.joined(separator: "/")
    let lines = [
      "P: \(input)/event\(number)", "N: input/event\(number)",
      "E: DEVNAME=\(node)", "E: MAJOR=13", "E: MINOR=\(64 + number)", "E: SUBSYSTEM=input", "A: dev=13:\(64 + number)",
      "L: device=../../input\(number)", "", "P: \(input)", "E: NAME=\"\(name)\"", "E: PRODUCT=\(product)",
      "E: SUBSYSTEM=input", "A: name=\(name)", "",
    ]
    return lines.joined(separator: "\n")
  }

  /// What the device answers to libevdev's questions.
  var answers: String {
    var lines = ["@DEV \(node)"]
    func answer(_ question: String, _ result: Int, _ bytes: [UInt8]) {
      lines.append("\(question) \(result) " + bytes.map { String(format: "%02X", $0) }.joined())
    }
    answer("EVIOCGBIT(0)", 8, mask(types, 8))
    for (question, text) in [("EVIOCGNAME", name), ("EVIOCGPHYS", "mock/\(number)"), ("EVIOCGUNIQ", unique)] {
      let bytes = Array(text.utf8)
      answer(question + "(0)", bytes.count + 1, bytes + Array(repeating: 0, count: 255 - bytes.count))
    }
    answer("EVIOCGID", 0, [id.bus, id.vendor, id.product, id.version].flatMap(littleEndian))
    answer("EVIOCGVERSION", 0, littleEndian(Int32(0x010001)))
    answer("EVIOCGPROP(0)", 8, mask(properties, 8))
    let codes: [Int: [UInt16]] = [1: keys.map(\.rawValue), 3: axes.keys.map(\.rawValue), 0x11: lights]
    for (type, size) in [(1, 96), (2, 8), (3, 8), (4, 8), (5, 8), (0x11, 8), (0x12, 8), (0x15, 16)] {
      answer("EVIOCGBIT(\(type))", size, mask(codes[type] ?? [], size))
    }
    answer("EVIOCGKEY(0)", 96, mask(held.map(\.rawValue), 96))
    answer("EVIOCGLED(0)", 8, mask([], 8))
    answer("EVIOCGSW(0)", 8, mask([], 8))
    for (code, range) in axes.sorted(by: { $0.key < $1.key }) {
      let numbers = [values[code] ?? 0, range.minimum, range.maximum, range.fuzz, range.flat, range.resolution]
      answer("EVIOCGABS(\(code.rawValue))", 0, numbers.flatMap(littleEndian))
    }
    if let slot = axes[.slot] {
      // In ascending order, in which libevdev asks: umockdev answers in the order of the file.
      for code in axes.keys.filter(\.isMultitouch).sorted() {
        // libevdev has room for 256 slots, whatever the pad has.
        let states = (0..<256).map { index -> Int32 in
          guard index <= slot.maximum else { return 0 }
          let state = slots.indices.contains(index) ? slots[index] : [:]
          return state[code] ?? (code == .trackingID ? -1 : 0)
        }
        answer("EVIOCGMTSLOTS(0)", 0, ([Int32(code.rawValue)] + states).flatMap(littleEndian))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The script that umockdev plays: it waits until LED 0 is lit, then reports a frame every millisecond.
  ///
  /// What waits in the device when it is opened is lost, since its state is asked for then; hence the signal.
  var script: Data {
    func bytes(_ events: [Event]) -> [UInt8] {
      events.flatMap { event -> [UInt8] in
        var bytes = [UInt8](repeating: 0, count: 16)
        bytes += littleEndian(event.type.rawValue)
        bytes += littleEndian(event.code)
        bytes += littleEndian(event.value)
        return bytes
      }
    }
    let report = Event.synchronization(SynchronizationCode.report)
    var script = line("w 0 ", bytes([Event(type: .led, code: 0, value: 1), report]))
    for frame in frames { script += line("r 1 ", bytes(frame + [report])) }
    if !ending.isEmpty { script += line("r 1 ", bytes(ending)) }
    return script
  }
}

/// A line of a script, with control characters written as `^@`, `^A` ... and `^` itself as `` ^` ``; see umockdev.
private func line(_ start: String, _ bytes: [UInt8]) -> Data {
  let caret = UInt8(ascii: "^")
  let encoded = bytes.flatMap { byte -> [UInt8] in
    if byte < 32 { return [caret, byte + 64] }
    return byte == caret ? [caret, UInt8(ascii: "`")] : [byte]
  }
  return Data(start.utf8) + Data(encoded) + Data("\n".utf8)
}

private func mask(_ bits: [UInt16], _ count: Int) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  for bit in bits { bytes[Int(bit) / 8] |= 1 << (bit % 8) }
  return bytes
}

private func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}
