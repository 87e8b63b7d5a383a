import Foundation
import Messages
import Testing
import Weighing

/// One of each thing that is published, and how to look into the bytes.
enum Sample {
  static let time = Instant(nanoseconds: 1_000_000_000_123_456_789)
  static let timeText = "2001-09-09T01:46:40.123Z"

  static let topics = Topics(prefix: "grampad", id: "kitchen")

  /// What an appliance takes a payload on `command/NAME` for.
  static func command(_ name: String, _ payload: [UInt8], isRetained: Bool = false) -> Command? {
    Command(
      IncomingMessage(topic: topics.commands + name, payload: payload, isRetained: isRetained), topics: topics)
  }

  static var code: ScannedCode {
    guard let code = ScannedCode("40\"63") else { preconditionFailure("a valid code") }
    return code
  }

  static var dose: Dose {
    guard let output = OutputName("grinder") else { preconditionFailure("a valid name") }
    return Dose(output: output, target: Target(mass: Grams(18)))
  }

  static let phone = PairingRequest(id: 1, name: "Anna's phone", address: "192.168.1.7")

  /// A weighing of 73 g.
  static let record = RecordedWeighing(
    id: WeighingID(time: time, randomness: (0x123, 0x0123_4567_89ab_cdef)), sequence: 42, time: time,
    measurement: Measurement(
      gross: DisplayedMass(steps: 100, division: .gram), tare: DisplayedMass(steps: 27, division: .gram),
      net: DisplayedMass(steps: 73, division: .gram), uncertainty: Grams(0.41251), calibration: .user),
    label: "Zürich \"dark\"", source: .commandLine, calibrationCounter: 3, configurationHash: "9f86d081", voids: nil,
    clock: .synchronised)

  /// What a writer writes.
  static func text(_ body: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    body(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  static func composer() -> MessageComposer {
    MessageComposer(topics: topics, heartbeat: .seconds(5), clock: .recorded)
  }

  /// 73.4 g net on 26.6 g of tare.
  static func machine() -> ScaleMachine {
    var machine = ScaleMachine(settings: ScaleSettings(), at: time)
    let pad = PadDescription(
      name: "pad",
      axes: [
        .slot: AxisRange(minimum: 0, maximum: 4),
        .multitouchPressure: AxisRange(minimum: 0, maximum: 5000, resolution: 10),
      ])
    _ = machine.handle(.padFound(pad), at: time)
    return machine
  }

  static func frame(_ counts: Int...) -> ScaleMachine.Input {
    .frame(
      Frame(
        time: time,
        contacts: counts.enumerated().map {
          Contact(
            serial: UInt64($0.offset), position: nil, origin: nil, raw: RawForce($0.element),
            isAtMaximum: $0.element >= 5000)
        }))
  }

  /// A stable reading with a tare.
  static func settled() -> Reading {
    var machine = machine()
    _ = machine.handle(frame(266), at: time)
    _ = machine.advance(to: time + .seconds(1))
    _ = machine.handle(
      .request(ActionRequest(action: .tare, source: .mqtt)), at: time + .seconds(1))
    _ = machine.handle(frame(1000), at: time + .seconds(1.1))
    _ = machine.advance(to: time + .seconds(3))
    return machine.reading
  }
}

extension Message {
  /// The payload as Foundation reads it.
  func object() throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
  }

  var text: String { String(decoding: payload, as: UTF8.self) }
}

/// The same numbers each time. Source: Marsaglia, "Xorshift RNGs", Journal of Statistical Software, 2003.
struct Xorshift: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64 = 88_172_645_463_325_252) { state = seed }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
