import Messages
import Testing
import Weighing

/// The messages that switch outputs off when their configuration changes.
@Suite struct OutputMessageTests {
  private static func output(_ name: String, _ topic: String, on: String = "ON", off: String = "OFF") -> OutputSwitch? {
    OutputName(name).map { OutputSwitch(output: Output(name: $0), topic: topic, on: on, off: off) }
  }

  /// A configuration after a reload, and the topics that are switched off for the one before: `mill` on `a`, `valve` on `b`.
  static let reloads: [(new: [OutputSwitch?], topics: [String])] = [
    ([output("mill", "a"), output("valve", "b")], []), ([output("valve", "b"), output("mill", "a", on: "1")], []),
    ([], ["a", "b"]), ([output("valve", "b")], ["a"]), ([output("grinder", "a"), output("valve", "b")], ["a"]),
    ([output("mill", "c"), output("valve", "b")], ["a"]),
    ([output("mill", "a", off: "0"), output("valve", "b")], ["a"]),
    ([output("mill", "b"), output("valve", "a")], ["a", "b"]),
  ]

  @Test(arguments: reloads) func whatNothingElseSwitchesOffIsSwitchedOff(_ new: [OutputSwitch?], _ topics: [String]) {
    let old = [Self.output("mill", "a"), Self.output("valve", "b")].compactMap(\.self)
    let messages = old.missing(from: new.compactMap(\.self)).offMessages
    #expect(messages == topics.map { Message(topic: $0, payload: Array("OFF".utf8), delivery: .urgent) })
  }

  @Test func onExpiresAndNamesItsOutput() throws {
    let outputs = [Self.output("mill", "a"), Self.output("valve", "b")].compactMap(\.self)
    let mill = try #require(outputs.first)
    #expect(mill.message(isOn: true).expiry != nil && mill.message(isOn: false).expiry == nil)
    #expect(outputs.switchedOn(by: mill.message(isOn: true)) == [mill.output.name])
    #expect(outputs.switchedOn(by: mill.message(isOn: false)) == [])
  }
}
