import Testing
import Weighing

@testable import EvdevInput

/// What the events of a key mean for a button, without any device.
@Suite struct BoundKeysTests {
  private static let enter = KeyCode(rawValue: 28)
  private static let space = KeyCode(rawValue: 57)

  /// Events as a device sends them, and what is to be told: `+28` key 28 goes down, `-28` up, `=28` repeats, `!` a gap;
  /// each is a report of its own but where `&` follows, and `~` after it makes it one of the kernel's own.
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var events: String
    var told: [String]
  }

  static let cases = [
    Case(
      testDescription: "a press", events: "-28 +28 -28", told: ["0 pressed 1", "0 released 2"]),
    Case(
      testDescription: "a repeating key", events: "-28 +28 =28 =28 -28", told: ["0 pressed 1", "0 released 4"]),
    Case(
      testDescription: "down from the start", events: "+28 =28 -28 +28", told: ["0 pressed 3"]),
    Case(
      testDescription: "two at once", events: "-28 -57 +28 +57 -28",
      told: ["0 pressed 2", "1 pressed 3", "0 released 4"]),
    Case(
      testDescription: "lost while down", events: "-28 +28 !28 +28 -28 +28",
      told: ["0 pressed 1", "0 lost 2", "0 pressed 5"]),
    Case(
      testDescription: "lost while up", events: "-28 !28 +28", told: []),
    Case(
      testDescription: "let go in the gap", events: "-28 +28 !28 -28 +28",
      told: ["0 pressed 1", "0 lost 2", "0 pressed 4"]),
    Case(
      testDescription: "let go by the kernel", events: "-28 +28 -28~ +28 -28",
      told: [
        "0 pressed 1", "0 lost 2", "0 pressed 3", "0 released 4",
      ]),
    Case(
      testDescription: "let go while another repeats", events: "-28 +28 -28& =30~",
      told: ["0 pressed 1", "0 released 2"]),
    Case(
      testDescription: "lost within a report", events: "-28 +28 -28& !", told: ["0 pressed 1", "0 lost 3"]),
    Case(
      testDescription: "no key of ours", events: "-30 +30 -30", told: []),
  ]

  @Test(arguments: cases) func changes(_ example: Case) {
    var keys = Self.keys([(.automatic, Self.enter, "commit"), (.automatic, Self.space, "tare")])
    var told: [String] = []
    for (index, word) in example.events.split(separator: " ").enumerated() {
      let time = Instant(nanoseconds: Int64(index))
      func handle(_ type: EventType, _ code: UInt16, _ value: Int32) {
        keys.handle(InputEvent(time: time, type: type, code: code, value: value)) { change, time in
          told.append("\(change.button) \(change.change) \(time.nanoseconds)")
        }
      }
      if word.first == "!" {
        handle(.synchronization, SynchronizationCode.dropped, 0)
      } else {
        let code = UInt16(word.dropFirst().prefix(while: \.isNumber)) ?? 0
        handle(.key, code, word.first == "+" ? 1 : word.first == "=" ? 2 : 0)
      }
      if word.last != "&" { handle(.synchronization, SynchronizationCode.report, word.last == "~" ? 1 : 0) }
    }
    #expect(told == example.told)
  }

  @Test func theDeviceThatIsNamedMorePreciselyCounts() {
    let path = PadSelector.path("/dev/input/event3")
    let named = PadSelector.match(name: "Keyboard", vendor: nil, product: nil)
    for bindings in [[(.automatic, "a"), (path, "b"), (named, "c")], [(path, "b"), (path, "d"), (.automatic, "a")]] {
      var keys = Self.keys(bindings.map { ($0.0, Self.enter, $0.1) })
      var told: [String] = []
      for value: Int32 in [0, 1] {
        for (type, code) in [(EventType.key, Self.enter.rawValue), (.synchronization, SynchronizationCode.report)] {
          let event = InputEvent(time: Instant(nanoseconds: 0), type: type, code: code, value: type == .key ? value : 0)
          keys.handle(event) { change, _ in told.append(change.action) }
        }
      }
      #expect(told == ["b"])
    }
  }

  private static func keys(_ bindings: [(PadSelector, KeyCode, String)]) -> BoundKeys {
    var number = -1
    return BoundKeys(bindings.map { ButtonBinding(device: $0.0, key: $0.1, action: $0.2) }) {
      number += 1
      return number
    }
  }
}
