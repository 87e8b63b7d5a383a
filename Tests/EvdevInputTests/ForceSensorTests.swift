import Testing
import Weighing

extension Emulated {
  /// The input device that the kernel's adc-joystick makes of deploy/sensor: one axis, not a key, never no contact.
  @Suite struct ForceSensor {
    private static let sensor: MockPad = {
      var pad = MockPad(axes: [.pressure: AxisRange(minimum: 0, maximum: 26_400)])
      pad.name = "grampad-force-pad"
      pad.keys = []
      pad.id = PadIdentity(bus: 0x19, vendor: 0, product: 0, version: 0)
      // The plate.
      pad.values = [.pressure: 2400]
      pad.frames = [[.axis(.pressure, 9000)], [.axis(.pressure, 8998)], [.axis(.pressure, 2400)]]
      return pad
    }()

    @Test func itIsChosenBesideAKeyboard() throws {
      let lines = try Probe.run(["survey", "auto"], among: [.keyboard(number: 1), Self.sensor])
      #expect(lines.contains("/dev/input/event0 [] ABS_PRESSURE weighs"), "\(lines)")
      #expect(lines.last?.hasPrefix("chosen /dev/input/event0") == true, "\(lines)")
    }

    @Test func itWeighsByItsName() throws {
      let lines = try Probe.run(["frames", "4", "match:grampad-force-pad::"], among: [Self.sensor])
      #expect(
        lines == [
          "found /dev/input/event0 grampad-force-pad", "frame after gap 2400 1:2400", "frame 9000 1:9000",
          "frame 8998 1:8998", "frame 2400 1:2400",
        ])
    }
  }
}
