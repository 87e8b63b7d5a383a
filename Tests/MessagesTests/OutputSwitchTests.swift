import Messages
import Testing
import Weighing

/// The messages that switch outputs, and what is published about learned stops.
@Suite struct OutputSwitchTests {
  @Test func anOutputIsSwitchedOnItsTopic() throws {
    let (grinder, valve) = (try #require(OutputName("grinder")), try #require(OutputName("valve")))
    let switches = [
      OutputSwitch(output: Output(name: grinder), topic: "cmnd/grinder/POWER"),
      OutputSwitch(output: Output(name: valve), topic: "/a//b", on: #"{"state": "ON"}"#, off: "0"),
    ]
    func message(_ name: OutputName, _ isOn: Bool) -> [String]? {
      switches.message(for: OutputChange(name: name, isOn: isOn)).map {
        [
          $0.topic, String(decoding: $0.payload, as: UTF8.self),
          "\($0.delivery)" + ($0.expiry.map { ", \($0.seconds) s" } ?? ""),
        ]
      }
    }
    #expect(message(grinder, true) == ["cmnd/grinder/POWER", "ON", "urgent, 5.0 s"])
    #expect(message(grinder, false) == ["cmnd/grinder/POWER", "OFF", "urgent"])
    #expect(message(valve, true) == ["/a//b", #"{"state": "ON"}"#, "urgent, 5.0 s"])
    #expect(message(valve, false) == ["/a//b", "0", "urgent"])
    #expect(message(try #require(OutputName("lamp")), false) == nil)
  }

  @Test func learnedStopsAreARetainedList() {
    var composer = Sample.composer()
    let stops = [
      LearnedStop(
        label: "be\"ans",
        samples: [(1.5, 0.3), (2, 0.8), (1, 0.25)].map { .init(flow: $0.0, arrived: Grams($0.1)) }),
      LearnedStop(label: "", samples: [.init(flow: 2, arrived: Grams(-0.5))]),
    ]
    let messages = composer.messages(for: .learnedStops(stops, at: Sample.time))
    #expect(messages.map(\.topic) == ["grampad/kitchen/learned"] && messages.map(\.delivery) == [.retained])
    #expect(
      messages.map { String(decoding: $0.payload, as: UTF8.self) } == [
        #"[{"label":"be\"ans","dead_time_ms":250,"flow_g_s":1.5,"arrived_g":0.3,"doses":3},"#
          + #"{"label":"","flow_g_s":2,"arrived_g":-0.5,"doses":1}]"#
      ])
  }
}
