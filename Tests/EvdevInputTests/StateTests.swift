import Testing
import Weighing

extension Emulated {
  @Suite struct State {
    @Test func aLoadThatLiesOnThePadAlready() throws {
      var pad = MockPad.protocolB()
      pad.held = [.touch]
      pad.slots = [[:], [.trackingID: 7, .multitouchPressure: 80], [:], [.trackingID: 8, .multitouchPressure: 20]]
      pad.values = [.slot: 3]
      // The slot that the pad spoke of last goes on, without being named again.
      pad.frames = [[.axis(.multitouchPressure, 25)], [.axis(.slot, 1), .axis(.multitouchPressure, 90)]]
      let lines = try Probe.run(["frames", "3", "auto"], among: [pad])
      #expect(lines.dropFirst() == ["frame after gap 100 1:80 2:20", "frame 105 1:80 2:25", "frame 115 1:90 2:25"])
    }

    @Test func aLoadOnASingleTouchPad() throws {
      var pad = MockPad.singleTouch()
      pad.held = [.touch]
      pad.values = [.pressure: 300]
      pad.frames = [[.key(.touch, 0), .axis(.pressure, 0)]]
      #expect(
        try Probe.run(["frames", "2", "auto"], among: [pad]).dropFirst() == ["frame after gap 300 1:300", "frame 0"])
    }

    /// Written by hand: umockdev never overruns. What the pad answers when asked again is its state after the gap.
    @Test func lostEventsAreAGapAndTheStateIsReadAgain() throws {
      var pad = MockPad.protocolB()
      pad.held = [.touch]
      pad.slots = [[.trackingID: 7, .multitouchPressure: 80]]
      pad.frames = [[.axis(.multitouchPressure, 90)], [.axis(.slot, 1), .axis(.trackingID, 9)]]
      pad.ending = [.axis(.multitouchPressure, 5), .synchronization(SynchronizationCode.dropped)]
      let lines = try Probe.run(["frames", "4", "auto"], among: [pad])
      #expect(
        lines.dropFirst() == [
          "frame after gap 80 1:80", "frame 90 1:90", "frame 90 1:90 2:0", "gap", "frame after gap 80 1:80",
        ])
    }

    @Test func aRecordingOfLostEventsIsComplete() throws {
      var pad = MockPad.singleTouch()
      pad.held = [.touch]
      pad.values = [.pressure: 300]
      pad.ending = [.axis(.pressure, 301), .synchronization(SynchronizationCode.dropped)]
      let lines = try Probe.run(["events", pad.node, "9"], among: [pad])
      #expect(
        lines == [
          "event 3 24 301", "event 0 3 0", "event 0 0 0",  // what was begun, lost, ended
          "event 1 325 0", "event 1 330 1", "event 3 0 0", "event 3 1 0", "event 3 24 300", "event 0 0 0",
        ])
    }
  }
}
