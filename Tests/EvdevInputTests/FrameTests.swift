import Foundation
import Testing
import Weighing

extension Emulated {
  @Suite struct Frames {
    /// A pad, the forces on it frame by frame, and the lines that the probe has to print after `found`.
    struct Case: CustomTestStringConvertible {
      var testDescription: String
      var pad: MockPad
      var expected: [String]
    }

    @Test(arguments: [slots, singleTouch, withoutTouchKey, listed]) func sumOfTheContacts(_ example: Case) throws {
      let count = example.expected.count
      let lines = try Probe.run(["frames", "\(count)", "auto"], among: [example.pad])
      #expect(lines == ["found \(example.pad.node) \(example.pad.name)"] + example.expected)
    }

    @Test func anotherAxisLessItsMinimum() throws {
      var pad = MockPad.singleTouch()
      pad.axes = [AxisCode(rawValue: 2): AxisRange(minimum: -100, maximum: 100)]
      pad.values = [AxisCode(rawValue: 2): -100]
      pad.frames = [-90, 0, 100, -100].map { [.axis(AxisCode(rawValue: 2), $0)] }
      let lines = try Probe.run(["frames", "5", "auto", "ABS_Z"], among: [pad])
      #expect(
        lines.dropFirst() == ["frame after gap 0", "frame 10 1:10", "frame 100 1:100", "frame 200 1:200!", "frame 0"])
    }

    /// A random walk of two contacts with values left out as evdev does: each frame is the sum.
    @Test(arguments: [1, 2, 3, 4, 5]) func sumOverARandomWalk(seed: UInt64) throws {
      var random = SplitMix(state: seed)
      var pad = MockPad.protocolB()
      var forces: [Int32] = [0, 0]
      pad.frames = [[.axis(.slot, 0), .axis(.trackingID, 1), .axis(.slot, 1), .axis(.trackingID, 2)]]
      var expected = ["frame after gap 0", "frame 0 1:0 2:0"]
      var slot: Int32 = 1
      for _ in 0..<40 {
        var frame: [MockPad.Event] = []
        for index in forces.indices {
          let next = Int32.random(in: 0...252, using: &random)
          guard next != forces[index], Bool.random(using: &random) else { continue }
          if slot != index { frame.append(.axis(.slot, Int32(index))) }
          slot = Int32(index)
          frame.append(.axis(.multitouchPressure, next))
          forces[index] = next
        }
        if frame.isEmpty { continue }
        pad.frames.append(frame)
        expected.append("frame \(forces[0] + forces[1]) 1:\(forces[0]) 2:\(forces[1])")
      }
      let lines = try Probe.run(["frames", "\(expected.count)", "auto"], among: [pad])
      #expect(Array(lines.dropFirst()) == expected)
    }

    static var slots: Case {
      var pad = MockPad.protocolB()
      pad.frames = [
        [.axis(.slot, 0), .axis(.trackingID, 41), .key(.touch, 1), .axis(.multitouchPressure, 20)],
        [.axis(.slot, 1), .axis(.trackingID, 42), .axis(.multitouchPressure, 30)],
        [.axis(.multitouchPressure, 253)],
        [.axis(.slot, 0), .axis(.trackingID, -1)],
        [.axis(.trackingID, 43)],
        [.axis(.trackingID, -1), .axis(.slot, 1), .axis(.trackingID, -1), .key(.touch, 0)],
      ]
      return Case(
        testDescription: "protocol B", pad: pad,
        expected: [
          "frame after gap 0", "frame 20 1:20", "frame 50 1:20 2:30", "frame 273 1:20 2:253!", "frame 253 2:253!",
          "frame 273 2:253! 3:20", "frame 0",
        ])
    }

    static var singleTouch: Case {
      var pad = MockPad.singleTouch()
      pad.frames = [
        [.key(.touch, 1), .axis(.pressure, 100)], [.axis(.pressure, 1023)], [.axis(.pressure, 400)], [.key(.touch, 0)],
        [.axis(.pressure, 0)],
      ]
      return Case(
        testDescription: "single touch", pad: pad,
        expected: [
          "frame after gap 0", "frame 100 1:100", "frame 1023 1:1023!", "frame 400 1:400", "frame 0", "frame 0",
        ])
    }

    static var withoutTouchKey: Case {
      var pad = MockPad.singleTouch()
      pad.keys = []
      pad.frames = [[.axis(.pressure, 5)], [.axis(.pressure, 6)], [.axis(.pressure, 0)]]
      return Case(
        testDescription: "single touch without BTN_TOUCH", pad: pad,
        expected: ["frame after gap 0", "frame 5 1:5", "frame 6 1:6", "frame 0"])
    }

    static var listed: Case {
      func contact(_ x: Int32, _ force: Int32) -> [MockPad.Event] {
        [
          .axis(.multitouchX, x), .axis(.multitouchY, 9), .axis(.multitouchPressure, force),
          .synchronization(SynchronizationCode.multitouchReport),
        ]
      }
      var pad = MockPad.protocolA()
      pad.frames = [
        [.key(.touch, 1)] + contact(10, 50), contact(10, 60) + contact(500, 70), contact(501, 71), [.key(.touch, 0)],
      ]
      return Case(
        testDescription: "protocol A", pad: pad,
        expected: ["frame after gap 0", "frame 50 1:50", "frame 130 1:60 2:70", "frame 71 2:71", "frame 0"])
    }
  }
}

/// Steele, Lea and Flood's generator: the same numbers for the same seed everywhere.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
