import Testing
import Weighing

extension Emulated {
  @Suite struct Description {
    @Test func everythingTheDeviceSaysOfItself() throws {
      var pad = MockPad.protocolB(resolution: 4)
      pad.axes[.x]?.fuzz = 8
      pad.axes[.x]?.flat = 3
      pad.lights = [8]
      #expect(
        try Probe.run(["describe", pad.node], among: [pad]) == [
          "name Mock Force Pad",
          "id 24 1739 52719 256",
          "unique mock-0001",
          "axis ABS_X 0 1224 8 3 12",
          "axis ABS_Y 0 756 0 0 12",
          "axis ABS_PRESSURE 0 253 0 0 4",
          "axis ABS_MT_SLOT 0 4 0 0 0",
          "axis ABS_MT_POSITION_X 0 1224 0 0 12",
          "axis ABS_MT_POSITION_Y 0 756 0 0 12",
          "axis ABS_MT_TRACKING_ID 0 65535 0 0 0",
          "axis ABS_MT_PRESSURE 0 253 0 0 4",
          "keys BTN_TOOL_FINGER BTN_TOUCH",
          "properties 0 2",
          "codes 0: 0 1 3 17",
          "codes 17: 8",
          // umockdev refuses EVIOCSCLOCKID: the stamps are converted.
          "monotonic false",
        ])
    }

    @Test func aDeviceWithoutAxesNameOrNumber() throws {
      var pad = MockPad.keyboard(number: 7)
      pad.name = ""
      pad.unique = ""
      let lines = try Probe.run(["describe", pad.node], among: [pad])
      #expect(lines.first == "name ")
      #expect(lines.contains("unique "))
      #expect(!lines.contains { $0.hasPrefix("axis") })
      #expect(lines.contains("codes 17: 0 1 2"))
    }
  }
}
