import Foundation
import Messages
import Testing
import Weighing

/// One of each thing that is published, and how to look into the bytes.
enum Sample {
  static let time = Instant(nanoseconds: 1_000_000_000_123_456_789)
  static let timeText = "2001-09-09T01:46:40.123Z"

  static func composer() -> MessageComposer {
    MessageComposer(topics: Topics(prefix: "grampad", id: "kitchen"), heartbeat: .seconds(5), clock: .recorded)
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
