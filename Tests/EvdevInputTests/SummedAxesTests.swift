import Testing
import Weighing

extension Emulated {
  /// Several axes that share the load, and the Wii Balance Board.
  @Suite struct SummedAxes {
    @Test func aBalanceBoardIsSelected() throws {
      let pads = [MockPad.keyboard(number: 0), .protocolB(number: 1), .balanceBoard(number: 2)]
      let lines = try Probe.run(["survey", "auto"], among: pads)
      #expect(lines.contains("/dev/input/event2 [] ABS_HAT0X+ABS_HAT0Y+ABS_HAT1X+ABS_HAT1Y weighs"), "\(lines)")
      #expect(
        lines.last == "chosen /dev/input/event2: it is a Wii Balance Board, which reports in units of 10 g", "\(lines)")
    }

    /// Corners that do not change are not reported: the state when the board is opened counts.
    @Test func aBalanceBoardWeighs() throws {
      var pad = MockPad.balanceBoard()
      pad.values = [.hat0X: 5, .hat1Y: 7]
      pad.frames = [
        [.axis(.hat0X, 1005)], [.axis(.hat0Y, 500), .axis(.hat1X, 400)], [.axis(.hat1Y, 3400)],
        [.axis(.hat0X, 0), .axis(.hat0Y, 0), .axis(.hat1X, 0), .axis(.hat1Y, 0)],
      ]
      let lines = try Probe.run(["frames", "5", "auto"], among: [pad])
      #expect(
        lines.dropFirst() == [
          "frame after gap 12 1:12", "frame 1012 1:1012", "frame 1912 1:1912", "frame 5305 1:5305!", "frame 0",
        ])
    }

    @Test func axesAreAddedLessTheirMinimum() throws {
      var pad = MockPad.singleTouch()
      let z = AxisCode(rawValue: 2)
      pad.axes[z] = AxisRange(minimum: -100, maximum: 100)
      pad.values = [z: -100]
      pad.frames = [[.axis(z, -90)], [.axis(.pressure, 40)], [.axis(z, -100)], [.axis(.pressure, 1023)]]
      let lines = try Probe.run(["frames", "5", "auto", "ABS_Z+ABS_PRESSURE"], among: [pad])
      #expect(
        lines.dropFirst() == [
          "frame after gap 0", "frame 10 1:10", "frame 50 1:50", "frame 40 1:40", "frame 1023 1:1023!",
        ])
    }

    @Test func anAbsentAxisIsNamed() throws {
      let lines = try Probe.run(["survey", "auto", "ABS_X+ABS_RZ"], among: [.singleTouch()])
      #expect(
        lines.first
          == "/dev/input/event0 [] - the device has no axis ABS_RZ; correct pad.axis: it has ABS_X, ABS_Y, ABS_PRESSURE"
      )
    }
  }
}
