import Recordings
import Testing
import Weighing

/// Whatever a device sends: no trap, and frames that make sense.
@Suite struct FrameFuzzTests {
  struct Device: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var pad: PadDescription
    var axis = AxisChoice.automatic
    /// A sum of axes is rarely zero, and only then another contact begins.
    var contacts: UInt64 = 50
  }

  static let throttle = AxisCode(rawValue: 6)
  static let devices = [
    Device(testDescription: "slots", pad: .slots()),
    Device(testDescription: "listed", pad: .listed()),
    Device(testDescription: "listed with tracking ids", pad: .listed(trackingID: true)),
    Device(testDescription: "single", pad: .single()),
    Device(testDescription: "single without key", pad: .single(hasTouchKey: false)),
    Device(
      testDescription: "plain",
      pad: PadDescription(name: "", axes: [throttle: AxisRange(minimum: .min, maximum: .max)]),
      axis: .named(throttle)),
    Device(
      testDescription: "sum",
      pad: PadDescription(
        name: "",
        axes: [throttle: AxisRange(minimum: .min, maximum: .max), .pressure: AxisRange(minimum: 0, maximum: 1000)]),
      axis: .sum([throttle, .pressure]), contacts: 3),
    Device(testDescription: "balance board", pad: .balanceBoard, contacts: 3),
  ]

  @Test(arguments: devices)
  func framesAlwaysMakeSense(_ device: Device) throws {
    var random = SplitMix64(seed: 42)
    var assembler = try FrameAssembler(pad: device.pad, axis: device.axis, rotation: .quarter)
    var highest: UInt64 = 0
    var known: [UInt64: Position?] = [:]
    var frames = 0
    var problems: [String] = []
    for index in 0..<17_000 {
      let event = Self.event(&random, at: Instant(nanoseconds: Int64(index)))
      guard let frame = assembler.handle(event) else { continue }
      frames += 1
      let serials = frame.serials
      if serials != serials.sorted() || Set(serials).count != serials.count { problems.append("order \(serials)") }
      if frame.contacts.count > 256 { problems.append("\(frame.contacts.count) contacts") }
      for contact in frame.contacts {
        if contact.serial > highest {
          highest = contact.serial
        } else if known[contact.serial] == nil {
          problems.append("\(contact.serial) came back")
        }
        if let origin = known[contact.serial], origin != contact.origin { problems.append("an origin moved") }
        if let p = contact.position, !(0...1).contains(p.x) || !(0...1).contains(p.y) { problems.append("\(p)") }
      }
      known = Dictionary(uniqueKeysWithValues: frame.contacts.map { ($0.serial, $0.origin) })
    }
    #expect(problems.isEmpty, "\(problems.prefix(5))")
    #expect(
      frames > 1000 && highest > device.contacts, "the fuzz reaches something: \(frames) frames, \(highest) contacts")
  }

  /// Mostly what a pad sends, in any order, and now and then anything.
  private static func event(_ random: inout SplitMix64, at time: Instant) -> InputEvent {
    let values: [Int32] = [-1, 0, 1, 2, 4, 5, 300, 1000, 1001, .max, .min]
    let codes: [AxisCode] = [
      .slot, .trackingID, .multitouchX, .multitouchY, .multitouchPressure, .x, .y, .pressure, throttle, .hat0X,
      .hat0Y, .hat1X, .hat1Y,
    ]
    let value = values.randomElement(using: &random) ?? 0
    switch random.next() % 100 {
    case 0..<55:
      let code = codes.randomElement(using: &random) ?? .slot
      return InputEvent(time: time, type: .absolute, code: code.rawValue, value: value)
    case 55..<70: return InputEvent(time: time, type: .synchronization, code: 2, value: 0)
    case 70..<90: return InputEvent(time: time, type: .synchronization, code: 0, value: 0)
    case 90..<96: return InputEvent(time: time, type: .key, code: KeyCode.touch.rawValue, value: value)
    case 96: return InputEvent(time: time, type: .synchronization, code: 3, value: 0)
    default:
      let bits = random.next()
      return InputEvent(
        time: time, type: EventType(rawValue: UInt16(truncatingIfNeeded: bits) & 0x1f),
        code: UInt16(truncatingIfNeeded: bits >> 16), value: Int32(truncatingIfNeeded: bits >> 32))
    }
  }
}
