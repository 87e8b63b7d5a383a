import Foundation
import Testing
import Weighing

extension Emulated {
  /// Devices with faulty drivers, and malicious devices.
  @Suite struct Hostile {
    /// libevdev logs a message for every frame, by default to standard error.
    @Test func aFaultInEveryFrameIsLoggedAFewTimes() throws {
      var pad = MockPad.protocolB()
      let count = 200
      pad.frames = (0..<count).map { index -> [MockPad.Event] in
        [.axis(.trackingID, Int32(index + 1)), .axis(.multitouchPressure, Int32(50 + index % 2))]
      }
      var log = ""
      let lines = try Probe.run(["frames", "\(count)", pad.node], among: [pad], log: &log)
      #expect(lines.count { $0.hasPrefix("frame") } >= count)
      let complaints = log.split(separator: "\n").filter { $0.contains("tracking") || $0.contains("libevdev") }
      #expect((1...5).contains(complaints.count), "\(complaints)")
      #expect(complaints.allSatisfy { $0.contains("libevdev reports") && $0.contains(pad.node) }, "\(complaints)")
    }

    @Test func brokenDescriptorsAreNamed() throws {
      var empty = MockPad.singleTouch(number: 1, name: "Empty")
      empty.axes[.pressure] = AxisRange(minimum: 0, maximum: 0)
      var negative = MockPad.protocolB(number: 2, name: "Negative")
      negative.axes[.slot] = AxisRange(minimum: -4, maximum: -1)
      let lines = try Probe.run(["survey", "auto"], among: [empty, negative])
      #expect(lines.contains { $0.contains("event1") && $0.contains("0...0: a broken descriptor") }, "\(lines)")
      #expect(
        lines.contains { $0.contains("event2") && $0.contains("without slot 0: a broken descriptor") }, "\(lines)")
      #expect(lines.last?.hasPrefix("none: ") == true, "\(lines)")
    }
  }
}
